#include <algorithm>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "lacuna/device/cuda_functions.h"
#include "lacuna/device/device.h"
#include "lacuna/support/error.h"

// One stream, which keeps the order, in the primary context. Memory comes from the device's pool in that order, too, so
// that released memory is reused without synchronization.
namespace lacuna {
namespace {

using cuda::Handle;

// Attributes of a device and of its pool, by their numbers in the driver's header.
constexpr int capability_major = 75, capability_minor = 76, has_memory_pools = 115, release_threshold = 4;
constexpr unsigned stream_beside_others = 1;  // CU_STREAM_NON_BLOCKING

/// The context is the current one of this thread for a while.
class InContext {
 public:
  InContext(const cuda::Driver& driver, Handle context) : driver_(driver) {
    driver.check(driver.cuCtxPushCurrent(context), "use its context");
  }
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;
  ~InContext() {
    Handle popped = nullptr;
    driver_.cuCtxPopCurrent(&popped);
  }

 private:
  const cuda::Driver& driver_;
};

/// A device's primary context, for as long as something needs it.
struct Context {
  Context(cuda::Driver with, int of) : driver(std::move(with)), device(of) {
    driver.check(driver.cuDevicePrimaryCtxRetain(&handle, device), "use the device");
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { driver.cuDevicePrimaryCtxRelease(device); }

  cuda::Driver driver;
  int device;
  Handle handle = nullptr;
};

class CudaProgram : public DeviceProgram {
 public:
  CudaProgram(std::shared_ptr<const Context> context, const std::string& code) : context_(std::move(context)) {
    const InContext current(driver(), context_->handle);
    driver().check(driver().cuModuleLoadData(&module_, code.data()), "load a program");
  }
  ~CudaProgram() override {
    if (driver().cuCtxPushCurrent(context_->handle) != cuda::success) return;
    driver().cuModuleUnload(module_);
    Handle popped = nullptr;
    driver().cuCtxPopCurrent(&popped);
  }
  Handle function(const std::string& name) {
    const auto known = functions_.find(name);
    if (known != functions_.end()) return known->second;
    Handle found = nullptr;
    driver().check(driver().cuModuleGetFunction(&found, module_, name.c_str()), "find " + name);
    return functions_.emplace(name, found).first->second;
  }

 private:
  const cuda::Driver& driver() const { return context_->driver; }

  std::shared_ptr<const Context> context_;
  Handle module_ = nullptr;
  std::map<std::string, Handle> functions_;
};

/// The values of a launch, side by side.
class Values {
 public:
  explicit Values(std::span<const DeviceArgument> arguments) : values_(arguments.size()), places_(arguments.size()) {
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      places_[k] = values_[k].bytes;
      if (arguments[k].is_memory) {
        std::memcpy(places_[k], &arguments[k].memory, sizeof arguments[k].memory);
      } else {
        visit_type(arguments[k].scalar.type(), [&](auto zero) {
          const auto value = arguments[k].scalar.as<decltype(zero)>();
          std::memcpy(places_[k], &value, sizeof value);
        });
      }
    }
  }
  void** places() { return places_.data(); }

 private:
  struct Value {
    alignas(16) unsigned char bytes[16] = {};
  };
  std::vector<Value> values_;
  std::vector<void*> places_;
};

class Cuda : public Device {
 public:
  Cuda(cuda::Driver driver, cuda::Compiler compiler, int device)
      : compiler_(std::move(compiler)), context_(std::make_shared<const Context>(std::move(driver), device)) {
    capability_ = 10 * attribute(capability_major) + attribute(capability_minor);
    if (attribute(has_memory_pools) == 0)
      throw RuntimeFailure(fmt::format("{} has no memory pools: its driver is too old", name()));
    const InContext current(this->driver(), context_->handle);
    this->driver().check(this->driver().cuDeviceGetDefaultMemPool(&pool_, device), "use its memory");
    // Others may use the pool, too: they find it as it was.
    this->driver().check(this->driver().cuMemPoolGetAttribute(pool_, release_threshold, &kept_before_), "keep memory");
    std::uint64_t everything = UINT64_MAX;
    this->driver().check(this->driver().cuMemPoolSetAttribute(pool_, release_threshold, &everything), "keep memory");
    this->driver().check(this->driver().cuStreamCreate(&stream_, stream_beside_others), "make a stream");
  }
  ~Cuda() override {
    if (driver().cuCtxPushCurrent(context_->handle) != cuda::success) return;
    driver().cuStreamSynchronize(stream_);
    driver().cuStreamDestroy(stream_);
    driver().cuMemPoolSetAttribute(pool_, release_threshold, &kept_before_);
    driver().cuMemPoolTrimTo(pool_, kept_before_);
    Handle popped = nullptr;
    driver().cuCtxPopCurrent(&popped);
  }

  DeviceLanguage language() const override { return DeviceLanguage::Cuda; }
  std::string name() const override {
    char text[256] = "";
    driver().cuDeviceGetName(text, static_cast<int>(sizeof text) - 1, context_->device);
    return text;
  }

  std::shared_ptr<DeviceProgram> build(const std::string& text) override {
    return std::make_shared<CudaProgram>(context_, cuda::compiled(compiler_, text, capability_));
  }

  void* allocate(std::int64_t bytes, bool zeroed) override {
    const InContext current(driver(), context_->handle);
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
    cuda::Pointer memory = 0;
    int code = driver().cuMemAllocAsync(&memory, size, stream_);
    if (code == cuda::out_of_memory) {  // what was released may be in pieces that are too small
      synchronize("wait for memory");
      driver().cuMemPoolTrimTo(pool_, 0);
      code = driver().cuMemAllocAsync(&memory, size, stream_);
    }
    if (code == cuda::out_of_memory) return nullptr;
    driver().check(code, fmt::format("allocate {} bytes", bytes));
    if (zeroed) {
      code = driver().cuMemsetD8Async(memory, 0, size, stream_);
      if (code != cuda::success) driver().cuMemFreeAsync(memory, stream_);
      driver().check(code, "fill memory");
    }
    return reinterpret_cast<void*>(memory);
  }
  /// After a failure, nothing is left to say, and releasing fails, too.
  void release(void* memory) override {
    if (driver().cuCtxPushCurrent(context_->handle) != cuda::success) return;
    driver().cuMemFreeAsync(pointer(memory), stream_);
    Handle popped = nullptr;
    driver().cuCtxPopCurrent(&popped);
  }
  void write(void* memory, const void* from, std::int64_t bytes) override {
    if (bytes == 0) return;
    const InContext current(driver(), context_->handle);
    const std::string what = fmt::format("copy {} bytes to the device", bytes);
    driver().check(driver().cuMemcpyHtoDAsync(pointer(memory), from, static_cast<std::size_t>(bytes), stream_), what);
    synchronize(what);
  }
  void read(const void* memory, std::int64_t offset, void* to, std::int64_t bytes) override {
    if (bytes == 0) return;
    const InContext current(driver(), context_->handle);
    const std::string what = fmt::format("copy {} bytes from the device", bytes);
    const cuda::Pointer from = pointer(memory) + static_cast<cuda::Pointer>(offset);
    driver().check(driver().cuMemcpyDtoHAsync(to, from, static_cast<std::size_t>(bytes), stream_), what);
    synchronize(what);
  }
  void copy(const void* from, void* to, std::int64_t bytes) override {
    if (bytes == 0) return;
    const InContext current(driver(), context_->handle);
    driver().check(driver().cuMemcpyDtoDAsync(pointer(to), pointer(from), static_cast<std::size_t>(bytes), stream_),
                   fmt::format("copy {} bytes on the device", bytes));
  }

  void launch(DeviceProgram& program, const std::string& function, std::int64_t blocks, std::int64_t threads,
              std::span<const DeviceArgument> arguments) override {
    const InContext current(driver(), context_->handle);
    const std::string what = fmt::format("run {} on {} blocks of {} threads", function, blocks, threads);
    constexpr std::int64_t most_blocks = (std::int64_t{1} << 31) - 1;
    if (blocks > most_blocks)
      throw RuntimeFailure(fmt::format("CUDA cannot {}: there are {} at most", what, most_blocks));
    Values values(arguments);
    const Handle found = static_cast<CudaProgram&>(program).function(function);
    driver().check(driver().cuLaunchKernel(found, static_cast<unsigned>(blocks), 1, 1, static_cast<unsigned>(threads),
                                           1, 1, 0, stream_, values.places(), nullptr),
                   what);
  }
  void wait() override {
    const InContext current(driver(), context_->handle);
    synchronize("finish its programs");
  }

 private:
  const cuda::Driver& driver() const { return context_->driver; }
  static cuda::Pointer pointer(const void* memory) { return reinterpret_cast<cuda::Pointer>(memory); }
  void synchronize(const std::string& what) const { driver().check(driver().cuStreamSynchronize(stream_), what); }
  int attribute(int number) const {
    int value = 0;
    driver().check(driver().cuDeviceGetAttribute(&value, number, context_->device), "say what the device can do");
    return value;
  }

  cuda::Compiler compiler_;
  std::shared_ptr<const Context> context_;
  int capability_ = 0;
  Handle pool_ = nullptr, stream_ = nullptr;
  std::uint64_t kept_before_ = 0;  // bytes that the pool kept
};

int count_of(const cuda::Driver& driver) {
  int count = 0;
  driver.check(driver.cuInit(0), "start");
  driver.check(driver.cuDeviceGetCount(&count), "count its devices");
  return count;
}

}  // namespace

int count_cuda(const CudaLibraries& libraries) { return count_of(cuda::open_driver(libraries.driver)); }

std::unique_ptr<Device> open_cuda(int number, const CudaLibraries& libraries) {
  cuda::Driver driver = cuda::open_driver(libraries.driver);
  const int count = count_of(driver);
  int device = 0;
  if (number < 0 || number >= count)
    throw RuntimeFailure(fmt::format("CUDA has no device {} here: there are {}", number, count));
  driver.check(driver.cuDeviceGet(&device, number), "find its devices");
  return std::make_unique<Cuda>(std::move(driver), cuda::open_compiler(libraries.compiler), device);
}

}  // namespace lacuna
