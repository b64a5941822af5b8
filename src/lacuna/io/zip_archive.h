#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/io/text.h"

namespace lacuna {

/// The files in a zip archive, which lie in it as they are or deflated.
class ZipArchive {
 public:
  /// Reads the directory. Fails, with the file's name, for what is no zip archive. The bytes must outlive it.
  explicit ZipArchive(const Text& text);

  bool has(const std::string& name) const { return members_.count(name) != 0; }
  std::vector<std::string> names() const;
  /// The contents of a file that there is. Fails where they are damaged, or packed in another way.
  std::string read(const std::string& name) const;

 private:
  struct Member {
    std::uint64_t method = 0, checksum = 0, packed = 0, size = 0, header = 0;
  };
  void read_directory();
  Member read_member(std::size_t at, std::string& name, std::size_t& next) const;
  /// A little-endian number of so many bytes, which have to be there.
  std::uint64_t number(std::size_t at, std::size_t bytes) const;
  std::string_view packed_bytes(const std::string& name, const Member& member) const;

  Text text_;
  std::map<std::string, Member> members_;
};

}  // namespace lacuna
