#include "sweep/sweep.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace lacuna::sweep::sweep_test {
namespace {

constexpr std::int64_t sampled = 250;  // combinations of a statement without LACUNA_SWEEP=full

bool full() {
  const char* wanted = std::getenv("LACUNA_SWEEP");
  return wanted != nullptr && std::string(wanted) == "full";
}

/// All combinations, or a sample that strides through them with a step prime to their number.
std::vector<std::int64_t> chosen(std::int64_t total) {
  std::vector<std::int64_t> numbers;
  const std::int64_t count = full() ? total : std::min(total, sampled);
  for (std::int64_t k = 0; k < count; ++k) numbers.push_back(full() ? k : k * 7919 % total);
  return numbers;
}

Target interpreter() {
  Target target;
  target.backend = Target::Backend::Interpreter;
  return target;
}

void expect_right(const Sweep& sweep, const Outcome& outcome) {
  std::cout << sweep.text << ": " << outcome.tried - static_cast<std::int64_t>(outcome.wrong.size()) << " of "
            << outcome.tried << " right\n";
  for (std::size_t k = 0; k < outcome.wrong.size() && k < 20; ++k)
    ADD_FAILURE() << sweep.text << "  " << outcome.wrong[k];
}

class EveryCombination : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryCombination, IsRightInTheInterpreter) {
  const Sweep sweep = sweeps()[GetParam()];
  Engine engine(jit_options(Environment{}));
  expect_right(sweep, run(sweep, chosen(sweep.combinations()), engine, interpreter(), full() ? 2 : 1));
}
INSTANTIATE_TEST_SUITE_P(Sweep, EveryCombination, testing::Range(std::size_t{0}, sweeps().size()));

/// The same by programs for a device, which the interpreter emulates.
class DeviceCombination : public testing::TestWithParam<std::size_t> {};

TEST_P(DeviceCombination, IsRightInTheInterpreter) {
  const Sweep sweep = sweeps()[GetParam()];
  Engine engine(jit_options(Environment{}));
  Target target = interpreter();
  target.device = DeviceLanguage::Cuda;
  expect_right(sweep, run(sweep, chosen(sweep.combinations()), engine, target, full() ? 2 : 1));
}
INSTANTIATE_TEST_SUITE_P(Sweep, DeviceCombination, testing::Range(std::size_t{0}, sweeps().size()));

/// By the first device of OpenCL. Its compiler takes a while for each.
class DeviceCover : public testing::TestWithParam<std::size_t> {};

TEST_P(DeviceCover, IsRightByOpenCl) {
  if (!full()) GTEST_SKIP() << "runs with LACUNA_SWEEP=full";
  const Sweep sweep = sweeps()[GetParam()];
  Engine engine(jit_options(Environment{}));
  Target target;
  target.device = DeviceLanguage::OpenCl;
  try {
    target.on = open_opencl();
  } catch (const RuntimeFailure& failure) {
    GTEST_SKIP() << failure.what();
  }
  expect_right(sweep, run(sweep, pairwise_cover(sweep), engine, target, 1));
}
INSTANTIATE_TEST_SUITE_P(Sweep, DeviceCover, testing::Range(std::size_t{0}, sweeps().size()));

class DynamicCombination : public testing::TestWithParam<std::size_t> {};

TEST_P(DynamicCombination, IsRightInTheInterpreter) {
  const Sweep sweep = dynamic_sweeps()[GetParam()];
  Engine engine(jit_options(Environment{}));
  expect_right(sweep, run(sweep, chosen(sweep.combinations()), engine, interpreter(), 1));
}
INSTANTIATE_TEST_SUITE_P(Sweep, DynamicCombination, testing::Range(std::size_t{0}, dynamic_sweeps().size()));

class PairwiseCover : public testing::TestWithParam<std::size_t> {};

TEST_P(PairwiseCover, IsRightWhenCompiled) {
  const Sweep sweep = sweeps()[GetParam()];
  JitOptions options = jit_options(Environment{});
  // Hundreds of tiny kernels: compiling them quickly matters, running them does not.
  for (std::string& flag : options.flags)
    if (flag == "-O3" || flag == "-O2") flag = "-O0";
  Engine engine(options);
  expect_right(sweep, run(sweep, pairwise_cover(sweep), engine, Target(), 1));
}
INSTANTIATE_TEST_SUITE_P(Sweep, PairwiseCover, testing::Range(std::size_t{0}, sweeps().size()));

}  // namespace
}  // namespace lacuna::sweep::sweep_test
