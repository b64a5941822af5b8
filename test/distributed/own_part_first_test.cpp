// What a processor owns it does not fetch: bytes that move, against a bound that is counted element by element.

#include <functional>

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna::own_part_first_test {
namespace {

constexpr std::int64_t word = 8;

/// The block of [0, n) in p blocks, each n/p long, rounded up, that holds x.
std::int64_t block_with(std::int64_t x, std::int64_t n, std::int64_t p) { return x / ((n + p - 1) / p); }

/// A(i,j) = B(i,k) * C(k,j) on a grid of rows x columns, all in tiles: what processors use of B and C and do not own.
/// Each such word has to come at least once.
std::int64_t words_from_elsewhere(std::int64_t n, std::int64_t rows, std::int64_t columns) {
  std::int64_t words = 0;
  for (std::int64_t x = 0; x < rows; ++x)
    for (std::int64_t y = 0; y < columns; ++y)
      for (std::int64_t a = 0; a < n; ++a)
        for (std::int64_t k = 0; k < n; ++k) {
          const bool uses_b = block_with(a, n, rows) == x, owns_b = uses_b && block_with(k, n, columns) == y;
          const bool uses_c = block_with(a, n, columns) == y, owns_c = uses_c && block_with(k, n, rows) == x;
          words += (uses_b && !owns_b ? 1 : 0) + (uses_c && !owns_c ? 1 : 0);
        }
  return words;
}

DistributedRequest product(std::int64_t n, std::int64_t rows, std::int64_t columns, const std::string& steps) {
  return on_machine(random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"dense", -1}}},
                                   {{"i", n}, {"j", n}, {"k", n}}),
                    fmt::format("Grid({},{})", rows, columns),
                    {{"A", "xy -> xy"}, {"B", "xy -> xy"}, {"C", "xy -> xy"}},
                    "distribute({i,j},{io,jo},{ii,ji},M), " + steps);
}

/// In so many steps, as Cannon's, PUMMA and SUMMA.
std::vector<std::string> in_steps(int steps) {
  const std::string divided = fmt::format("divide(k,ko,ki,{}), reorder(ko,ii,ji,ki), ", steps);
  return {divided + "rotate(ko,{io,jo},kos), communicate(A,jo), communicate({B,C},kos)",
          divided + "rotate(ko,{io},kos), communicate(A,jo), communicate({B,C},kos)",
          divided + "communicate(A,jo), communicate({B,C},ko)"};
}

const std::vector<std::pair<std::int64_t, std::int64_t>> grids = {{2, 2}, {4, 2}, {2, 4}, {3, 2}, {1, 4},
                                                                  {5, 1}, {3, 3}, {4, 4}, {6, 3}};

TEST(OwnPartFirst, MovesWhatIsNotOwnedAndNothingElse) {
  if (test_ranks()->rank() != 0) return;
  for (const auto& [rows, columns] : grids)
    for (const std::int64_t n : {12, 17})
      for (const int steps : {1, 2, 3, 4, 5, 6, 8, 12})
        for (const std::string& schedule : in_steps(steps)) {
          SCOPED_TRACE(fmt::format("{} x {}, {}: {}", rows, columns, n, schedule));
          const Simulation simulation = simulate(product(n, rows, columns, schedule), {});
          EXPECT_EQ(simulation.fetches.bytes, word * words_from_elsewhere(n, rows, columns));
        }
}

TEST(OwnPartFirst, OfTheProductsThatMovedMore) {
  if (test_ranks()->rank() != 0) return;
  EXPECT_EQ(simulate(product(64, 4, 2, in_steps(4).front()), {}).fetches.bytes, 131072);
  EXPECT_EQ(simulate(product(64, 2, 2, in_steps(4).front()), {}).fetches.bytes, 65536);
}

/// What is simulated is what is run.
TEST(OwnPartFirst, IsWhatIsRun) {
  for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{4, 2}, {2, 2}, {2, 3}})
    for (const int steps : {3, 4}) {
      DistributedReport report;
      EXPECT_EQ(run_and_compare(product(12, rows, columns, in_steps(steps).front()), &report), "");
      EXPECT_EQ(report.fetches.bytes, word * words_from_elsewhere(12, rows, columns));
    }
}

/// Layers have copies of the tiles on the front: only that face owns something.
TEST(OwnPartFirst, OnTheFaceOfACube) {
  if (test_ranks()->rank() != 0) return;
  const std::int64_t n = 8;
  for (const int steps : {1, 2, 4}) {
    const DistributedRequest request = on_machine(
        random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"dense", -1}}},
                       {{"i", n}, {"j", n}, {"k", n}}),
        "Grid(2,2,2)", {{"A", "xy -> xy0"}, {"B", "xy -> xy0"}, {"C", "xy -> xy0"}},
        fmt::format("distribute({{i,j,k}},{{io,jo,ko}},{{ii,ji,ki}},M), divide(ki,kio,kii,{}), reorder(kio,ii,ji,kii),"
                    "rotate(kio,{{io,jo}},kios), communicate(A,jo), communicate({{B,C}},kios)",
                    steps));
    // A processor uses 4 x 4 words of either, k in the half that its layer has; on the front, some own these.
    std::int64_t words = 0;
    for (std::int64_t x = 0; x < 2; ++x)
      for (std::int64_t y = 0; y < 2; ++y)
        for (std::int64_t z = 0; z < 2; ++z)
          words += (z == 0 && y == z ? 0 : n * n / 4) + (z == 0 && x == z ? 0 : n * n / 4);
    EXPECT_EQ(simulate(request, {}).fetches.bytes, word * words) << steps;
  }
}

}  // namespace
}  // namespace lacuna::own_part_first_test
