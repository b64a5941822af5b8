#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "lacuna/io/parallel.h"

namespace lacuna {

/// True when the bytes start as gzip data does.
bool is_gzip(std::string_view bytes);

/// Memory that decompression filled.
struct Unzipped {
  std::unique_ptr<char, void (*)(void*)> memory;
  std::size_t size = 0;
  std::string_view bytes() const { return {memory.get(), size}; }
};

/// Decompresses gzip data (all its members) piece by piece.
class GunzipStream {
 public:
  /// `name` appears in messages. Throws Error for what is not gzip data.
  GunzipStream(std::string name, std::string_view compressed);
  ~GunzipStream();
  GunzipStream(const GunzipStream&) = delete;
  GunzipStream& operator=(const GunzipStream&) = delete;

  /// Decompresses up to so many bytes, fewer only at the end, and returns how many. Throws Error for data that are
  /// corrupt, cut off or followed by something else; RuntimeFailure when memory is short.
  std::size_t read(char* to, std::size_t bytes);
  /// How many compressed bytes that took.
  std::size_t taken() const { return all_.size() - rest_.size(); }

 private:
  class Inflater;
  std::string name_;
  std::string_view all_, rest_;
  std::unique_ptr<Inflater> inflater_;
  bool ended_ = false;
};

/// Decompresses gzip data (all its members). `name` appears in messages. Throws Error for data that are corrupt, cut
/// off or followed by something else; RuntimeFailure when memory is short. `progress` gets fractions of the compressed
/// data.
Unzipped gunzip(const std::string& name, std::string_view compressed, const std::function<void(double)>& progress = {});

/// Compresses what it is given, piece by piece.
class GzipCompressor {
 public:
  /// `sink` takes the compressed bytes.
  explicit GzipCompressor(std::function<void(std::string_view)> sink);
  ~GzipCompressor();
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;

  void append(std::string_view bytes);
  /// Writes the end; nothing may follow.
  void finish();

 private:
  struct Stream;
  void run(std::string_view bytes, int flush);
  std::function<void(std::string_view)> sink_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace lacuna
