// Generated tensors that ranks make together: what one process makes, and nobody has all of it.

#include <functional>

#include <gtest/gtest.h>

#include "distributed/memory_of_rank.h"
#include "distributed/on_machine.h"
#include "lacuna/distribute/tensors/contribute.h"
#include "lacuna/distribute/tensors/generator_share.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::generate_test {
namespace {

using Make = std::function<CoordinateList(const GeneratorShare&)>;

DistributedTensor made_together(const Make& make, const Format& format, const std::string& placed,
                                const Machine& machine) {
  return contributed(make(share_of(*test_ranks())), format, parse_distribution(placed, machine).distribution, "B",
                     *test_ranks());
}

TEST(Generated, TogetherIsWhatOneAloneMakes) {
  const std::vector<Make> all = {
      [](const GeneratorShare& s) { return generate_rmat(70, 50, 400, 1, Type::Float64, s); },
      [](const GeneratorShare& s) { return generate_banded(40, 30, 3, 1, Type::Int16, s); },
      [](const GeneratorShare& s) { return generate_stencil_2d(6, 5, Type::Float32, s); },
      [](const GeneratorShare& s) {
        return generate_skewed({90, 50}, 300, 1.5, 1, Type::Float64, s);
      },
      [](const GeneratorShare& s) {
        return generate_uniform({30, 20}, 500, 1, Type::Int64, s);
      }};
  for (const Make& make : all)
    for (const char* placed : {"xy -> x", "xy -> y%3", "xy -> ~x", "xy -> ~(xy)"}) {
      const DistributedTensor tensor = made_together(make, csr_format(), placed, parse_machine("Grid(3)"));
      const Storage expected = build(make({}), csr_format());
      EXPECT_EQ(tensor.stored(), expected.stored());
      CompareOptions exactly;
      exactly.same_pattern = true;
      EXPECT_EQ(difference(gathered(tensor, *test_ranks(), Recipients::All), expected, exactly), std::nullopt)
          << placed;
    }
}

#if !defined(__SANITIZE_ADDRESS__)  // which keeps memory that was given back
TEST(Generated, NobodyHoldsAllOfIt) {
  if (!are_parts_small()) GTEST_SKIP() << not_small;
  constexpr std::int64_t rows = 600000, entries = 12 * rows, whole = entries * (4 + 4 + 8);
  const std::vector<Make> all = {
      [](const GeneratorShare& s) {
        return generate_uniform({rows, rows}, entries, 1, Type::Float64, s);
      },
      [](const GeneratorShare& s) { return generate_banded(rows, rows, 6, 1, Type::Float64, s); }};
  for (const Make& make : all) {
    const std::int64_t most = most_memory_of([&] {
      const DistributedTensor tensor =
          made_together(make, coo_format(2), "xy -> x", Machine{Grid(test_ranks()->ranks())});
      EXPECT_GE(tensor.stored(), entries);
    });
    EXPECT_GT(most, whole / test_ranks()->ranks() / 2);
    EXPECT_LT(static_cast<double>(most), most_for_a_part(whole, 0.65));
  }
}
#endif

}  // namespace
}  // namespace lacuna::generate_test
