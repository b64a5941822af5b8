#include "lacuna/io/mapped_file.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lacuna/io/file_descriptor.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

FileDescriptor opened(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) fail_system(path, "read", errno);
  return file;
}

std::shared_ptr<std::string> read_all(const std::string& path, const FileDescriptor& file) {
  auto contents = std::make_shared<std::string>();
  std::array<char, 1U << 16U> buffer;
  while (true) {
    const ssize_t size = ::read(file.get(), buffer.data(), buffer.size());
    if (size == 0) return contents;
    if (size > 0) contents->append(buffer.data(), static_cast<std::size_t>(size));
    else if (errno != EINTR) fail_system(path, "read", errno);
  }
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : MappedFile(path, opened(path)) {}

MappedFile::MappedFile(const std::string& name, const FileDescriptor& file) {
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) fail_system(name, "read", errno);
  if (S_ISDIR(status.st_mode)) user_error("cannot read {}: it is a folder, not a file", name);
  is_pipe_ = !S_ISREG(status.st_mode);
  // Files of /proc and the like say that they are empty.
  if (!S_ISREG(status.st_mode) || status.st_size == 0) {
    const auto contents = read_all(name, file);
    bytes_ = *contents;
    owner_ = contents;
    return;
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) fail_system(name, "read", errno);
  owner_ = std::shared_ptr<const void>(memory, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
  bytes_ = {static_cast<const char*>(memory), size};
  mapped_ = true;
  ::madvise(memory, size, MADV_WILLNEED);
}

void MappedFile::release(std::size_t begin, std::size_t end) const {
  if (!mapped_) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t first = (begin + page - 1) / page * page, last = end / page * page;
  if (first < last) ::madvise(const_cast<char*>(bytes_.data()) + first, last - first, MADV_DONTNEED);
}

}  // namespace lacuna
