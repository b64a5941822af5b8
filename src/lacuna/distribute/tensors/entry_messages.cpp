#include "lacuna/distribute/tensors/entry_messages.h"

#include <algorithm>
#include <cstring>

#include "lacuna/distribute/parts/numbering.h"
#include "lacuna/distribute/tensors/give_back.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/build_entries.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

const std::vector<IndexSet>& sets_of(const DistributedTensor& tensor, std::size_t part) {
  return tensor.placement().parts[part].what.coordinates;
}

/// The bytes of an entry of a part.
std::int64_t width_of(const DistributedTensor& tensor, std::size_t part) {
  std::int64_t width = size_of(tensor.shape().type);
  for (const IndexSet& set : sets_of(tensor, part)) width += size_of(coordinate_type(set.size()));
  return width;
}

void append_bytes(Bytes& message, const void* data, std::size_t bytes) {
  const auto* begin = static_cast<const std::byte*>(data);
  message.insert(message.end(), begin, begin + bytes);
}

/// Reads messages piece by piece.
class Cursor {
 public:
  explicit Cursor(const Bytes& message) : message_(message) {}
  const std::byte* take(std::size_t bytes) {
    internal_check(bytes <= message_.size() - at_, "a message of entries ends early");
    at_ += bytes;
    return message_.data() + at_ - bytes;
  }
  std::int64_t number() {
    std::int64_t n = 0;
    std::memcpy(&n, take(sizeof n), sizeof n);
    return n;
  }

 private:
  const Bytes& message_;
  std::size_t at_ = 0;
};

/// Where one array of a part is filled, message by message.
struct Filled {
  Array array;
  std::size_t bytes = 0;
  void add(Cursor& from, std::int64_t count) {
    const std::size_t more = static_cast<std::size_t>(count) * static_cast<std::size_t>(size_of(array.type()));
    if (more > 0) std::memcpy(static_cast<std::byte*>(array.mutable_data()) + bytes, from.take(more), more);
    bytes += more;
  }
};

}  // namespace

EntryRouter::EntryRouter(const DistributedTensor& tensor, const Communicator& ranks)
    : tensor_(tensor),
      owners_(tensor.placement(), tensor.shape().format.map()),
      parts_on_(static_cast<std::size_t>(ranks.ranks())) {
  for (std::size_t p = 0; p < tensor.placement().parts.size(); ++p)
    for (const std::int64_t holder : tensor.placement().parts[p].processors) {
      std::vector<std::size_t>& parts = parts_on_[static_cast<std::size_t>(tensor.rank_of(holder))];
      if (parts.empty() || parts.back() != p) parts.push_back(p);
    }
}

std::vector<Bytes> EntryRouter::messages(const CoordinateList& entries) const {
  std::vector<std::vector<std::int64_t>> chosen(tensor_.placement().parts.size());
  std::vector<IntegerReader> columns(entries.coordinates.begin(), entries.coordinates.end());
  for (std::int64_t e = 0; e < entries.size(); ++e)
    chosen[owners_.part_of([&](std::size_t m) { return columns[m][e]; })].push_back(e);
  std::vector<Bytes> all(parts_on_.size());
  for (std::size_t r = 0; r < all.size(); ++r) {
    std::size_t bytes = 0;  // what a message grew by for nothing would be kept with it
    for (const std::size_t p : parts_on_[r])
      bytes += sizeof(std::int64_t) + chosen[p].size() * static_cast<std::size_t>(width_of(tensor_, p));
    all[r].reserve(bytes + 1);  // and what its sender may add
    for (const std::size_t p : parts_on_[r]) append(all[r], entries, chosen[p], p);
  }
  return all;
}

void EntryRouter::append(Bytes& message, const CoordinateList& entries, const std::vector<std::int64_t>& chosen,
                         std::size_t part) const {
  const std::int64_t count = std::ssize(chosen);
  append_bytes(message, &count, sizeof count);
  for (std::size_t m = 0; m < entries.coordinates.size(); ++m) {
    const IndexSet& set = sets_of(tensor_, part)[m];
    const Ranks ranks(set);
    const IntegerReader column(entries.coordinates[m]);
    Array numbers = Array::allocate(coordinate_type(set.size()), count, false);
    with_mutable_coordinates(numbers, [&](auto to) {
      using To = typename decltype(to)::value_type;
      for (std::size_t k = 0; k < chosen.size(); ++k) to[k] = static_cast<To>(*ranks.of(column[chosen[k]]));
    });
    append_bytes(message, numbers.data(), static_cast<std::size_t>(numbers.bytes()));
  }
  const auto width = static_cast<std::size_t>(size_of(entries.values.type()));
  const auto* values = static_cast<const std::byte*>(entries.values.data());
  for (const std::int64_t e : chosen) append_bytes(message, values + static_cast<std::size_t>(e) * width, width);
}

std::vector<CoordinateList> entries_from(std::vector<Bytes> messages, const DistributedTensor& tensor,
                                         const std::vector<std::size_t>& parts) {
  const auto order = tensor.dimensions().size();
  const Type type = tensor.shape().type;
  std::vector<std::int64_t> counts(parts.size());
  std::size_t bytes = 0;
  for (const Bytes& message : messages) {
    Cursor cursor(message);
    bytes += message.size();
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const std::int64_t count = cursor.number();
      counts[k] += count;
      cursor.take(static_cast<std::size_t>(count * width_of(tensor, parts[k])));
    }
  }
  std::vector<std::vector<Filled>> filled(parts.size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    for (const IndexSet& set : sets_of(tensor, parts[k]))
      filled[k].push_back({Array::allocate(coordinate_type(set.size()), counts[k], false)});
    filled[k].push_back({Array::allocate(type, counts[k], false)});
  }
  for (Bytes& message : messages) {
    Cursor cursor(message);
    for (std::vector<Filled>& arrays : filled) {
      const std::int64_t count = cursor.number();
      for (Filled& array : arrays) array.add(cursor, count);
    }
    Bytes().swap(message);
  }
  give_back_to_system(bytes);
  std::vector<CoordinateList> lists(parts.size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    for (std::size_t m = 0; m < order; ++m) {
      lists[k].dimensions.push_back(sets_of(tensor, parts[k])[m].size());
      lists[k].coordinates.push_back(std::move(filled[k][m].array));
    }
    lists[k].values = std::move(filled[k][order].array);
  }
  return lists;
}

std::vector<LocalPart> parts_from(std::vector<Bytes> messages, const DistributedTensor& tensor,
                                  const std::vector<std::size_t>& parts) {
  std::vector<CoordinateList> lists = entries_from(std::move(messages), tensor, parts);
  const PartShape& shape = tensor.shape();
  std::vector<LocalPart> made;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    made.push_back({sets_of(tensor, parts[k]), build_with_fill(std::move(lists[k]), shape.format, {}, shape.fill)});
  }
  return made;
}

}  // namespace lacuna
