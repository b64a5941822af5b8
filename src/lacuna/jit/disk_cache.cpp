#include "lacuna/jit/disk_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "lacuna/jit/folder.h"
#include "lacuna/jit/hash.h"

namespace lacuna {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view seal_start = "\nlacuna-kernel ";
constexpr std::size_t seal_size = seal_start.size() + 32 + 1;

/// The loader ignores what follows the parts of a library that its header names.
std::string seal_of(std::string_view content, const std::string& key) {
  TextHasher hasher;
  hasher.add(content);
  hasher.add(key);
  return fmt::format("{}{}\n", seal_start, hasher.finish().to_string());
}

/// The content of a regular file of this user; none when there is no such file or it cannot be read.
std::optional<std::string> read_own_file(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  struct stat status {};
  const bool ours = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
  std::string content(ours ? static_cast<std::size_t>(status.st_size) : 0, '\0');
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t count = ::read(fd, content.data() + done, content.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  ::close(fd);
  if (!ours || done < content.size()) return std::nullopt;
  return content;
}

bool is_sealed(std::string_view content, const std::string& key) {
  if (content.size() < seal_size) return false;
  const std::string_view library = content.substr(0, content.size() - seal_size);
  return content.substr(library.size()) == seal_of(library, key);
}

void append(const fs::path& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  const bool written = fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int error = errno;
  const bool closed = fd < 0 || ::close(fd) == 0;
  if (!written || !closed) throw UnusableFile(fmt::format("{}: {}", path.string(), std::strerror(error)));
}

}  // namespace

DiskCache::DiskCache(fs::path folder) : folder_(std::move(folder)) { make_private_folder(folder_); }

fs::path DiskCache::path_of(const std::string& key) const { return folder_ / (key + ".so"); }

bool DiskCache::has(const std::string& key) const {
  const fs::path path = path_of(key);
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path, ignored))) return false;
  const std::optional<std::string> content = read_own_file(path);
  if (content && is_sealed(*content, key)) return true;
  remove(key);
  return false;
}

void DiskCache::store(const std::string& key, const fs::path& library) const {
  const std::optional<std::string> content = read_own_file(library);
  if (!content) throw UnusableFile(fmt::format("{}: it cannot be read", library.string()));
  append(library, seal_of(*content, key));
  if (::chmod(library.c_str(), 0600) != 0 || ::rename(library.c_str(), path_of(key).c_str()) != 0) {
    throw UnusableFile(fmt::format("{}: {}", path_of(key).string(), std::strerror(errno)));
  }
}

void DiskCache::remove(const std::string& key) const {
  std::error_code ignored;
  fs::remove(path_of(key), ignored);
}

}  // namespace lacuna
