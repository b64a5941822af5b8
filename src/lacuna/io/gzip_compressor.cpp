#include <array>
#include <utility>

#include <zlib.h>

#include "lacuna/io/gzip.h"
#include "lacuna/support/check.h"

namespace lacuna {

struct GzipCompressor::Stream {
  z_stream z = {};
};

GzipCompressor::GzipCompressor(std::function<void(std::string_view)> sink)
    : sink_(std::move(sink)), stream_(std::make_unique<Stream>()) {
  constexpr int gzip_only = 15 + 16;  // zlib's code for the largest window and a gzip header
  constexpr int default_memory = 8;
  if (deflateInit2(&stream_->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_only, default_memory, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw RuntimeFailure("out of memory while compressing");
  }
}

GzipCompressor::~GzipCompressor() { deflateEnd(&stream_->z); }

void GzipCompressor::append(std::string_view bytes) {
  constexpr std::size_t most = std::size_t{1} << 30U;  // zlib counts with 32 bits
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), most))) run(bytes.substr(0, most), Z_NO_FLUSH);
}

void GzipCompressor::finish() { run({}, Z_FINISH); }

void GzipCompressor::run(std::string_view bytes, int flush) {
  std::array<char, 1U << 16U> out;
  z_stream& z = stream_->z;
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<unsigned>(bytes.size());
  do {
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<unsigned>(out.size());
    const int code = deflate(&z, flush);
    internal_check(code != Z_STREAM_ERROR, "the compressor's state is broken");
    sink_({out.data(), out.size() - z.avail_out});
  } while (z.avail_out == 0);
}

}  // namespace lacuna
