// What moves, against the formulas of docs/communication.md: executed on small machines, simulated on large ones.

#include <set>

#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/simulate/simulate.h"
#include "lacuna/support/block.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

/// Messages and bytes.
using Moved = std::pair<std::int64_t, std::int64_t>;
Moved moved(const Traffic& t) { return {t.messages, t.bytes}; }

struct Algorithm {
  std::string name;
  std::string machine;
  std::map<std::string, std::string> placed;
  std::string schedule;
  Moved operands, results;
};

constexpr std::int64_t word = 8;

const std::map<std::string, std::string> tiles = {{"A", "xy -> xy"}, {"B", "xy -> xy"}, {"C", "xy -> xy"}};
const std::map<std::string, std::string> front = {{"A", "xy -> xy0"}, {"B", "xy -> xy0"}, {"C", "xy -> xy0"}};
const std::map<std::string, std::string> faces = {{"A", "xy -> xy0"}, {"B", "xz -> x0z"}, {"C", "zy -> 0yz"}};

/// On g x g processors, with tiles of t x t words each.
std::vector<Algorithm> in_two_dimensions(std::int64_t g, std::int64_t t) {
  const std::string machine = fmt::format("Grid({},{})", g, g);
  const std::int64_t all = 2 * g * g * (g - 1);
  return {
      {"Cannon",
       machine,
       tiles,
       "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), rotate(ko,{io,jo},kos),"
       "communicate(A,jo), communicate({B,C},kos)",
       {all, all * t * t * word},
       {0, 0}},
      {"PUMMA",
       machine,
       tiles,
       "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), rotate(ko,{io},kos),"
       "communicate(A,jo), communicate({B,C},kos)",
       {all, all * t * t * word},
       {0, 0}},
      {"SUMMA",
       machine,
       tiles,
       "distribute({i,j},{io,jo},{ii,ji},M), split(k,ko,ki,1), reorder(ko,ii,ji,ki), communicate(A,jo),"
       "communicate({B,C},ko)",
       {t * all, all * t * t * word},
       {0, 0}},
  };
}

/// On g x g x c processors, of which c divides g.
Algorithm solomonik(std::int64_t g, std::int64_t c, std::int64_t t) {
  const std::int64_t s = g / c, messages = 2 * g * s * (c * g - 1), sums = g * g * (c - 1);
  return {
      "Solomonik 2.5D",
      fmt::format("Grid({},{},{})", g, g, c),
      front,
      fmt::format("distribute({{i,j,k}},{{io,jo,ko}},{{ii,ji,ki}},M), divide(ki,kio,kii,{}), reorder(kio,ii,ji,kii),"
                  "rotate(kio,{{io,jo}},kios), communicate(A,jo), communicate({{B,C}},kios)",
                  s),
      {messages, messages * t * t * word},
      {sums, sums * t * t * word}};
}

/// On x x y x z processors in s steps; in one step on a cube, Johnson's. Tiles are t x t.
Algorithm cosma(std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t s, std::int64_t t) {
  const std::int64_t operands = x * z * (y - 1) + y * z * (x - 1), sums = x * y * (z - 1);
  return {
      s == 1 ? "Johnson" : "COSMA",
      fmt::format("Grid({},{},{})", x, y, z),
      faces,
      fmt::format("distribute({{i,j,k}},{{io,jo,ko}},{{ii,ji,ki}},M), divide(ki,kio,kii,{}), reorder(kio,ii,ji,kii),"
                  "communicate(A,ko), communicate({{B,C}},kio)",
                  s),
      {s * operands, operands * t * t * word},
      {sums, sums * t * t * word}};
}

DistributedRequest request_of(const Algorithm& a, std::int64_t t) {
  const Machine machine = parse_machine(a.machine);
  const std::vector<std::int64_t> sizes = machine.sizes();
  // Tiles of B and C are cut by k as finely as those in two dimensions by the first.
  const std::int64_t deep = a.placed == faces ? sizes[2] : sizes[0];
  return on_machine(random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"dense", -1}}},
                                   {{"i", sizes[0] * t}, {"j", sizes[1] * t}, {"k", deep * t}}),
                    a.machine, a.placed, a.schedule);
}

TEST(CommunicationVolume, OfMatrixProductsIsThatOfTheFormulas) {
  std::vector<Algorithm> all = {solomonik(2, 2, 2), solomonik(4, 2, 2), cosma(2, 2, 2, 1, 2), cosma(3, 2, 2, 2, 2)};
  for (const std::int64_t g : {1, 2, 3, 4})
    for (const Algorithm& a : in_two_dimensions(g, 2)) all.push_back(a);
  for (const Algorithm& a : all) {
    SCOPED_TRACE(a.name + " on " + a.machine);
    DistributedReport report;
    EXPECT_EQ(run_and_compare(request_of(a, 2), &report), "");
    EXPECT_EQ(moved(report.fetches), a.operands);
    EXPECT_EQ(moved(report.reductions), a.results);
  }
}

TEST(CommunicationVolume, OfMatrixProductsIsThatOfTheFormulasOnLargeMachines) {
  if (test_ranks()->rank() != 0) return;
  std::vector<Algorithm> all = {solomonik(16, 4, 1), solomonik(32, 4, 1), cosma(16, 16, 16, 1, 1),
                                cosma(8, 4, 16, 2, 2)};
  for (const Algorithm& a : in_two_dimensions(16, 1)) all.push_back(a);
  all.push_back(in_two_dimensions(64, 1).front());
  for (const Algorithm& a : all) {
    SCOPED_TRACE(a.name + " on " + a.machine);
    const Simulation simulation = simulate(request_of(a, a.name == "COSMA" ? 2 : 1), {});
    EXPECT_EQ(moved(simulation.fetches), a.operands);
    EXPECT_EQ(moved(simulation.reductions), a.results);
  }
}

/// Each processor gets what its rows have coordinates of and what is not its own, and nothing else: each from its owner
/// in one message.
Moved ghosts(const Storage& B, std::int64_t processors) {
  const CoordinateList entries = coordinates_of(B);
  const std::int64_t rows = B.dimensions[0], columns = B.dimensions[1];
  std::set<std::pair<std::int64_t, std::int64_t>> wanted, messages;
  for (std::int64_t e = 0; e < entries.size(); ++e) {
    const std::int64_t i = entries.coordinates[0].integer(e), j = entries.coordinates[1].integer(e);
    const std::int64_t p = i / block_length(rows, processors), q = j / block_length(columns, processors);
    if (p == q) continue;
    wanted.insert({p, j});
    messages.insert({p, q});
  }
  return {std::ssize(messages), word * std::ssize(wanted)};
}

TEST(CommunicationVolume, OfSparseMatrixTimesVectorIsTheGhosts) {
  const std::map<std::string, std::string> rows = {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}};
  for (const char* format : {"csr", "csc", "coo", "dcsr", "bitmap", "hashed"})
    for (const int processors : {2, 3, 4, 7}) {
      SCOPED_TRACE(fmt::format("{} on {}", format, processors));
      Request request =
          random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 90}}, {"c", {"dense"}}}, {{"i", 91}, {"j", 120}});
      const Moved expected = ghosts(request.operands.at("B"), processors);
      request.operands["B"] = convert(request.operands.at("B"), parse_format(format, 2));
      const DistributedRequest distributed =
          on_machine(std::move(request), fmt::format("Grid({})", processors), rows, "");
      DistributedReport report;
      EXPECT_EQ(run_and_compare(distributed, &report), "");
      EXPECT_EQ(moved(report.fetches), expected);
      EXPECT_EQ(moved(simulate(distributed, {}).fetches), expected);
      EXPECT_GT(expected.second, 0);
    }
}

/// Nothing is cut out of what is there anyway.
TEST(CommunicationVolume, NothingMovesThatIsThere) {
  DistributedReport report;
  EXPECT_EQ(run_and_compare(on_machine(random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 90}}, {"c", {"dense"}}},
                                                      {{"i", 91}, {"j", 120}}),
                                       "Grid(4)", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> *"}}, ""),
                            &report),
            "");
  EXPECT_EQ(report.fetches.messages, 0);
}

}  // namespace
}  // namespace lacuna
