#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/io/io.h"

namespace lacuna {

/// The entries in their order, one text an entry: "(0,2) 1.5", coordinates from 0.
std::vector<std::string> entries_of(const CoordinateList& entries);

FileContents read_mtx(std::string_view text, const ReadOptions& options = {});
FileContents read_tns(std::string_view text, const ReadOptions& options = {});
FileContents read_rb(std::string_view text, const ReadOptions& options = {});

/// The message with which reading is refused; a failing test when it is not, or when the fault is not called the
/// user's.
std::string refusal(FileFormat format, std::string_view text, const ReadOptions& options = {});
std::string mtx_refusal(std::string_view text);
std::string tns_refusal(std::string_view text);
std::string rb_refusal(std::string_view text);

/// A new folder that goes away with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  /// Names of the files in it, in order.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

std::string file_text(const std::string& path);
void make_file(const std::string& path, std::string_view text);

}  // namespace lacuna
