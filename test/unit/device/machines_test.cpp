// Statements that several devices compute, each a processor of a machine.

#include <dlfcn.h>

#include "cuda/stand_in.h"
#include "distributed/on_machine.h"
#include "distributed/spdistal_kernels.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "unit/device/on_device.h"

namespace lacuna::device_machines_test {
namespace {

using on_device::emulated;
using on_device::sparse;
using testing::HasSubstr;

struct DeviceMachines : testing::Test {
  std::unique_ptr<Communicator> ranks = alone();
  Engine engine{JitOptions{"cc", default_c_flags(), "", ""}};
  std::map<std::string, std::int64_t> extents = {{"i", 29}, {"j", 31}, {"k", 9}, {"l", 6}};

  void SetUp() override { test_ranks() = ranks.get(); }

  static Options with(std::vector<std::shared_ptr<Device>> devices) {
    Options options;
    options.target.device = devices.front()->language();
    options.target.on = devices.front();
    options.target.devices = std::move(devices);
    return options;
  }
  static std::vector<std::shared_ptr<Device>> stand_ins(int count) {
    const std::shared_ptr<void> library(::dlopen(LACUNA_CUDA_STAND_IN, RTLD_NOW), ::dlclose);
    const auto has = [&](int devices) {
      reinterpret_cast<decltype(cuda_stand_in_has_devices)*>(::dlsym(library.get(), "cuda_stand_in_has_devices"))(
          devices);
    };
    has(count);
    std::vector<std::shared_ptr<Device>> devices =
        open_devices(DeviceLanguage::Cuda, {}, {{LACUNA_CUDA_STAND_IN}, {LACUNA_CUDA_STAND_IN}});
    has(1);
    return devices;
  }
  /// In how it differs from the definition, empty where it does not; twice, by a plan that is kept.
  std::string difference(const DistributedRequest& request, const Options& options) {
    PreparedOnMachine prepared;
    std::string all;
    for (int n = 0; n < 2; ++n) {
      const DistributedTensor result = prepared.run(engine, request, *ranks, options);
      all += wrong(request.request, gathered(result, *ranks, Recipients::All), 1e-12).value_or("");
    }
    return all;
  }
  std::string refusal(const DistributedRequest& request, const Options& options) {
    try {
      run_distributed(engine, request, *ranks, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "(accepted)";
  }
};

/// SpDISTAL's kernels (section VI), by rows and by non-zeros, with the loops of each device.
TEST_F(DeviceMachines, RunSpDistalsKernels) {
  const Options cuda = with(stand_ins(3));
  for (const SpDistalKernel& each : spdistal_kernels({"csr", 120}, {"csf", 160})) {
    std::vector<std::string> schedules{each.by_rows + ", parallelize(ii,GPUThread)"};
    if (!each.by_nonzeros.empty()) schedules.push_back(each.by_nonzeros + ", parallelize(fpi,GPUThread,Atomics)");
    for (const std::string& schedule : schedules) {
      const DistributedRequest request =
          on_machine(random_request(each.statement, each.operands, extents), "Grid(4) of gpus", {}, schedule);
      EXPECT_EQ(difference(request, emulated()), "") << each.statement << schedule;
      EXPECT_EQ(difference(request, cuda), "") << each.statement << schedule;
    }
  }
}

TEST_F(DeviceMachines, RunOnOpenCl) {
  std::string reason;
  if (some_device(&reason) == nullptr) GTEST_SKIP() << reason;
  const Options options = with(open_devices(DeviceLanguage::OpenCl, {0, 1}));
  const DistributedRequest request =
      on_machine(random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 120}}, {"c", {"dense", -1}}}, extents),
                 "Grid(2) of gpus", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}}, "");
  EXPECT_EQ(difference(request, options), "");
}

/// DISTAL's machine of nodes with four GPUs each (Figure 2): Cannon's algorithm between nodes, rows of a tile within.
TEST_F(DeviceMachines, OfSeveralLevelsHaveGpusInNodes) {
  const Request gemm = random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"dense", -1}}},
                                      {{"i", 16}, {"j", 12}, {"k", 14}});
  const std::map<std::string, std::string> tiles = {{"A", "xy -> xy"}, {"B", "xy -> xy"}, {"C", "xy -> xy"}};
  const DistributedRequest request =
      on_machine(gemm, "Grid(2,2),Grid(4) of gpus", tiles,
                 "distribute({i,j},{io,jo},{ii,ji},M[0]), divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), "
                 "rotate(ko,{io,jo},kos), communicate(A,jo), communicate({B,C},kos), "
                 "distribute({ii},{iio},{iii},M[1]), parallelize(iii,GPUBlock), parallelize(ji,GPUThread)");
  EXPECT_EQ(difference(request, emulated()), "");
  EXPECT_EQ(difference(request, with(stand_ins(4))), "");
}

/// Sums of steps and tasks, and sparse results that are merged.
TEST_F(DeviceMachines, AddUp) {
  const std::string statement = "A(i,l) = B(i,j) * C(j,l)", along_j = "distribute({j},{jo},{ji},M)";
  const std::map<std::string, std::string> placed = {{"B", "xy -> y"}, {"C", "xy -> x"}};
  const Options cuda = with(stand_ins(2));
  const DistributedRequest in_steps =
      on_machine(random_request(statement, {{"B", {"csr", 120}}, {"C", {"dense", -1}}}, extents), "Grid(3) of gpus",
                 placed, along_j + ", split(i,io,ii,10), reorder(jo,io,ii,ji,l), communicate({A,B},io)");
  const DistributedRequest merged =
      on_machine(random_request(statement, {{"B", {"csr", 120}}, {"C", {"csr", 60}}}, extents, "csr"),
                 "Grid(3) of gpus", placed, along_j);
  for (const DistributedRequest& request : {in_steps, merged}) {
    EXPECT_EQ(difference(request, emulated()), "");
    EXPECT_EQ(difference(request, cuda), "");
  }
}

TEST_F(DeviceMachines, AreRefusedWithoutDevices) {
  const DistributedRequest request =
      on_machine(random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 120}}, {"c", {"dense", -1}}}, extents),
                 "Grid(2) of gpus", {}, "distribute({i},{io},{ii},M)");
  EXPECT_THAT(refusal(request, interpreted()), HasSubstr("the processors of Grid(2) of gpus are GPUs"));
  Options missing = with(stand_ins(2));
  missing.target.devices[1] = nullptr;
  EXPECT_THAT(refusal(request, missing), HasSubstr("processor 1 runs on device 1 of 2, which was not opened"));
}

TEST_F(DeviceMachines, OpenWhatTheirProcessorsNeed) {
  const std::vector<std::shared_ptr<Device>> all = stand_ins(3);
  EXPECT_EQ(all.size(), 3U);
  for (const auto& each : all) EXPECT_NE(each, nullptr);
  std::string reason;
  if (some_device(&reason) == nullptr) GTEST_SKIP() << reason;
  const int count = count_opencl();
  const std::vector<std::shared_ptr<Device>> some = open_devices(DeviceLanguage::OpenCl, {count});
  ASSERT_EQ(some.size(), static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < some.size(); ++k) EXPECT_EQ(some[k] != nullptr, k == 0);
  EXPECT_THROW(open_opencl(count), RuntimeFailure);
}

}  // namespace
}  // namespace lacuna::device_machines_test
