#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "distributed/on_machine.h"

namespace lacuna {

/// A file that all ranks see, while it is looked at.
class SharedFile {
 public:
  SharedFile(const std::string& name, const std::string& text)
      : SharedFile(name, [&](std::ostream& file) { file << text; }) {}
  SharedFile(const std::string& name, const std::function<void(std::ostream&)>& write) {
    std::string folder;
    if (test_ranks()->rank() == 0) {
      std::string pattern = (std::filesystem::temp_directory_path() / "lacuna-XXXXXX").string();
      folder = mkdtemp(pattern.data());
      std::ofstream file(folder + "/" + name);
      write(file);
    }
    folder_ = test_ranks()->gather_all(folder).front();
    path_ = folder_ + "/" + name;
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile() {
    test_ranks()->gather_all("read");
    if (test_ranks()->rank() == 0) std::filesystem::remove_all(folder_);
  }
  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

}  // namespace lacuna
