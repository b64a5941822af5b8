#include "lacuna/io/unzipped_file.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/core.h>

#include "lacuna/io/file_descriptor.h"
#include "lacuna/io/gzip.h"
#include "lacuna/support/error.h"
#include "lacuna/support/leftovers.h"

namespace lacuna {
namespace {

FileDescriptor file_without_name(const std::string& path) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error)
    throw RuntimeFailure(fmt::format(
        "cannot decompress {}: there is no folder for temporary files ({}); set TMPDIR to one", path, error.message()));
#if defined(O_TMPFILE)
  FileDescriptor nameless(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (nameless.open()) return nameless;
#endif
  std::string name = (folder / (name_of_this_process("lacuna-") + "XXXXXX")).string();
  FileDescriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.open()) fail_system(name, "write", errno);
  ::unlink(name.c_str());
  return file;
}

}  // namespace

MappedFile unzipped_file(const std::string& path, const MappedFile& compressed) {
  const FileDescriptor file = file_without_name(path);
  GunzipStream stream(path, compressed.bytes());
  std::vector<char> buffer(std::size_t{1} << 20U);
  for (std::size_t size = buffer.size(), released = 0; size == buffer.size();) {
    size = stream.read(buffer.data(), buffer.size());
    write_all(file, path + ", decompressed", {buffer.data(), size});
    compressed.release(released, stream.taken());
    released = stream.taken();
  }
  return {path, file};
}

}  // namespace lacuna
