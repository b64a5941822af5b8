#include "lacuna/jit/library.h"

#include <dlfcn.h>

#include "lacuna/jit/folder.h"

namespace lacuna {
namespace {

std::string load_error() {
  const char* message = ::dlerror();
  return message ? message : "the system gives no reason";
}

}  // namespace

LoadedLibrary load_library(const std::filesystem::path& path, const std::string& entry) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw UnusableFile(load_error());
  LoadedLibrary library;
  library.handle = std::shared_ptr<void>(handle, [](void* each) { ::dlclose(each); });
  library.entry = reinterpret_cast<lacuna_entry>(::dlsym(handle, entry.c_str()));
  if (library.entry == nullptr) throw UnusableFile(load_error());
  return library;
}

}  // namespace lacuna
