#include "error/command.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lacuna::test {
namespace {

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Sends a stream of the child to a file: two pipes would need reading in turns.
void redirect(const std::filesystem::path& path, int stream) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, stream) < 0) _exit(127);
  close(file);
}

}  // namespace

Ended run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                  const std::map<std::string, std::string>& changes) {
  const std::filesystem::path output = folder / ".output";
  const std::filesystem::path error = folder / ".error";
  std::vector<char*> raw;
  for (const std::string& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
  raw.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    for (const auto& [name, value] : changes) {
      if (value.empty()) unsetenv(name.c_str());
      else setenv(name.c_str(), value.c_str(), 1);
    }
    redirect(output, STDOUT_FILENO);
    redirect(error, STDERR_FILENO);
    if (chdir(folder.c_str()) != 0) _exit(127);
    execv(raw[0], raw.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), contents_of(output), contents_of(error)};
}

Ended run_shell(const std::string& line, const std::filesystem::path& folder,
                std::map<std::string, std::string> changes) {
  changes["L"] = LACUNA_BINARY;
  return run_program({"/bin/bash", "-c", line}, folder, changes);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "lacuna-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(const std::string& name, const std::string& contents) const {
  std::ofstream(path_ / name, std::ios::binary) << contents;
}

std::string TemporaryFolder::read(const std::string& name) const { return contents_of(path_ / name); }

}  // namespace lacuna::test
