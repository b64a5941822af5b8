#include <limits>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>

#include "unit/device/some_device.h"

namespace lacuna::opencl_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct OpenCl : testing::Test {
  std::string reason;
  std::shared_ptr<Device> device = some_device(&reason);

  void SetUp() override {
    if (device == nullptr) GTEST_SKIP() << reason;
  }
  std::vector<std::int32_t> read(const void* memory, std::int64_t offset, std::size_t count) const {
    std::vector<std::int32_t> got(count, -1);
    device->read(memory, offset, got.data(), static_cast<std::int64_t>(count * sizeof got[0]));
    return got;
  }
};

constexpr const char* doubling = R"(
__kernel __attribute__((reqd_work_group_size(4, 1, 1))) void doubled(__global int *x, long n) {
  long k = get_group_id(0) * 4 + get_local_id(0);
  if (k < n) x[k] *= 2;
})";

TEST_F(OpenCl, CopiesAndFillsMemory) {
  const std::vector<std::int32_t> numbers = {1, 2, 3, 4, 5};
  void* a = device->allocate(20, false);
  void* b = device->allocate(20, true);
  device->write(a, numbers.data(), 20);
  EXPECT_THAT(read(b, 0, 5), testing::Each(0));
  device->copy(a, b, 12);
  EXPECT_THAT(read(b, 0, 5), ElementsAre(1, 2, 3, 0, 0));
  EXPECT_THAT(read(a, 12, 2), ElementsAre(4, 5));
  device->release(a);
  device->release(b);
}

TEST_F(OpenCl, RunsFunctions) {
  const std::vector<std::int32_t> numbers = {1, 2, 3, 4, 5, 6};
  void* x = device->allocate(24, false);
  device->write(x, numbers.data(), 24);
  const std::shared_ptr<DeviceProgram> program = device->build(doubling);
  const std::vector<DeviceArgument> arguments = {{true, x, {}}, {false, nullptr, Scalar(std::int64_t{5})}};
  device->launch(*program, "doubled", 2, 4, arguments);
  device->launch(*program, "doubled", 2, 4, arguments);
  EXPECT_THAT(read(x, 0, 6), ElementsAre(4, 8, 12, 16, 20, 6));
  device->release(x);
}

TEST_F(OpenCl, HasNoMemoryForWhatIsTooLarge) {
  EXPECT_EQ(device->allocate(std::numeric_limits<std::int64_t>::max() / 4, false), nullptr);
  void* nothing = device->allocate(0, true);
  EXPECT_NE(nothing, nullptr);
  device->release(nothing);
}

TEST_F(OpenCl, SaysWhatIsWrongWithAProgram) {
  try {
    device->build("__kernel void f(__global int *x) { y[0] = 1; }");
    ADD_FAILURE() << "it was accepted";
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(), HasSubstr("OpenCL refuses a program"));
    EXPECT_THAT(error.what(), HasSubstr("y[0] = 1"));
  }
}

TEST_F(OpenCl, NamesTheDevicesThatThereAre) {
  try {
    open_opencl("no device is called so");
    ADD_FAILURE() << "it was opened";
  } catch (const RuntimeFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("no device 'no device is called so' here; there is " + device->name()));
  }
}

}  // namespace
}  // namespace lacuna::opencl_test
