#include <gtest/gtest.h>

#include "unit/jit/module_runner.h"
#include "unit/loop/random_program.h"

namespace lacuna::random_program_test {
namespace {

using namespace loop;

struct Arguments {
  std::vector<std::int64_t> a = {5, -3, 0, 7, 1, 2, -8, 4};
  std::vector<double> f = {0.5, -0.0, 3.25, -1e300, 7, 0, 2, -2};
  std::int64_t r = 0;

  std::vector<Binding> bindings() {
    return {bound(Scalar(std::int64_t{6})), bound(Scalar(1.5)), bound(a), bound(f), bound(Scalar(r))};
  }
};

void expect_same(const Arguments& compiled, const Arguments& interpreted) {
  EXPECT_EQ(compiled.a, interpreted.a);
  EXPECT_EQ(compiled.r, interpreted.r);
  for (std::size_t k = 0; k < compiled.f.size(); k++) EXPECT_EQ(Scalar(compiled.f[k]), Scalar(interpreted.f[k])) << k;
}

TEST(RandomProgram, ComputesTheSameCompiledAndInterpreted) {
  Jit jit(without_cache());
  int compared = 0;
  for (std::uint32_t seed = 1; compared < 12 && seed < 400; seed++) {
    const Module module = RandomProgram(seed).module();
    Arguments interpreted;
    std::optional<CompiledModule> compiled;
    try {
      const Interpretation result = interpret(module, interpreted.bindings());
      interpreted.r = result.outputs[4].scalar.as<std::int64_t>();
      compiled.emplace(module, jit);
    } catch (const InternalError& refused) {
      // Such a program overflows, divides by zero or leaves the order of its calls open: C would not define it.
      ASSERT_EQ(std::string(refused.what()).find("refused a kernel"), std::string::npos) << refused.what();
      continue;
    }
    Arguments run;
    TestContext context;
    ASSERT_EQ(compiled->run(run.bindings(), context), LACUNA_OK);
    run.r = compiled->levels()[4].origin;
    expect_same(run, interpreted);
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << to_string(module) << compiled->source().kernel;
    compared++;
  }
  EXPECT_EQ(compared, 12);
}

}  // namespace
}  // namespace lacuna::random_program_test
