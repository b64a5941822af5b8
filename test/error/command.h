#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lacuna::test {

/// What a run of a program printed, and how it ended.
struct Ended {
  int code = -1;  // 128 + the signal when one ended it
  std::string output;
  std::string error;
};

/// Runs a program without a shell. `changes` are set in its environment; an empty value unsets one.
Ended run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                  const std::map<std::string, std::string>& changes = {});

/// Runs a command line of bash, in which $L is the command.
Ended run_shell(const std::string& line, const std::filesystem::path& folder,
                std::map<std::string, std::string> changes = {});

/// A folder of its own for a test, removed when the test ends.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& contents) const;
  std::string read(const std::string& name) const;

 private:
  std::filesystem::path path_;
};

}  // namespace lacuna::test
