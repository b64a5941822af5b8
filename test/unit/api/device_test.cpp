#include <gmock/gmock.h>

#include "lacuna/api/lacuna.h"
#include "unit/device/some_device.h"

namespace lacuna::api_device_test {
namespace {

using testing::HasSubstr;

struct OnDevice : testing::Test {
  std::string reason;
  std::shared_ptr<Device> device = some_device(&reason);
  IndexVar i{"i"}, j{"j"};
  Tensor<double> A{{3, 4}, csr_format()}, x{std::vector<std::int64_t>{4}}, y;

  void SetUp() override {
    if (device == nullptr) GTEST_SKIP() << reason;
    A.insert({0, 1}, 2.0);
    A.insert({2, 3}, 5.0);
    x.insert({1}, 10.0);
    x.insert({3}, 100.0);
    y(i) = A(i, j) * x(j);
  }
};

TEST_F(OnDevice, RunsWhatIsEvaluated) {
  y.evaluate({.device = device});
  EXPECT_EQ(y.at({0}), 20.0);
  EXPECT_EQ(y.at({1}), 0.0);
  EXPECT_EQ(y.at({2}), 500.0);
}

TEST_F(OnDevice, IsRefusedWithAMachine) {
  try {
    y.evaluate({.machine = Machine(Grid(2)), .device = device});
    ADD_FAILURE() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("without a machine, or without the device"));
  }
}

}  // namespace
}  // namespace lacuna::api_device_test
