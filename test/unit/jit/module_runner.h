#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lacuna/codegen/c/print.h"
#include "lacuna/jit/jit.h"
#include "lacuna/jit/threads.h"
#include "lacuna/loop/build.h"
#include "lacuna/loop/interpret.h"
#include "lacuna/loop/layout.h"
#include "lacuna/loop/passes.h"
#include "lacuna/support/error.h"

/// What tests that compile kernels share.
namespace lacuna {

/// A folder for one test, removed with all that is in it.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lacuna-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw RuntimeFailure("no folder for a test");
    path_ = name;
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The flags of kernels but for one: many small kernels compile faster so, and compute the same.
inline std::vector<std::string> quick_c_flags() {
  std::vector<std::string> flags = default_c_flags();
  for (std::string& each : flags) {
    if (each == "-O3") each = "-O1";
  }
  return flags;
}

inline JitOptions without_cache() { return {"cc", quick_c_flags(), "", ""}; }

/// The memory of a kernel that runs in a test. Knows what is still allocated, and can be out of memory on purpose.
class TestContext {
 public:
  explicit TestContext(int threads = 2) {
    context_.state = this;
    context_.allocate = [](void* state, std::size_t bytes, std::int32_t zeroed) {
      auto& self = *static_cast<TestContext*>(state);
      const std::lock_guard lock(self.mutex_);
      if (self.allocations_left_ == 0) return static_cast<void*>(nullptr);
      self.allocations_left_--;
      void* memory = std::malloc(bytes);
      std::memset(memory, zeroed ? 0 : 0xCD, bytes);
      self.live_.insert(memory);
      return memory;
    };
    context_.resize = [](void* state, void* memory, std::size_t bytes) {
      auto& self = *static_cast<TestContext*>(state);
      const std::lock_guard lock(self.mutex_);
      if (self.allocations_left_ == 0) return static_cast<void*>(nullptr);
      self.allocations_left_--;
      self.live_.erase(memory);
      void* moved = std::realloc(memory, bytes);
      self.live_.insert(moved);
      return moved;
    };
    context_.release = [](void* state, void* memory) {
      auto& self = *static_cast<TestContext*>(state);
      const std::lock_guard lock(self.mutex_);
      self.live_.erase(memory);
      std::free(memory);
    };
    context_.parallel_for = parallel_for;
    context_.threads = threads;
  }
  TestContext(const TestContext&) = delete;
  TestContext& operator=(const TestContext&) = delete;
  ~TestContext() {
    for (void* each : live_) std::free(each);
  }
  lacuna_context* get() { return &context_; }
  void fail_after(int allocations) { allocations_left_ = allocations; }
  std::size_t live() const { return live_.size(); }

 private:
  lacuna_context context_{};
  std::mutex mutex_;  // a parallel kernel allocates from several threads at once
  std::set<void*> live_;
  int allocations_left_ = 1 << 30;
};

/// A module whose parameters have no places yet, compiled: parameter k is bound to level k of one descriptor, arrays
/// to its `crd` and int64 scalars to its `origin`. Other scalars become arrays of one element.
class CompiledModule {
 public:
  CompiledModule(loop::Module module, Jit& jit) {
    module.arguments = {"data"};
    std::vector<loop::Stmt> start;
    for (std::size_t k = 0; k < module.parameters.size(); k++) {
      loop::Parameter& each = module.parameters[k];
      each.place = fmt::format("data->levels[{}].crd.data", k);
      if (each.var.type().is_memory()) continue;
      if (each.var.type().scalar == Type::Int64) {
        each.place = fmt::format("data->levels[{}].origin", k);
        continue;
      }
      const loop::Var array(each.var.name() + "_given", loop::array_type(each.var.type().scalar));
      start.push_back(loop::declare(each.var, loop::load(array, 0)));
      each.var = array;
      cells_.insert(k);
    }
    start.push_back(module.body);
    module.body = loop::block(std::move(start));
    loop::verify(module);
    source_ = print_c(loop::outline(loop::partition(module)));
    kernel_ = jit.load(source_.code, source_.entry);
    levels_.resize(module.parameters.size());
  }

  /// Runs on `bindings`; scalars and arrays that the kernel hands out are in `levels()` afterwards.
  std::int32_t run(const std::vector<loop::Binding>& bindings, TestContext& context) {
    std::vector<std::array<std::byte, 16>> values(bindings.size());
    for (std::size_t k = 0; k < bindings.size(); k++) {
      levels_[k] = {};
      levels_[k].crd.data = bindings[k].data;
      if (bindings[k].scalar.type() == Type::Int64) levels_[k].origin = bindings[k].scalar.as<std::int64_t>();
      if (!cells_.contains(k)) continue;
      bindings[k].scalar.store(values[k].data());
      levels_[k].crd.data = values[k].data();
    }
    lacuna_tensor tensor{};
    tensor.version = LACUNA_ABI_VERSION;
    tensor.levels = levels_.data();
    lacuna_tensor* arguments[] = {&tensor};
    return kernel_.entry()(context.get(), arguments);
  }

  const std::vector<lacuna_level>& levels() const { return levels_; }
  const CSource& source() const { return source_; }

 private:
  CSource source_;
  CompiledKernel kernel_;
  std::vector<lacuna_level> levels_;
  std::set<std::size_t> cells_;  // parameters that are arrays of one element
};

}  // namespace lacuna
