#include "lacuna/jit/folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "lacuna/support/leftovers.h"

namespace lacuna {
namespace fs = std::filesystem;

void make_private_folder(const fs::path& folder) {
  std::error_code failed;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), failed);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) throw UnusableFile(std::strerror(errno));
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) throw UnusableFile(std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) throw UnusableFile("it is not a folder");
  if (status.st_uid != ::geteuid()) throw UnusableFile("another user owns it");
  const bool others_may_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (others_may_write && ::chmod(folder.c_str(), 0700) != 0) throw UnusableFile("other users may write to it");
}

TemporaryFolder::TemporaryFolder(const fs::path& base) {
  for (bool is_ours = false; !is_ours;) {
    std::string name = (base / (name_of_this_process(prefix) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
      throw UnusableFile(fmt::format("no folder can be made in it: {}", std::strerror(errno)));
    path_ = name;
    lock_ = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    is_ours = lock_ < 0 || lock_as_ours(lock_);
    if (!is_ours) ::close(lock_);
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

void write_new_file(const fs::path& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) throw UnusableFile(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR) error = errno;
  }
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error != 0) throw UnusableFile(fmt::format("{}: {}", path.string(), std::strerror(error)));
}

}  // namespace lacuna
