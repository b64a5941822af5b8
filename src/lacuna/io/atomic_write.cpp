#include "lacuna/io/atomic_write.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace lacuna {

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(path) {
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
  create_beside();
  if (exists && ::fchmod(file_.get(), status.st_mode & 07777U) != 0) fail_system(path_, "write", errno);
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::create_beside() {
  const std::size_t slash = target_.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "" : target_.substr(0, slash + 1);
  constexpr int attempts = 1000;
  for (int i = 0; i < attempts; ++i) {
    const std::string name = fmt::format("{}.lacuna-{}-{}.tmp", folder, ::getpid(), i);
    file_ = FileDescriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file_.open()) {
      temporary_ = name;
      return;
    }
    if (errno != EEXIST) break;
  }
  fail_system(path_, "write", errno);
}

void AtomicFile::append(std::string_view bytes) { write_all(file_, path_, bytes); }

void AtomicFile::commit() {
  // Some file systems report a full disk only here.
  if (::close(file_.release()) != 0) fail_system(path_, "write", errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail_system(path_, "write", errno);
  temporary_.clear();
}

}  // namespace lacuna
