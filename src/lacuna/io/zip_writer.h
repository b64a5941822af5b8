#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

/// Writes a zip archive, file by file.
class ZipWriter {
 public:
  /// `sink` takes the bytes.
  explicit ZipWriter(std::function<void(std::string_view)> sink) : sink_(std::move(sink)) {}
  /// Adds a file, deflated. `pieces` are its contents.
  void add(const std::string& name, const std::vector<std::string_view>& pieces);
  /// Writes the directory; nothing may follow.
  void finish();

 private:
  void write(std::string_view bytes);
  std::function<void(std::string_view)> sink_;
  std::uint64_t written_ = 0, files_ = 0;
  std::string directory_;
};

}  // namespace lacuna
