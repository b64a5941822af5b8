#include "lacuna/io/file_descriptor.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <unistd.h>

#include <fmt/core.h>

#include "lacuna/support/error.h"

namespace lacuna {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (open()) ::close(descriptor_);
}

int FileDescriptor::release() { return std::exchange(descriptor_, -1); }

void fail_system(const std::string& path, const char* action, int error_number) {
  const std::string message =
      fmt::format("cannot {} {}: {}", action, path, std::generic_category().message(error_number));
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case EPERM:
    case EROFS:
    case ELOOP:
    case ENAMETOOLONG:
    case ENXIO: throw Error(message);
    default: throw RuntimeFailure(message);
  }
}

void write_all(const FileDescriptor& file, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written >= 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR) fail_system(path, "write", errno);
  }
}

}  // namespace lacuna
