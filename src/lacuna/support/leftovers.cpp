#include "lacuna/support/leftovers.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace lacuna {
namespace fs = std::filesystem;
namespace {

/// The process that a name tells; none where it is no name of ours.
std::optional<pid_t> process_in(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  pid_t process = 0;
  const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), process);
  const bool is_ours = failure == std::errc() && end < name.data() + name.size() && *end == '-' && process > 0;
  return is_ours ? std::optional(process) : std::nullopt;
}

bool has_ended(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

/// Numbers of processes are those of a computer or container, and folders may be shared: whoever has a lock is alive.
bool is_left_behind(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status {};
  const bool is_own = ::fstat(file, &status) == 0 && status.st_uid == ::geteuid() &&
                      (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  const bool is_free = is_own && ::flock(file, LOCK_EX | LOCK_NB) == 0;
  ::close(file);
  return is_free;
}

}  // namespace

std::string name_of_this_process(std::string_view prefix) { return fmt::format("{}{}-", prefix, ::getpid()); }

bool lock_as_ours(int file) {
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat status {};
  if (::fstat(file, &status) != 0 || status.st_nlink > 0) return true;
  errno = EWOULDBLOCK;
  return false;
}

void remove_leftovers(const fs::path& folder, std::string_view prefix) noexcept {
  try {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const std::optional<pid_t> process = process_in(entry.path().filename().native(), prefix);
      if (process && has_ended(*process) && is_left_behind(entry.path())) found.push_back(entry.path());
    }
    for (const fs::path& path : found) fs::remove_all(path);
  } catch (...) {
    // A folder that cannot be read or changed: this is tidying, and nothing depends on it.
    return;
  }
}

bool remove_open_temporaries(std::string_view prefix) noexcept {
  bool any = false;
  try {
    const std::string beginning = name_of_this_process(prefix);
    std::vector<fs::path> found;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd", failed)) {
      const fs::path path = fs::read_symlink(entry.path(), failed);
      if (!failed && path.filename().native().starts_with(beginning)) found.push_back(path);
    }
    for (const fs::path& path : found) {
      const std::uintmax_t removed = fs::remove_all(path, failed);
      any = any || (!failed && removed > 0);
    }
  } catch (...) {
    return any;
  }
  return any;
}

}  // namespace lacuna
