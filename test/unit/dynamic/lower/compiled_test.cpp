#include <gtest/gtest.h>

#include "unit/dynamic/lower/histories.h"
#include "unit/jit/module_runner.h"

// The same functions printed as C, compiled, and run on the same histories.
namespace lacuna::dynamic::compiled_test {
namespace {

class CompiledLevels : public testing::TestWithParam<std::string> {};

TEST_P(CompiledLevels, AgreeWithMaps) {
  Jit jit(without_cache());
  LevelMachine machine(level_text(GetParam(), 4), GetParam());
  CompiledModule compiled(machine.module(), jit);
  TestContext context;
  machine.run_by([&](const std::vector<loop::Binding>& bindings) {
    ASSERT_EQ(compiled.run(bindings, context), 0) << compiled.source().kernel;
  });
  run_history(machine, 1, {.coordinates = 70, .steps = 500});
}

TEST_P(CompiledLevels, StayRightWhenTheyAreLarge) {
  Jit jit(without_cache());
  LevelMachine machine(level_text(GetParam()), GetParam(), Type::Int64);
  CompiledModule compiled(machine.module(), jit);
  TestContext context;
  machine.run_by([&](const std::vector<loop::Binding>& bindings) {
    ASSERT_EQ(compiled.run(bindings, context), 0) << compiled.source().kernel;
  });
  run_history(machine, 2, {.coordinates = 3000, .steps = 8000, .trees = 1, .check_each = false});
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, CompiledLevels, testing::ValuesIn(level_names()),
                         [](const auto& each) { return each.param; });

/// A list or tree that is as deep as it has nodes must not be recursed into.
TEST(DeepLevels, AreChangedWithoutRecursion) {
  Jit jit(without_cache());
  const std::pair<std::string, int> levels[] = {{"llist", 1'000'000}, {"blist", 1'000'000}};
  for (const auto& [name, count] : levels) {
    LevelMachine machine(level_text(name), name);
    CompiledModule compiled(machine.module(), jit);
    TestContext context;
    machine.run_by([&](const std::vector<loop::Binding>& bindings) { ASSERT_EQ(compiled.run(bindings, context), 0); });
    std::vector<Step> steps = {{Op::Make}, {Op::AppendFirst}};
    for (int c = 1; c < count; c++) steps.push_back({Op::AppendRest, 0, c, 1.0 * c});
    machine.take(steps);
    const std::vector<Outcome> done = machine.take(
        {{Op::Find, 0, count - 1}, {Op::Assign, 0, count, 5.0}, {Op::Erase, 0, count - 1}, {Op::Find, 0, count - 1}});
    EXPECT_EQ(done[0].value, count - 1);
    EXPECT_EQ(done[1].coordinate, count);
    EXPECT_EQ(done[2].place, 1);
    EXPECT_EQ(done[3].place, nothing);
  }
}

TEST(DeepLevels, ATreeThatGrewFromAscendingCoordinatesIsAList) {
  Jit jit(without_cache());
  LevelMachine machine(level_text("bst"), "bst");
  CompiledModule compiled(machine.module(), jit);
  TestContext context;
  machine.run_by([&](const std::vector<loop::Binding>& bindings) { ASSERT_EQ(compiled.run(bindings, context), 0); });
  std::vector<Step> steps = {{Op::Make}};
  constexpr int count = 8000;
  for (int c = 0; c < count; c++) steps.push_back({Op::Assign, 0, c, 1.0 * c});
  machine.take(steps);
  EXPECT_EQ(machine.take({{Op::Find, 0, count - 1}})[0].value, count - 1);
  EXPECT_EQ(machine.take({{Op::Erase, 0, count / 2}})[0].place, 1);
}

}  // namespace
}  // namespace lacuna::dynamic::compiled_test
