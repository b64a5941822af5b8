#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include <zlib.h>

#include "lacuna/io/gzip.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

constexpr int gzip_only = 15 + 16;  // zlib's code for the largest window and a gzip header

}  // namespace

class GunzipStream::Inflater {
 public:
  explicit Inflater(const std::string& name) : name_(name) {
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw RuntimeFailure(name_ + ": out of memory while decompressing");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Decompresses from `in` to `out`, moving both; true at the end of a member.
  bool step(std::string_view& in, char*& out, std::size_t& room) {
    constexpr std::size_t most = std::numeric_limits<unsigned>::max();
    const auto in_size = static_cast<unsigned>(std::min(in.size(), most));
    const auto out_size = static_cast<unsigned>(std::min(room, most));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = out_size;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(in_size - stream_.avail_in);
    out += out_size - stream_.avail_out;
    room -= out_size - stream_.avail_out;
    if (code == Z_STREAM_END) {
      inflateReset(&stream_);
      return true;
    }
    if (code == Z_MEM_ERROR) throw RuntimeFailure(name_ + ": out of memory while decompressing");
    if (code == Z_BUF_ERROR && in.empty()) user_error("{}: the gzip data ends early: is the file cut off?", name_);
    if (code != Z_OK && code != Z_BUF_ERROR) {
      user_error("{}: the gzip data is corrupt ({})", name_, stream_.msg != nullptr ? stream_.msg : "unknown reason");
    }
    return false;
  }

 private:
  const std::string& name_;
  z_stream stream_ = {};
};

namespace {

void grow(const std::string& name, Unzipped& result, std::size_t capacity) {
  void* memory = std::realloc(result.memory.get(), capacity);
  if (memory == nullptr)
    throw RuntimeFailure(fmt::format("{}: out of memory: its contents exceed {} bytes", name, result.size));
  static_cast<void>(result.memory.release());
  result.memory.reset(static_cast<char*>(memory));
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

GunzipStream::GunzipStream(std::string name, std::string_view compressed)
    : name_(std::move(name)), all_(compressed), rest_(compressed) {
  if (!is_gzip(compressed)) user_error("{}: this is not gzip data, although the name ends in .gz", name_);
  inflater_ = std::make_unique<Inflater>(name_);
}

GunzipStream::~GunzipStream() = default;

std::size_t GunzipStream::read(char* to, std::size_t bytes) {
  char* const begin = to;
  while (!ended_ && bytes > 0) {
    if (!inflater_->step(rest_, to, bytes)) continue;
    // Tape blocks leave zeros after the data, which gzip itself ignores, too.
    ended_ = rest_.find_first_not_of('\0') == std::string_view::npos;
    if (!ended_ && !is_gzip(rest_)) user_error("{}: something that is not gzip data follows the gzip data", name_);
  }
  return static_cast<std::size_t>(to - begin);
}

Unzipped gunzip(const std::string& name, std::string_view compressed, const std::function<void(double)>& progress) {
  constexpr std::size_t most_at_once = std::size_t{1} << 20U;
  Unzipped result{{nullptr, &std::free}};
  GunzipStream stream(name, compressed);
  std::size_t capacity = 0;
  while (true) {
    if (result.size == capacity) {
      capacity = std::max<std::size_t>(capacity + capacity / 2, std::max<std::size_t>(4096, compressed.size() * 3));
      grow(name, result, capacity);
    }
    const std::size_t more =
        stream.read(result.memory.get() + result.size, std::min(capacity - result.size, most_at_once));
    result.size += more;
    if (progress) progress(static_cast<double>(stream.taken()) / static_cast<double>(compressed.size()));
    if (more == 0) return result;
  }
}

}  // namespace lacuna
