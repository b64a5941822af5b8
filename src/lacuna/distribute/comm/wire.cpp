#include "lacuna/distribute/comm/wire.h"

#include <cstring>

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Numbers and arrays, one behind the other.
class Writer {
 public:
  explicit Writer(std::int64_t bytes) { out_.reserve(static_cast<std::size_t>(bytes)); }
  void add(std::int64_t number) { append(&number, sizeof number); }
  void add(const Array& array) {
    internal_check(array.base() == 0, "a message of a range of an array");
    add(static_cast<std::int64_t>(array.type()));
    add(array.size());
    append(array.data(), static_cast<std::size_t>(array.bytes()));
  }
  Bytes take() { return std::move(out_); }

 private:
  void append(const void* data, std::size_t bytes) {
    const auto* begin = static_cast<const std::byte*>(data);
    out_.insert(out_.end(), begin, begin + bytes);
  }
  Bytes out_;
};

class Reader {
 public:
  explicit Reader(const Bytes& in) : in_(in) {}
  std::int64_t number() {
    std::int64_t n = 0;
    copy(&n, sizeof n);
    return n;
  }
  Array array() {
    const auto type = static_cast<Type>(number());
    Array out = Array::allocate(type, number(), false);
    copy(out.mutable_data(), static_cast<std::size_t>(out.bytes()));
    return out;
  }
  bool is_at_end() const { return at_ == in_.size(); }

 private:
  void copy(void* to, std::size_t bytes) {
    internal_check(bytes <= in_.size() - at_, "a message of {} bytes ends early", in_.size());
    if (bytes > 0) std::memcpy(to, in_.data() + at_, bytes);
    at_ += bytes;
  }
  const Bytes& in_;
  std::size_t at_ = 0;
};

constexpr std::int64_t most_numbers_a_level = 16;

}  // namespace

Bytes to_message(const LocalPart& part) {
  const Storage& s = part.storage;
  Writer out(s.bytes() + 8 * most_numbers_a_level * (s.order() + 1));
  for (const LevelStorage& level : s.levels) {
    internal_check(level.nodes.empty() && level.origin == 0, "a part is not made of arrays of its own");
    out.add(level.extent);
    out.add(level.positions);
    out.add(level.nonempty ? 1 : 0);
    for (const Array* array : {&level.pos, &level.crd, &level.present}) out.add(*array);
  }
  out.add(s.values);
  return out.take();
}

LocalPart from_message(const Bytes& message, std::vector<IndexSet> sets, const PartShape& shape) {
  LocalPart part{std::move(sets), {}};
  Storage& s = part.storage;
  s.format = shape.format;
  s.type = shape.type;
  s.fill = shape.fill;
  for (const IndexSet& set : part.sets) s.dimensions.push_back(set.size());
  Reader in(message);
  for (int k = 0; k < s.order(); ++k) {
    LevelStorage level;
    level.extent = in.number();
    level.positions = in.number();
    level.nonempty = in.number() != 0;
    for (Array* array : {&level.pos, &level.crd, &level.present}) *array = in.array();
    s.levels.push_back(std::move(level));
  }
  s.values = in.array();
  internal_check(in.is_at_end() && s.values.type() == shape.type, "a message is not the part that was expected");
  return part;
}

}  // namespace lacuna
