#include "lacuna/iteration/nest.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/cost/counted.h"

namespace lacuna::nest_test {
namespace {

using iteration::Iteration;
using iteration::Use;
using testing::ElementsAre;

struct Made {
  concrete::Program program;
  iteration::Nest nest;
};

Made made(const std::string& text, const std::map<std::string, RandomOperand>& operands, const std::string& result = {},
          const std::string& schedule = {}) {
  Request request = random_request(text, operands, {{"i", 30}, {"j", 30}, {"k", 30}, {"l", 30}}, result);
  request.schedule = parse_schedule(schedule);
  const CheckedRequest checked = check_request(request, interpreted());
  const concrete::Program program = schedule_as_asked(checked.problem, checked.schedule).program;
  return {program, iteration::analyze(program)};
}

/// "j: A2 walked, x1 computed"
std::vector<std::string> loops(const Made& m) {
  constexpr std::string_view words[] = {"walked", "followed", "computed", "tested", "probed", "searched"};
  std::vector<std::string> all;
  for (const iteration::Loop& l : m.nest.loops) {
    std::string text = l.var.name() + ":";
    for (const std::vector<iteration::LevelUse>& uses : {l.walks.cursors, l.located})
      for (const iteration::LevelUse& u : uses)
        text += fmt::format(" {} {}", m.nest.level_name(u), words[static_cast<std::size_t>(u.use)]);
    for (const iteration::LevelUse& u : l.walks.drained) text += " drains " + m.nest.path_of(u).tensor.name();
    all.push_back(text);
  }
  return all;
}

TEST(Nest, CompressedLevelsAreWalkedAndDenseOnesComputed) {
  const Made m = made("y(i) = A(i,j) * x(j)", {{"A", {"csr", 100}}, {"x", {"dense"}}});
  EXPECT_THAT(loops(m), ElementsAre("i: A1 computed", "j: A2 walked x1 computed"));
  EXPECT_EQ(m.nest.loops[0].iteration, Iteration::Full);
  EXPECT_EQ(m.nest.loops[1].iteration, Iteration::Walk);
}

TEST(Nest, SumsOfSparseOperandsMergeThem) {
  const Made m = made("A(i,j) = B(i,j) + C(i,j)", {{"B", {"dcsr", 100}}, {"C", {"dcsr", 100}}});
  EXPECT_THAT(loops(m), ElementsAre("i: B1 walked C1 walked", "j: B2 walked C2 walked"));
  EXPECT_EQ(m.nest.loops[1].iteration, Iteration::Merge);
  EXPECT_EQ(m.nest.loops[1].walks.lattice.formula.terms().size(), 2U);
}

TEST(Nest, AWorkspaceIsDrained) {
  const Made m = made("C(i,k) = A(i,j) * B(j,k)", {{"A", {"csr", 100}}, {"B", {"csr", 100}}}, "csr");
  EXPECT_THAT(loops(m), ElementsAre("i: A1 computed", "k: drains w", "j: A2 walked B1 computed", "k: B2 walked"));
  EXPECT_EQ(m.nest.loops[1].iteration, Iteration::Drain);
}

TEST(Nest, SparseOperandsFollowWhereEveryCoordinateMatters) {
  const Made m = made("A(i,j) = B(i,j) + x(j)", {{"B", {"csr", 100}}, {"x", {"dense"}}});
  EXPECT_THAT(loops(m), ElementsAre("i: B1 computed", "j: B2 followed x1 computed"));
}

TEST(Nest, BitmapsAreTestedAndHashTablesProbed) {
  const Made m = made("y(i) = A(i,j) * b(j) * h(j)", {{"A", {"csr", 100}}, {"b", {"bitmap", 9}}, {"h", {"hashed", 9}}});
  EXPECT_THAT(loops(m), ElementsAre("i: A1 computed", "j: A2 walked b1 tested h1 probed"));
}

TEST(Nest, LevelsBoundOutOfOrderAreSearched) {
  const Made m = made("d(i) = A(i,i)", {{"A", {"csr", 100}}});
  EXPECT_THAT(loops(m), ElementsAre("i: A1 computed A2 searched"));
}

TEST(Nest, LoopsOverPiecesWalkNothingThemselves) {
  const Made m = made("y(i) = A(i,j) * x(j)", {{"A", {"csr", 100}}, {"x", {"dense"}}}, "", "split(i,io,ii,4)");
  EXPECT_THAT(loops(m), ElementsAre("io:", "i: A1 computed", "j: A2 walked x1 computed"));
  EXPECT_EQ(m.nest.loops[0].iteration, Iteration::Pieces);
}

}  // namespace
}  // namespace lacuna::nest_test
