#include "unit/dynamic/lower/histories.h"

#include <gtest/gtest.h>

// The functions of the built-in levels, under random histories in the checking interpreter.
namespace lacuna::dynamic::histories_test {
namespace {

class LevelHistories : public testing::TestWithParam<std::string> {};

TEST_P(LevelHistories, AgreeWithMapsAsTheFileIs) {
  LevelMachine machine(level_text(GetParam()), GetParam());
  run_history(machine, 1, {.coordinates = 60, .steps = 200});
  LevelMachine larger(level_text(GetParam()), GetParam());
  run_history(larger, 2, {.coordinates = 2000, .steps = 3000, .trees = 1, .check_each = false});
}

TEST_P(LevelHistories, AgreeWithMapsWhereNodesAreTiny) {
  for (unsigned seed = 1; seed <= 6; seed++) {
    LevelMachine machine(level_text(GetParam(), 3), GetParam());
    run_history(machine, seed, {.coordinates = seed < 3 ? 20 : 80});
  }
  for (unsigned seed = 7; seed <= 9; seed++) {
    LevelMachine machine(level_text(GetParam(), 4), GetParam(), Type::Int64);
    run_history(machine, seed);
  }
}

TEST_P(LevelHistories, AgreeWithMapsWhereCoordinatesAreFarApart) {
  // So that sums of a few are what one or two bytes just do not hold.
  const std::vector<std::int64_t> bytes = {64, 64, 128};
  const std::vector<std::int64_t> pairs = {16384, 16384, 32768};
  for (unsigned seed = 1; seed <= 6; seed++) {
    LevelMachine machine(level_text(GetParam(), seed < 5 ? 6 : 0), GetParam());
    run_history(machine, seed, {.coordinates = 60, .steps = 500, .gaps = seed % 2 == 0 ? bytes : pairs});
  }
  LevelMachine wide(level_text(GetParam()), GetParam(), Type::Int64);
  run_history(wide, 5, {.coordinates = 60, .gaps = {3, std::int64_t{1} << 40}});
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, LevelHistories, testing::ValuesIn(level_names()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace lacuna::dynamic::histories_test
