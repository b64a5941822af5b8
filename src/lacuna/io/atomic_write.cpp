#include "lacuna/io/atomic_write.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "lacuna/io/io.h"
#include "lacuna/support/leftovers.h"

namespace lacuna {
AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(path) {
  if (path == standard_output) {
    std::fflush(stdout);  // what was printed before comes before
    file_ = FileDescriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!file_.open()) fail_system("standard output", "write", errno);
    return;
  }
  struct stat status = {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail_system(path_, "write", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    file_ = FileDescriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file_.open()) fail_system(path_, "write", errno);
    return;
  }
  // A link stays a link: what it leads to is replaced.
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, error);
  if (!error) target_ = resolved.string();
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail_system(path_, "write", errno);
  is_beside_ = true;
  create_beside();
  if (exists && ::fchmod(file_.get(), status.st_mode & 07777U) != 0) fail_system(path_, "write", errno);
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

/// Without a name until commit() where the file system can do that, so that nothing is left of it whatever happens.
void AtomicFile::create_beside() {
  const std::size_t slash = target_.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "./" : target_.substr(0, slash + 1);
  remove_leftovers(folder, prefix);
#if defined(O_TMPFILE)
  if (::access("/proc/self/fd", X_OK) == 0)
    file_ = FileDescriptor(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if (file_.open()) return;
#endif
  const bool is_made = with_free_name(folder, [&](const std::string& name) {
    file_ = FileDescriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    return file_.open() && lock_as_ours(file_.get());
  });
  if (!is_made) fail_system(path_, "write", errno);
}

/// Calls `make` with names that a temporary file beside the target may have, until one serves. False, with errno, where
/// none does.
template <typename Make>
bool AtomicFile::with_free_name(const std::string& folder, const Make& make) {
  constexpr int attempts = 1000;
  for (int i = 0; i < attempts; ++i) {
    const std::string name = fmt::format("{}{}{}.tmp", folder, name_of_this_process(prefix), i);
    if (make(name)) {
      temporary_ = name;
      return true;
    }
    if (errno != EEXIST && errno != EWOULDBLOCK) return false;
  }
  return false;
}

/// What was written without a name gets one.
void AtomicFile::name_file() {
  const std::string open_file = fmt::format("/proc/self/fd/{}", file_.get());
  const bool is_named = with_free_name(target_.substr(0, target_.find_last_of('/') + 1), [&](const std::string& name) {
    return ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  });
  if (!is_named) fail_system(path_, "write", errno);
}

void AtomicFile::append(std::string_view bytes) { write_all(file_, path_, bytes); }

void AtomicFile::commit() {
  if (is_beside_ && temporary_.empty()) name_file();
  // Open, and locked, until it has its own name.
  const FileDescriptor lock(::fcntl(file_.get(), F_DUPFD_CLOEXEC, 0));
  // Some file systems report a full disk only here.
  if (::close(file_.release()) != 0) fail_system(path_, "write", errno);
  if (!is_beside_) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail_system(path_, "write", errno);
  temporary_.clear();
}

}  // namespace lacuna
