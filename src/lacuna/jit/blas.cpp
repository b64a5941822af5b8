#include "lacuna/jit/blas.h"

#include <cstdlib>
#include <string_view>

#include <dlfcn.h>
#include <fmt/format.h>

namespace lacuna {
namespace {

constexpr const char* core_switch = "OPENBLAS_CORETYPE";

/// OpenBLAS looks at the environment once, while it is loaded.
void* load() {
  const char* core = std::getenv(core_switch) == nullptr ? blas_core_type() : nullptr;
  if (core != nullptr) setenv(core_switch, core, 0);
  void* handle = dlopen(blas_library, RTLD_NOW | RTLD_LOCAL);
  if (core != nullptr) unsetenv(core_switch);
  return handle;
}

template <typename Function>
Function symbol(void* handle, const char* name) {
  return reinterpret_cast<Function>(dlsym(handle, name));
}

/// Whether threads may call it at the same time.
bool is_safe(void* handle, std::string_view config) {
  const auto parallel = symbol<int (*)()>(handle, "openblas_get_parallel");
  return (parallel != nullptr && parallel() != 0) || config.find("USE_LOCKING") != std::string_view::npos;
}

const Blas* load_blas() {
  const bool is_loaded = dlopen(blas_library, RTLD_NOW | RTLD_NOLOAD) != nullptr;
  void* handle = load();
  if (handle == nullptr) return nullptr;
  static Blas found;
  found.dgemm = symbol<Blas::Dgemm>(handle, "cblas_dgemm");
  Dl_info place;
  if (found.dgemm == nullptr || dladdr(reinterpret_cast<void*>(found.dgemm), &place) == 0) return nullptr;
  found.path = place.dli_fname;
  if (const auto set_threads = symbol<void (*)(int)>(handle, "openblas_set_num_threads"); set_threads && !is_loaded)
    set_threads(1);
  const auto config = symbol<const char* (*)()>(handle, "openblas_get_config");
  const auto core = symbol<const char* (*)()>(handle, "openblas_get_corename");
  std::string_view version = config ? config() : "OpenBLAS";
  if (!is_safe(handle, version)) return nullptr;
  version = version.substr(0, version.find(' ', version.find(' ') + 1));
  found.name = core ? fmt::format("{} ({})", version, core()) : std::string(version);
  return &found;
}

}  // namespace

const char* blas_core_type() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0) return "SkylakeX";
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)
    return __builtin_cpu_is("amd") != 0 ? "Zen" : "Haswell";
#endif
  return nullptr;
}

const Blas* blas() {
  static const Blas* const found = load_blas();  // a library is loaded once into a process, too
  return found;
}

}  // namespace lacuna
