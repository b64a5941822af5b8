// The device of CUDA, by libraries that stand in for CUDA's: what it does, and what it says where they fail.

#include <dlfcn.h>

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "cuda/stand_in.h"
#include "lacuna/device/device.h"
#include "lacuna/support/error.h"

namespace lacuna::cuda_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Cuda : testing::Test {
  CudaLibraries libraries{{LACUNA_CUDA_STAND_IN}, {LACUNA_CUDA_STAND_IN}};
  std::shared_ptr<void> library{::dlopen(LACUNA_CUDA_STAND_IN, RTLD_NOW), [](void* handle) {
                                  if (handle != nullptr) ::dlclose(handle);
                                }};
  std::vector<std::string> failing;

  void SetUp() override {
    if (library == nullptr) GTEST_SKIP() << "there is no " << LACUNA_CUDA_STAND_IN;
  }
  template <typename Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(::dlsym(library.get(), name));
  }
  void fail(const std::string& function, int code, int call = 0) {
    failing.push_back(function);
    find<decltype(cuda_stand_in_fails)>("cuda_stand_in_fails")(function.c_str(), code, call);
  }
  void TearDown() override {
    if (library == nullptr) return;
    for (const std::string& each : std::vector<std::string>(failing)) fail(each, 0);
    find<decltype(cuda_stand_in_has_room)>("cuda_stand_in_has_room")(INT64_MAX);
    find<decltype(cuda_stand_in_is)>("cuda_stand_in_is")(90);
    EXPECT_EQ(find<decltype(cuda_stand_in_holds)>("cuda_stand_in_holds")(), 0) << "something was left behind";
  }
  template <typename Run>
  static std::string failure(const Run& run) {
    try {
      run();
    } catch (const RuntimeFailure& error) {
      return error.what();
    }
    return "(it worked)";
  }
};

constexpr const char* doubling = R"(
#define LACUNA_KERNEL(threads) extern "C" __global__ __launch_bounds__(threads)
LACUNA_KERNEL(4) void doubled(int *x, long long n) {
  long long k = blockIdx.x * 4 + threadIdx.x;
  if (k < n) x[k] *= 2;
})";

std::vector<std::int32_t> read(Device& device, const void* memory, std::int64_t offset, std::size_t count) {
  std::vector<std::int32_t> got(count, -1);
  device.read(memory, offset, got.data(), static_cast<std::int64_t>(count * sizeof got[0]));
  return got;
}

TEST_F(Cuda, CopiesFillsAndRuns) {
  const std::unique_ptr<Device> device = open_cuda(0, libraries);
  EXPECT_EQ(device->name(), "a stand-in for CUDA");
  const std::vector<std::int32_t> numbers = {1, 2, 3, 4, 5, 6};
  void* a = device->allocate(24, false);
  void* b = device->allocate(24, true);
  device->write(a, numbers.data(), 24);
  const std::shared_ptr<DeviceProgram> program = device->build(doubling);
  const std::vector<DeviceArgument> arguments = {{true, a, {}}, {false, nullptr, Scalar(std::int64_t{5})}};
  device->launch(*program, "doubled", 2, 4, arguments);
  EXPECT_THAT(read(*device, a, 0, 6), ElementsAre(2, 4, 6, 8, 10, 6));
  device->copy(a, b, 12);
  EXPECT_THAT(read(*device, b, 4, 5), ElementsAre(4, 6, 0, 0, 0));
  device->release(a);
  device->release(b);
}

TEST_F(Cuda, TakesPtxForDevicesThatTheCompilerDoesNotKnow) {
  find<decltype(cuda_stand_in_is)>("cuda_stand_in_is")(100);
  const std::unique_ptr<Device> newer = open_cuda(0, libraries);
  EXPECT_NE(newer->build(doubling), nullptr);
  find<decltype(cuda_stand_in_is)>("cuda_stand_in_is")(70);
  const std::unique_ptr<Device> older = open_cuda(0, libraries);
  EXPECT_THAT(failure([&] { older->build(doubling); }), HasSubstr("compiles for no device of compute capability 7.0"));
}

TEST_F(Cuda, SaysWhatIsMissing) {
  EXPECT_THAT(failure([] { open_cuda(0, {{"libno-such-driver.so"}, {}}); }), HasSubstr("there is no CUDA here"));
  EXPECT_THAT(failure([&] {
                open_cuda(0, {libraries.driver, {"libno-such-compiler.so"}});
              }),
              HasSubstr("there is no NVRTC here"));
  EXPECT_THAT(failure([&] { open_cuda(1, libraries); }), HasSubstr("CUDA has no device 1 here: there are 1"));
  fail("cuInit", 100);
  EXPECT_EQ(failure([&] { open_cuda(0, libraries); }), "CUDA cannot start: CUDA_ERROR_NO_DEVICE (100)");
}

TEST_F(Cuda, LeavesNothingBehindWhereItCannotBeOpened) {
  for (const char* each : {"cuDeviceGetCount", "cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuDeviceGetAttribute",
                           "cuCtxPushCurrent", "cuDeviceGetDefaultMemPool", "cuStreamCreate"}) {
    fail(each, 1);
    EXPECT_THAT(failure([&] { open_cuda(0, libraries); }), HasSubstr("CUDA_ERROR_INVALID_VALUE (1)")) << each;
    fail(each, 0);
  }
}

TEST_F(Cuda, HasNoMemoryForWhatIsTooLarge) {
  const std::unique_ptr<Device> device = open_cuda(0, libraries);
  find<decltype(cuda_stand_in_has_room)>("cuda_stand_in_has_room")(100);
  EXPECT_EQ(device->allocate(101, false), nullptr);
  void* all = device->allocate(100, true);
  EXPECT_NE(all, nullptr);
  device->release(all);
}

TEST_F(Cuda, SaysWhatFailed) {
  const std::unique_ptr<Device> device = open_cuda(0, libraries);
  void* x = device->allocate(8, false);
  std::int64_t number = 0;
  const std::shared_ptr<DeviceProgram> program = device->build(doubling);
  const std::vector<DeviceArgument> arguments = {{true, x, {}}, {false, nullptr, Scalar(std::int64_t{2})}};
  const auto launch = [&] { device->launch(*program, "doubled", 1, 4, arguments); };
  struct Case {
    const char* function;
    std::function<void()> run;
    const char* says;
  };
  const std::vector<Case> cases = {
      {"cuMemAllocAsync", [&] { device->allocate(8, false); }, "allocate 8 bytes"},
      {"cuMemcpyHtoDAsync", [&] { device->write(x, &number, 8); }, "copy 8 bytes to the device"},
      {"cuMemcpyDtoHAsync", [&] { device->read(x, 0, &number, 8); }, "copy 8 bytes from the device"},
      {"cuStreamSynchronize", [&] { device->read(x, 0, &number, 8); }, "copy 8 bytes from the device"},
      {"cuMemcpyDtoDAsync", [&] { device->copy(x, x, 8); }, "copy 8 bytes on the device"},
      {"cuModuleGetFunction", launch, "find doubled"},
      {"cuLaunchKernel", launch, "run doubled on 1 blocks of 4 threads"},
      {"cuModuleLoadData", [&] { device->build(doubling); }, "load a program"},
  };
  for (const Case& each : cases) {
    fail(each.function, 700);
    EXPECT_EQ(failure(each.run), fmt::format("CUDA cannot {}: CUDA_ERROR_ILLEGAL_ADDRESS (700)", each.says));
    fail(each.function, 0);
  }
  EXPECT_THAT(failure([&] { device->launch(*program, "tripled", 1, 4, arguments); }), HasSubstr("find tripled"));
  device->release(x);
}

TEST_F(Cuda, SaysWhatIsWrongWithAProgram) {
  const std::unique_ptr<Device> device = open_cuda(0, libraries);
  try {
    device->build("void f(int *x) { y[0] = 1; }");
    ADD_FAILURE() << "it was accepted";
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(), HasSubstr("NVRTC refuses a program"));
    EXPECT_THAT(error.what(), HasSubstr("y[0] = 1"));
  }
}

}  // namespace
}  // namespace lacuna::cuda_test
