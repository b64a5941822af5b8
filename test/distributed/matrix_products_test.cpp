// The algorithms of DISTAL's Figure 9: all the same statement, on other machines, with other distributions and
// schedules.

#include <algorithm>
#include <functional>
#include <tuple>

#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include "distributed/on_machine.h"

namespace lacuna::matrix_products_test {
namespace {

const std::map<std::string, std::string> tiles = {{"A", "xy -> xy"}, {"B", "xy -> xy"}, {"C", "xy -> xy"}};

Request product(std::int64_t m, std::int64_t n, std::int64_t k) {
  return random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"dense", -1}}},
                        {{"i", m}, {"j", n}, {"k", k}});
}

std::string cannon(int pieces) {
  return fmt::format(
      "distribute({{i,j}},{{io,jo}},{{ii,ji}},M), divide(k,ko,ki,{}), reorder(ko,ii,ji,ki), rotate(ko,{{io,jo}},kos),"
      "communicate(A,jo), communicate({{B,C}},kos)",
      pieces);
}

TEST(MatrixProducts, Cannon) {
  DistributedReport report;
  EXPECT_EQ(run_and_compare(on_machine(product(12, 9, 15), "Grid(3,3)", tiles, cannon(3)), &report), "");
  EXPECT_EQ(report.steps, 3);
  // Each processor needs the three tiles of B in its row and of C in its column, and has one of each from the start.
  EXPECT_EQ(report.fetches.messages, 9 * 2 * 2);
  EXPECT_EQ(report.fetches.bytes, 8 * 9 * 2 * (4 * 5 + 5 * 3));
  EXPECT_EQ(report.reductions.messages, 0);
}

/// After the skew, a tile comes from a neighbour (DISTAL, Figure 12).
TEST(MatrixProducts, CannonShiftsToNeighbours) {
  for (const int g : {2, 3, 4, 5}) {
    const LaunchPlan plan =
        plan_distributed(on_machine(product(2 * g, 3 * g, g), fmt::format("Grid({},{})", g, g), tiles, cannon(g)));
    for (std::size_t s = 1; s < plan.steps.size(); ++s) {
      EXPECT_EQ(std::ssize(plan.steps[s].transfers), 2 * g * g);
      // Its own tile comes round to each processor once, and then does not come from anywhere.
      for (const Transfer& t : plan.steps[s].transfers)
        EXPECT_LE(distance(plan.machine, t.from, plan.tasks[static_cast<std::size_t>(t.task)].processor), 1);
    }
  }
}

TEST(MatrixProducts, Pumma) {
  EXPECT_EQ(run_and_compare(on_machine(
                product(10, 8, 9), "Grid(2,3)", tiles,
                "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), rotate(ko,{io},kos),"
                "communicate(A,jo), communicate({B,C},kos)")),
            "");
}

TEST(MatrixProducts, Summa) {
  DistributedReport report;
  EXPECT_EQ(run_and_compare(on_machine(product(8, 8, 8), "Grid(2,2)", tiles,
                                       "distribute({i,j},{io,jo},{ii,ji},M), split(k,ko,ki,2), reorder(ko,ii,ji,ki),"
                                       "communicate(A,jo), communicate({B,C},ko)"),
                            &report),
            "");
  EXPECT_EQ(report.steps, 4);
  // In each step the owner of a chunk of B sends it to the other one in its row, and of C in its column.
  EXPECT_EQ(report.fetches.messages, 4 * (2 + 2));
  EXPECT_EQ(report.fetches.bytes, 8 * 4 * 4 * (4 * 2));
}

TEST(MatrixProducts, Johnson) {
  DistributedReport report;
  EXPECT_EQ(run_and_compare(on_machine(product(6, 4, 8), "Grid(2,2,2)",
                                       {{"A", "xy -> xy0"}, {"B", "xz -> x0z"}, {"C", "zy -> 0yz"}},
                                       "distribute({i,j,k},{io,jo,ko},{ii,ji,ki},M), communicate({A,B,C},ko)"),
                            &report),
            "");
  EXPECT_EQ(report.steps, 1);
  // Each tile is broadcast along the dimension that it does not have, and A is added up along k.
  EXPECT_EQ(report.fetches.messages, 4 + 4);
  EXPECT_EQ(report.reductions.messages, 4);
  EXPECT_EQ(report.reductions.bytes, 8 * 4 * (3 * 2));
}

TEST(MatrixProducts, Solomonik) {
  const std::map<std::string, std::string> front = {{"A", "xy -> xy0"}, {"B", "xy -> xy0"}, {"C", "xy -> xy0"}};
  EXPECT_EQ(run_and_compare(
                on_machine(product(8, 8, 8), "Grid(2,2,2)", front,
                           "distribute({i,j,k},{io,jo,ko},{ii,ji,ki},M), divide(ki,kio,kii,2), reorder(kio,ii,ji,kii),"
                           "rotate(kio,{io,jo},kios), communicate(A,jo), communicate({B,C},kios)")),
            "");
}

TEST(MatrixProducts, Cosma) {
  EXPECT_EQ(run_and_compare(
                on_machine(product(7, 9, 20), "Grid(1,2,3)", {},
                           "distribute({i,j,k},{io,jo,ko},{ii,ji,ki},M), divide(ki,kio,kii,2), reorder(kio,ii,ji,kii),"
                           "communicate(A,ko), communicate({B,C},kio)")),
            "");
}

/// Any grid, also one with more processors than rows.
TEST(MatrixProducts, OnEveryGrid) {
  for (int gx = 1; gx <= 8; ++gx)
    for (int gy = 1; gy <= 8; gy += 3)
      EXPECT_EQ(run_and_compare(on_machine(product(7, 5, 6), fmt::format("Grid({},{})", gx, gy), tiles, cannon(gx))),
                "")
          << gx << " x " << gy;
}

/// An algorithm on the grids of its shape: 1 to 64 processors.
struct Family {
  std::string name;
  std::map<std::string, std::string> placed;
  std::vector<std::vector<int>> grids;
  std::function<std::string(const std::vector<int>&)> schedule;
};

std::string by_tiles(const std::string& rest) {
  return "distribute({i,j},{io,jo},{ii,ji},M), " + rest + ", communicate(A,jo), ";
}
std::string by_cubes(const std::string& rest) { return "distribute({i,j,k},{io,jo,ko},{ii,ji,ki},M), " + rest; }

/// Squares, rectangles and lines; cubes; layers of squares, also where their number does not divide the side; and any.
std::vector<Family> families() {
  const std::map<std::string, std::string> front = {{"A", "xy -> xy0"}, {"B", "xy -> xy0"}, {"C", "xy -> xy0"}};
  const std::map<std::string, std::string> faces = {{"A", "xy -> xy0"}, {"B", "xz -> x0z"}, {"C", "zy -> 0yz"}};
  const std::vector<std::vector<int>> flat = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5},  {6, 6},  {7, 7},  {8, 8},
                                              {1, 2}, {3, 1}, {2, 5}, {7, 3}, {13, 1}, {4, 16}, {1, 64}, {64, 1}};
  return {
      {"Cannon", tiles, flat, [](const std::vector<int>& g) { return cannon(g[0]); }},
      {"Pumma", tiles, flat,
       [](const std::vector<int>&) {
         return by_tiles("divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), rotate(ko,{io},kos)") + "communicate({B,C},kos)";
       }},
      {"Summa", tiles, flat,
       [](const std::vector<int>&) {
         return by_tiles("split(k,ko,ki,2), reorder(ko,ii,ji,ki)") + "communicate({B,C},ko)";
       }},
      {"Johnson",
       faces,
       {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}},
       [](const std::vector<int>&) { return by_cubes("communicate({A,B,C},ko)"); }},
      {"Solomonik",
       front,
       {{1, 1, 1},
        {2, 2, 1},
        {2, 2, 2},
        {3, 3, 1},
        {3, 3, 2},
        {3, 3, 3},
        {4, 4, 1},
        {4, 4, 2},
        {4, 4, 3},
        {4, 4, 4},
        {5, 5, 2},
        {8, 8, 1}},
       [](const std::vector<int>& g) {
         const int steps = std::max(1, g[0] / g[2]);
         return by_cubes(
             fmt::format("divide(ki,kio,kii,{}), reorder(kio,ii,ji,kii), rotate(kio,{{io,jo}},kios), "
                         "communicate(A,jo), communicate({{B,C}},kios)",
                         steps));
       }},
      {"Cosma",
       faces,
       {{1, 1, 1},
        {1, 2, 3},
        {3, 2, 2},
        {5, 1, 7},
        {1, 13, 1},
        {4, 2, 8},
        {2, 4, 4},
        {4, 4, 4},
        {1, 1, 64},
        {64, 1, 1}},
       [](const std::vector<int>& g) {
         return by_cubes(
             fmt::format("divide(ki,kio,kii,{}), reorder(kio,ii,ji,kii), communicate(A,ko), "
                         "communicate({{B,C}},kio)",
                         g[0] % 3 + 1));
       }},
  };
}

class ProductsOnGrids : public testing::TestWithParam<const char*> {};

/// Sizes that few grids divide, so that pieces are shorter or empty, and that many do; and products of one column and
/// one row. Operands that are held by parts go through the first of them.
TEST_P(ProductsOnGrids, AreTheDefinition) {
  const std::vector<Family> all = families();
  const auto family = std::find_if(all.begin(), all.end(), [](const Family& f) { return f.name == GetParam(); });
  ASSERT_NE(family, all.end());
  for (const std::vector<int>& grid : family->grids)
    for (const auto& [m, n, k] : {std::tuple(7, 5, 6), std::tuple(8, 8, 8), std::tuple(3, 10, 1)}) {
      const std::string machine = fmt::format("Grid({})", fmt::join(grid, ","));
      SCOPED_TRACE(fmt::format("{} x {} times {} x {} on {}", m, k, k, n, machine));
      const DistributedRequest request = on_machine(product(m, n, k), machine, family->placed, family->schedule(grid));
      EXPECT_EQ(run_and_compare(request), "");
      if (m == 7) {
        EXPECT_EQ(run_by_parts_and_compare(request), "") << "from parts";
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Figure9, ProductsOnGrids,
                         testing::Values("Cannon", "Pumma", "Summa", "Johnson", "Solomonik", "Cosma"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace lacuna::matrix_products_test
