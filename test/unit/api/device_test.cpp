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

TEST_F(OnDevice, RunsForTheProcessorsOfAMachine) {
  const Machine two{Grid(2).of(ProcessorKind::Gpu)};
  y.evaluate({.machine = two, .device = device});
  EXPECT_EQ(y.at({2}), 500.0);
  y(i) = 2 * A(i, j) * x(j);
  y.evaluate({.machine = two, .devices = {device, device}});
  EXPECT_EQ(y.at({2}), 1000.0);
}

TEST_F(OnDevice, IsOneOrSeveral) {
  const auto refusal = [&](const EvaluateOptions& options) -> std::string {
    try {
      y.evaluate(options);
    } catch (const Error& error) {
      return error.what();
    }
    return "(accepted)";
  };
  EXPECT_THAT(refusal({.device = device, .devices = {device}}), HasSubstr("one device or, on a machine, several"));
  EXPECT_THAT(refusal({.devices = {nullptr, nullptr}}), HasSubstr("none of the 2 devices was opened"));
  EXPECT_THAT(refusal({.machine = Machine{Grid(2).of(ProcessorKind::Gpu)}}), HasSubstr("are GPUs"));
}

}  // namespace
}  // namespace lacuna::api_device_test
