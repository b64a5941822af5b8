// What moves, against the formulas of docs/explanation/communication.md: executed on small machines, simulated on large
// ones.

#include <cctype>
#include <ostream>
#include <set>

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/simulate/simulate.h"
#include "lacuna/support/block.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::communication_volume_test {
namespace {

/// Messages and bytes.
using Moved = std::pair<std::int64_t, std::int64_t>;
Moved moved(const Traffic& t) { return {t.messages, t.bytes}; }

struct Algorithm {
  std::string name;
  std::string machine;
  std::int64_t tile;  // t x t words
  std::map<std::string, std::string> placed;
  std::string schedule;
  Moved operands, results;
};
void PrintTo(const Algorithm& a, std::ostream* out) { *out << a.name << " on " << a.machine; }

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
       t,
       tiles,
       "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), rotate(ko,{io,jo},kos),"
       "communicate(A,jo), communicate({B,C},kos)",
       {all, all * t * t * word},
       {0, 0}},
      {"PUMMA",
       machine,
       t,
       tiles,
       "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), rotate(ko,{io},kos),"
       "communicate(A,jo), communicate({B,C},kos)",
       {all, all * t * t * word},
       {0, 0}},
      {"SUMMA",
       machine,
       t,
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
      t,
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
      t,
      faces,
      fmt::format("distribute({{i,j,k}},{{io,jo,ko}},{{ii,ji,ki}},M), divide(ki,kio,kii,{}), reorder(kio,ii,ji,kii),"
                  "communicate(A,ko), communicate({{B,C}},kio)",
                  s),
      {s * operands, operands * t * t * word},
      {sums, sums * t * t * word}};
}

DistributedRequest request_of(const Algorithm& a) {
  const Machine machine = parse_machine(a.machine);
  const std::vector<std::int64_t> sizes = machine.sizes();
  // Tiles of B and C are cut by k as finely as those in two dimensions by the first.
  const std::int64_t deep = a.placed == faces ? sizes[2] : sizes[0];
  return on_machine(random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"dense", -1}}},
                                   {{"i", sizes[0] * a.tile}, {"j", sizes[1] * a.tile}, {"k", deep * a.tile}}),
                    a.machine, a.placed, a.schedule);
}

TEST(CommunicationVolume, OfMatrixProductsIsThatOfTheFormulas) {
  std::vector<Algorithm> all = {solomonik(2, 2, 2), solomonik(4, 2, 2), cosma(2, 2, 2, 1, 2), cosma(3, 2, 2, 2, 2)};
  for (const std::int64_t g : {1, 2, 3, 4})
    for (const Algorithm& a : in_two_dimensions(g, 2)) all.push_back(a);
  for (const Algorithm& a : all) {
    SCOPED_TRACE(a.name + " on " + a.machine);
    DistributedReport report;
    EXPECT_EQ(run_and_compare(request_of(a), &report), "");
    EXPECT_EQ(moved(report.fetches), a.operands);
    EXPECT_EQ(moved(report.reductions), a.results);
  }
}

class VolumeOnLargeMachines : public testing::TestWithParam<Algorithm> {};

TEST_P(VolumeOnLargeMachines, IsThatOfTheFormulas) {
  if (test_ranks()->rank() != 0) return;
  const Simulation simulation = simulate(request_of(GetParam()), {});
  EXPECT_EQ(moved(simulation.fetches), GetParam().operands);
  EXPECT_EQ(moved(simulation.reductions), GetParam().results);
}

std::string name_of(const testing::TestParamInfo<Algorithm>& info) {
  std::string name;
  for (const char c : info.param.name + "On" + info.param.machine)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
    else if (c == ',') name += 'x';
  return name;
}

/// Simulations of 4,096 processors in as many steps as Cannon's (below) take seconds.
std::vector<Algorithm> flat_on_large_machines() {
  std::vector<Algorithm> all = in_two_dimensions(16, 3);
  for (const std::int64_t g : {32, 48})
    for (const Algorithm& a : in_two_dimensions(g, 1)) all.push_back(a);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Flat, VolumeOnLargeMachines, testing::ValuesIn(flat_on_large_machines()), name_of);
INSTANTIATE_TEST_SUITE_P(Layered, VolumeOnLargeMachines,
                         testing::Values(solomonik(16, 4, 1), solomonik(16, 16, 1), solomonik(32, 4, 1),
                                         solomonik(48, 1, 1)),
                         name_of);
/// Cubes, and grids that are long, flat, or have a side of one.
INSTANTIATE_TEST_SUITE_P(Deep, VolumeOnLargeMachines,
                         testing::Values(cosma(16, 16, 16, 1, 1), cosma(8, 4, 16, 2, 2), cosma(16, 16, 16, 4, 4),
                                         cosma(32, 16, 8, 2, 2), cosma(8, 8, 64, 3, 3), cosma(4, 4, 256, 2, 2),
                                         cosma(64, 64, 1, 2, 2), cosma(1, 64, 64, 2, 2), cosma(1, 1, 4096, 2, 2)),
                         name_of);

/// To begin with, a tile goes to the column that is as far away as its row says, at most half of the way round the
/// torus. From then on, each comes from a neighbour, except where a processor's own tile comes round to it: one row of
/// B and one column of C in each step.
TEST(CommunicationVolume, OfCannonsAfterTheFirstStepGoesToNeighboursOnLargeMachines) {
  if (test_ranks()->rank() != 0) return;
  for (const std::int64_t g : {9, 64}) {
    SCOPED_TRACE(g);
    const Simulation simulation = simulate(request_of(in_two_dimensions(g, 1).front()), {});
    ASSERT_EQ(std::ssize(simulation.steps), g);
    for (std::size_t s = 0; s < simulation.steps.size(); ++s) {
      const Traffic& traffic = simulation.steps[s].traffic;
      EXPECT_EQ(traffic.farthest, s == 0 ? g / 2 : 1) << "step " << s;
      EXPECT_EQ(moved(traffic), Moved(2 * g * (g - 1), 2 * g * (g - 1) * word)) << "step " << s;
    }
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

/// A matrix times a vector, all in as many blocks as there are processors.
Traffic simulated_spmv(const CoordinateList& entries, std::int64_t processors) {
  Request request;
  request.statement = parse_statement("a(i) = B(i,j) * c(j)");
  request.operands.emplace("B", build(entries, parse_format("csr", 2)));
  request.operands.emplace("c", generate_dense({entries.dimensions[1]}, 1));
  const DistributedRequest distributed = on_machine(std::move(request), fmt::format("Grid({})", processors),
                                                    {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}}, "");
  return simulate(distributed, {}).fetches;
}

void expect_ghosts_of_uniform(std::int64_t stored, std::int64_t processors) {
  if (test_ranks()->rank() != 0) return;
  SCOPED_TRACE(processors);
  const CoordinateList entries = generate_uniform({9001, 12000}, stored, 1);
  EXPECT_EQ(moved(simulated_spmv(entries, processors)), ghosts(build(entries, parse_format("csr", 2)), processors));
}

/// Of patterns of which a formula says so, too.
void expect_ghosts(const CoordinateList& entries, std::int64_t processors, const Moved& expected) {
  EXPECT_EQ(ghosts(build(entries, parse_format("csr", 2)), processors), expected);
  EXPECT_EQ(moved(simulated_spmv(entries, processors)), expected);
}

/// From those d blocks away on either side comes what the band reaches of theirs.
void expect_ghosts_of_banded(std::int64_t processors, std::int64_t block, std::int64_t half_bandwidth) {
  if (test_ranks()->rank() != 0) return;
  SCOPED_TRACE(fmt::format("{} blocks of {}, {} beside", processors, block, half_bandwidth));
  Moved expected;
  for (std::int64_t d = 1; (d - 1) * block < half_bandwidth; ++d) {
    expected.first += 2 * (processors - d);
    expected.second += 2 * (processors - d) * std::min(block, half_bandwidth - (d - 1) * block) * word;
  }
  const std::int64_t rows = processors * block;
  expect_ghosts(generate_banded(rows, rows, half_bandwidth, 1), processors, expected);
}

/// Of a grid that is stored line by line, blocks are whole lines, which get one line from either side, or parts of
/// lines, which get as much from the lines beside theirs and one point from either end.
void expect_ghosts_of_stencil(std::int64_t lines, std::int64_t length, std::int64_t processors) {
  if (test_ranks()->rank() != 0) return;
  SCOPED_TRACE(fmt::format("{} x {} on {}", lines, length, processors));
  Moved expected;
  if (processors <= lines) {
    const std::int64_t messages = 2 * (processors - 1);
    expected = {messages, messages * length * word};
  } else {
    const std::int64_t parts = processors / lines;  // of a line
    const std::int64_t across = 2 * (lines - 1) * parts, along = 2 * lines * (parts - 1);
    expected = {across + along, (across * (length / parts) + along) * word};
  }
  expect_ghosts(generate_stencil_2d(length, lines), processors, expected);
}

TEST(CommunicationVolume, OfUniformMatricesTimesVectorsIsTheGhostsOnLargeMachines) {
  for (const std::int64_t processors : {16, 100, 512, 1024}) expect_ghosts_of_uniform(20000, processors);
}

TEST(CommunicationVolume, OfBandedMatricesTimesVectorsIsTheGhostsOnLargeMachines) {
  for (const std::int64_t processors : {16, 256, 1024})
    for (const std::int64_t block : {1, 4})
      for (const std::int64_t half_bandwidth : {1, 3, 6}) expect_ghosts_of_banded(processors, block, half_bandwidth);
}

TEST(CommunicationVolume, OfStencilsTimesVectorsIsTheGhostsOnLargeMachines) {
  expect_ghosts_of_stencil(64, 64, 16);
  expect_ghosts_of_stencil(128, 96, 64);
  expect_ghosts_of_stencil(128, 128, 128);
  expect_ghosts_of_stencil(1024, 4, 1024);
  expect_ghosts_of_stencil(128, 128, 1024);
}

// Each by itself, for a simulation of so many takes seconds.
TEST(CommunicationVolume, OfAUniformMatrixTimesAVectorIsTheGhostsOnTheLargestOfLargeMachines) {
  expect_ghosts_of_uniform(5000, 4096);
}
TEST(CommunicationVolume, OfABandedMatrixTimesAVectorIsTheGhostsOnTheLargestOfLargeMachines) {
  expect_ghosts_of_banded(4096, 4, 6);
}
TEST(CommunicationVolume, OfAStencilTimesAVectorIsTheGhostsOnTheLargestOfLargeMachines) {
  expect_ghosts_of_stencil(128, 128, 4096);
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
}  // namespace lacuna::communication_volume_test
