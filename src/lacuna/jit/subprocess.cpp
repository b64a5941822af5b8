#include "lacuna/jit/subprocess.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "lacuna/support/error.h"

namespace lacuna {
namespace {

constexpr std::size_t most_output = 65536;

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

/// What the child does with its descriptors before it becomes the program.
class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  void read_nothing() { posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0); }
  void write_to(int fd) {
    posix_spawn_file_actions_adddup2(&actions_, fd, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, fd, STDERR_FILENO);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// How the child begins: it takes all signals, also those that this thread leaves to others.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
  }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::string read_all(int fd) {
  std::string output;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return output;
    // What is too much is still read, so that the program does not wait for a reader.
    if (output.size() < most_output) output.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

void wait_for(pid_t child, ProcessResult& result) {
  int status = 0;
  pid_t waited = 0;
  do waited = ::waitpid(child, &status, 0);
  while (waited < 0 && errno == EINTR);
  // A host program that ignores SIGCHLD leaves no status; what the program made then shows how it went.
  if (waited < 0) return;
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  else result.exit_status = WEXITSTATUS(status);
}

std::vector<std::string> changed_environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string variable = *entry;
    if (changes.count(variable.substr(0, variable.find('='))) == 0) variables.push_back(variable);
  }
  for (const auto& [name, value] : changes) variables.push_back(fmt::format("{}={}", name, value));
  return variables;
}

/// posix_spawn wants mutable text, though it changes none.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& each : texts) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& argv, const std::map<std::string, std::string>& changes) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw RuntimeFailure(fmt::format("cannot start {}: {}", argv.front(), std::strerror(errno)));
  }
  FileDescriptor reader(ends[0]);
  FileDescriptor writer(ends[1]);
  SpawnActions actions;
  actions.read_nothing();
  actions.write_to(writer.get());

  std::vector<std::string> words = argv;
  std::vector<std::string> variables = changed_environment(changes);
  const std::vector<char*> arguments = pointers_to(words);
  const std::vector<char*> environment = pointers_to(variables);

  ProcessResult result;
  pid_t child = 0;
  const SpawnAttributes attributes;
  const int error =
      ::posix_spawnp(&child, arguments[0], actions.get(), attributes.get(), arguments.data(), environment.data());
  if (error == EAGAIN || error == ENOMEM) {
    throw RuntimeFailure(fmt::format("cannot start {}: {}", argv.front(), std::strerror(error)));
  }
  if (error != 0) {
    result.started = false;
    result.output = std::strerror(error);
    return result;
  }
  writer.close();
  result.output = read_all(reader.get());
  wait_for(child, result);
  return result;
}

}  // namespace lacuna
