#include "lacuna/jit/jit.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "lacuna/jit/compiler.h"
#include "lacuna/jit/disk_cache.h"
#include "lacuna/jit/folder.h"
#include "lacuna/jit/hash.h"
#include "lacuna/jit/identity.h"
#include "lacuna/jit/key_lock.h"
#include "lacuna/jit/library.h"
#include "lacuna/support/check.h"
#include "lacuna/support/leftovers.h"

namespace lacuna {
namespace fs = std::filesystem;
namespace {

using Libraries = std::vector<std::string>;

struct HashOfHash {
  std::size_t operator()(const Hash128& hash) const { return hash.low; }
};

Hash128 memory_key(const std::string& code, const std::string& entry) {
  const Hash128 text = hash128(code);
  const Hash128 name = hash128(entry);
  return {text.high ^ name.low, text.low ^ name.high};
}

void check_entry_name(const std::string& entry) {
  const bool is_identifier = !entry.empty() && std::all_of(entry.begin(), entry.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  internal_check(is_identifier, "the entry '{}' of a kernel is no identifier of C", entry);
}

}  // namespace

/// What a caller of load wants.
struct Wanted {
  const std::string& code;
  const std::string& entry;
  const Libraries& libraries;
  const std::function<void()>& before_compiling;
};

struct Jit::State {
  using Kernels = std::unordered_map<Hash128, std::shared_future<CompiledKernel>, HashOfHash>;

  explicit State(JitOptions given) : options(std::move(given)) { tidy(); }

  void tidy() const;
  CompiledKernel make(const Wanted& wanted);
  static std::optional<CompiledKernel> from_disk(const DiskCache& cache, const std::string& key,
                                                 const std::string& entry);
  CompiledKernel from_disk_or_made(const DiskCache& cache, const std::string& key, const Wanted& wanted);
  CompiledKernel made_without_cache(const Wanted& wanted);
  std::string kernel_key(const std::string& code, const std::string& entry);
  void compile_in(const fs::path& folder, const Wanted& wanted) const;
  void keep(const std::string& code, const std::string& entry);
  const DiskCache* open_cache();
  void warn(std::string message);
  static CompiledKernel loaded(const fs::path& path, const std::string& entry, bool from_disk);

  const JitOptions options;
  std::mutex mutex;  // of all below
  Kernels kernels;
  std::vector<std::string> warnings;
  std::optional<std::string> toolchain;  // identity of compiler and processor
  std::optional<DiskCache> cache;
  bool cache_opened = false;
};

namespace {

fs::path temporary_base() {
  std::error_code failed;
  const fs::path base = fs::temp_directory_path(failed);
  return failed ? fs::path("/tmp") : base;
}

}  // namespace

/// Removes what was being compiled by processes that were killed.
void Jit::State::tidy() const {
  remove_leftovers(temporary_base(), TemporaryFolder::prefix);
  if (!options.cache_folder.empty()) remove_leftovers(options.cache_folder, TemporaryFolder::prefix);
}

/// The name of a kernel in the disk cache: the hash of all that its library depends on. These are the version of the
/// ABI, the compiler (its binary's path, size and time of change), the flags, the processor that -march=native means,
/// the text and the entry. Left out: headers and libraries of the system, which kernels use only through stable
/// interfaces, and the environment, which GCC reads only to find files.
std::string Jit::State::kernel_key(const std::string& code, const std::string& entry) {
  std::string tools;
  {
    const std::lock_guard lock(mutex);
    if (!toolchain) {
      const std::optional<std::string> compiler = compiler_identity(options.compiler);
      if (!compiler) throw RuntimeFailure(missing_compiler_message(options.compiler));
      toolchain = *compiler + "\n" + processor_identity();
    }
    tools = *toolchain;
  }
  TextHasher hasher;
  hasher.add(std::to_string(LACUNA_ABI_VERSION));
  hasher.add(tools);
  for (const std::string& flag : options.flags) hasher.add(flag);
  hasher.add(code);
  hasher.add(entry);
  return hasher.finish().to_string();
}

void Jit::State::warn(std::string message) {
  const std::lock_guard lock(mutex);
  if (std::find(warnings.begin(), warnings.end(), message) == warnings.end()) warnings.push_back(std::move(message));
}

const DiskCache* Jit::State::open_cache() {
  if (options.cache_folder.empty()) return nullptr;
  const std::lock_guard lock(mutex);
  if (!cache_opened) {
    cache_opened = true;
    try {
      cache.emplace(options.cache_folder);
    } catch (const UnusableFile& error) {
      warnings.push_back(fmt::format("compiled kernels are not kept: the folder {} cannot be used: {}",
                                     options.cache_folder, error.what()));
    }
  }
  return cache ? &*cache : nullptr;
}

void Jit::State::keep(const std::string& code, const std::string& entry) {
  if (options.keep_folder.empty()) return;
  const fs::path folder = options.keep_folder;
  const fs::path path = folder / fmt::format("{}-{}.c", entry, hash128(code).to_string().substr(0, 12));
  std::error_code failed;
  if (fs::exists(path, failed)) return;
  fs::create_directories(folder, failed);
  try {
    write_new_file(path, code);
  } catch (const UnusableFile& error) {
    warn(fmt::format("the C text of a kernel is not kept: {}", error.what()));
  }
}

void Jit::State::compile_in(const fs::path& folder, const Wanted& wanted) const {
  if (wanted.before_compiling) wanted.before_compiling();
  write_new_file(folder / "kernel.c", wanted.code);
  compile_shared(options.compiler, options.flags, folder / "kernel.c", wanted.libraries, folder / "kernel.so");
}

CompiledKernel Jit::State::loaded(const fs::path& path, const std::string& entry, bool from_disk) {
  LoadedLibrary library = load_library(path, entry);
  CompiledKernel kernel;
  kernel.library_ = std::move(library.handle);
  kernel.entry_ = library.entry;
  kernel.from_disk_ = from_disk;
  return kernel;
}

std::optional<CompiledKernel> Jit::State::from_disk(const DiskCache& disk, const std::string& key,
                                                    const std::string& entry) {
  if (!disk.has(key)) return std::nullopt;
  try {
    return loaded(disk.path_of(key), entry, true);
  } catch (const UnusableFile&) {
    disk.remove(key);  // whole, but not what this system can load: to be made anew
    return std::nullopt;
  }
}

/// Of those who want it at once, ranks on one computer above all, one compiles it, and the others wait for its file.
/// Where that one could not make it, they do not try one after the other.
CompiledKernel Jit::State::from_disk_or_made(const DiskCache& disk, const std::string& key, const Wanted& wanted) {
  if (std::optional<CompiledKernel> found = from_disk(disk, key, wanted.entry)) return std::move(*found);
  KeyLock lock(disk.folder(), key);
  if (std::optional<CompiledKernel> found = from_disk(disk, key, wanted.entry)) return std::move(*found);
  if (lock.has_waited()) lock.release();
  const TemporaryFolder work(disk.folder());
  compile_in(work.path(), wanted);
  disk.store(key, work.path() / "kernel.so");
  return loaded(disk.path_of(key), wanted.entry, false);
}

CompiledKernel Jit::State::made_without_cache(const Wanted& wanted) {
  const fs::path base = temporary_base();
  try {
    const TemporaryFolder work(base);
    compile_in(work.path(), wanted);
    return loaded(work.path() / "kernel.so", wanted.entry, false);
  } catch (const UnusableFile& error) {
    throw RuntimeFailure(fmt::format("a kernel cannot be compiled and loaded in {}: {}; set TMPDIR to another folder",
                                     base.string(), error.what()));
  }
}

CompiledKernel Jit::State::make(const Wanted& wanted) {
  check_entry_name(wanted.entry);
  keep(wanted.code, wanted.entry);
  const std::string key = kernel_key(wanted.code, wanted.entry);
  std::string trouble;
  if (const DiskCache* disk = open_cache()) {
    try {
      return from_disk_or_made(*disk, key, wanted);
    } catch (const UnusableFile& error) {
      trouble = error.what();
    } catch (const RuntimeFailure&) {
      // The compiler failed: for want of space in the folder perhaps, which the second attempt tells from other
      // reasons.
      trouble = "the compiler could not write there";
    }
  }
  CompiledKernel kernel = made_without_cache(wanted);
  if (!trouble.empty()) {
    warn(fmt::format("a compiled kernel is not kept: the folder {} cannot be used: {}", options.cache_folder, trouble));
  }
  return kernel;
}

Jit::Jit(JitOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Jit::~Jit() = default;

CompiledKernel Jit::load(const std::string& code, const std::string& entry, const std::vector<std::string>& libraries,
                         const std::function<void()>& before_compiling) {
  const Hash128 key = memory_key(code, entry);
  std::promise<CompiledKernel> promise;
  std::shared_future<CompiledKernel> known;
  {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->kernels.find(key);
    if (found != state_->kernels.end()) known = found->second;
    else state_->kernels.emplace(key, promise.get_future().share());
  }
  if (known.valid()) {
    CompiledKernel kernel = known.get();  // waits while another thread makes it
    kernel.from_memory_ = true;
    return kernel;
  }
  try {
    CompiledKernel kernel = state_->make({code, entry, libraries, before_compiling});
    promise.set_value(kernel);
    return kernel;
  } catch (...) {
    {
      const std::lock_guard lock(state_->mutex);
      state_->kernels.erase(key);  // the next attempt may succeed
    }
    promise.set_exception(std::current_exception());
    throw;
  }
}

std::vector<std::string> Jit::warnings() const {
  const std::lock_guard lock(state_->mutex);
  return state_->warnings;
}

}  // namespace lacuna
