#include <cstring>
#include <optional>

#include "lacuna/loop/walk.h"
#include "unit/loop/random_program.h"

namespace lacuna::loop::simplify_law_test {
namespace {

/// What a program leaves behind, as text; none when a check fails.
std::optional<std::string> outcome(const Module& module) {
  std::vector<std::int64_t> a = {3, 1, 4, 1, 5, 9, 2, 6};
  std::vector<double> f = {0.0, -0.0, 1.5, -2.0, std::numeric_limits<double>::infinity(), 0.25, 7, 8};
  try {
    const Interpretation done = interpret(module, {bound(Scalar(std::int64_t{4})), bound(Scalar(-0.0)), bound(a),
                                                   bound(f), bound(Scalar(std::int64_t{0}))});
    std::string text = done.outputs[4].scalar.to_string();
    for (const std::int64_t each : a) text += " " + std::to_string(each);
    for (const double each : f) text += " " + Scalar(each).to_string();
    return text;
  } catch (const CheckFailure&) {
    return std::nullopt;
  }
}

int size_of_body(const Stmt& body) {
  int size = 0;
  for_each(body, [&](const Stmt&) { size++; });
  for_each_expression(body, [&](const Expr&) { size++; });
  return size;
}

TEST(SimplifyLaws, RandomProgramsKeepTheirMeaningGrowNotAndAreSimpleAfterwards) {
  int compared = 0;
  int shrunk = 0;
  for (std::uint32_t seed = 0; seed < 1500; seed++) {
    const Module module = RandomProgram(seed).module();
    ASSERT_NO_THROW(verify(module)) << "seed " << seed << "\n" << to_string(module);
    const Module simple = simplify(module);
    const std::string texts =
        "seed " + std::to_string(seed) + "\n" + to_string(module) + "\nsimplified\n" + to_string(simple);
    ASSERT_NO_THROW(verify(simple)) << texts;
    ASSERT_EQ(simplify(simple).body, simple.body) << "not idempotent: " << texts;
    ASSERT_LE(size_of_body(simple.body), size_of_body(module.body)) << texts;
    shrunk += size_of_body(simple.body) < size_of_body(module.body) ? 1 : 0;
    const std::optional<std::string> before = outcome(module);
    if (!before) continue;
    compared++;
    ASSERT_EQ(outcome(simple), before) << texts;
  }
  EXPECT_GT(compared, 500) << "the programs fail too often to say anything";
  EXPECT_GT(shrunk, 1000) << "the programs leave too little to simplify";
}

}  // namespace
}  // namespace lacuna::loop::simplify_law_test
