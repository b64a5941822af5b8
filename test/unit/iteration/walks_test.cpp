// What loops of tiny programs, put together by hand, walk: with all operands there, and where some are known not to be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/concrete/structure.h"
#include "lacuna/format/format.h"
#include "lacuna/iteration/nest.h"
#include "support/random_request.h"
#include "unit/lower/hand_program.h"

namespace lacuna::iteration::walks_test {
namespace {

using concrete::Assembly;
using concrete::Forall;
using concrete::Program;
using concrete::Stmt;
using testing::ElementsAre;
using testing::IsEmpty;

Operands data(const std::string& statement, const std::map<std::string, RandomOperand>& operands) {
  return random_request(statement, operands, {{"i", 9}, {"j", 11}}).operands;
}

/// C(i,j) = A(i,j) + B(i,j) of rows that are stored.
Program sum_of_rows() {
  const std::string text = "C(i,j) = A(i,j) + B(i,j)";
  const HandProgram p(text, data(text, {{"A", {"csr", 20}}, {"B", {"csr", 20}}}), "dense", Assembly::Random);
  return p.with(p.forall("i", p.forall("j", p.assign(text))));
}

/// What the loop walks that assigns to y(i) what it reads of a workspace. That lists the coordinates of a.
struct Consumer {
  Nest nest;
  const Loop& loop() const { return nest.loops[0]; }
};

Consumer consumer(const std::string& assignment, const std::string& b) {
  const std::string text = "y(i) = a(i) + b(i)";
  HandProgram p(text, data(text, {{"a", {"sparse", 5}}, {"b", {b, b == "dense" ? -1 : 5}}}), "dense", Assembly::Random);
  p.workspace("w", "i");
  p.parts().tensors.back().format = parse_format("bitmap", 1);
  const Stmt producer = p.forall("i", p.assign("w(i) += a(i)"));
  return {analyze(p.with(concrete::where(p.forall("i", p.assign(assignment)), producer)))};
}

std::string lattice_of(const Nest& nest, const Walks& walks) {
  return walks.lattice.to_string([&](int c) {
    const auto n = static_cast<std::size_t>(c), cursors = walks.cursors.size();
    return nest.level_name(n < cursors ? walks.cursors[n] : walks.drained[n - cursors]);
  });
}

const Forall& loop_inside(const Program& program) {
  return std::get<Forall>(std::get<Forall>(program.root->kind).body->kind);
}

TEST(Walks, AreOfEachOperandThatStoresTheVariableNext) {
  const Program program = sum_of_rows();
  const Nest nest = analyze(program);
  EXPECT_THAT(nest.loops[0].walks.cursors, IsEmpty());
  EXPECT_EQ(nest.loops[0].iteration, Iteration::Full);
  EXPECT_EQ(lattice_of(nest, nest.loops[1].walks), "{A2 B2} > {A2} > {B2}");
  EXPECT_EQ(nest.loops[1].iteration, Iteration::Merge);
}

TEST(Walks, LeaveOutWhatIsKnownToBeAbsent) {
  const Program program = sum_of_rows();
  const Nest nest = analyze(program);
  const Forall& j = loop_inside(program);
  EXPECT_EQ(lattice_of(nest, walks_of(program, nest.paths, j, {{1, 1}, {false, false}})), "{A2 B2} > {A2} > {B2}");
  EXPECT_EQ(lattice_of(nest, walks_of(program, nest.paths, j, {{1, 1}, {true, false}})), "{B2}");
  EXPECT_EQ(lattice_of(nest, walks_of(program, nest.paths, j, {{1, 1}, {true, true}})), "nothing");
}

TEST(Walks, AreOfNothingWhereAnotherLevelComesFirst) {
  const Program program = sum_of_rows();
  const Nest nest = analyze(program);
  const Walks walks = walks_of(program, nest.paths, loop_inside(program), {{0, 0}, {false, false}});
  EXPECT_THAT(walks.cursors, IsEmpty());
  EXPECT_TRUE(walks.lattice.full);
}

TEST(Walks, DrainAWorkspaceThatAloneMatters) {
  const Consumer c = consumer("y(i) = w(i)", "sparse");
  EXPECT_EQ(lattice_of(c.nest, c.loop().walks), "{w1}");
  EXPECT_EQ(c.loop().iteration, Iteration::Drain);
  EXPECT_THAT(c.loop().walks.cursors, IsEmpty());
}

TEST(Walks, FollowAnOperandThatAnnihilatesBesideAWorkspace) {
  const Consumer c = consumer("y(i) = w(i) * b(i)", "sparse");
  EXPECT_EQ(lattice_of(c.nest, c.loop().walks), "{b1}");
  EXPECT_THAT(c.loop().walks.drained, IsEmpty());
  EXPECT_EQ(c.loop().iteration, Iteration::Walk);
}

TEST(Walks, LookWorkspacesUpWhereEveryCoordinateMatters) {
  const Consumer c = consumer("y(i) = w(i) + b(i)", "dense");
  EXPECT_THAT(c.loop().walks.drained, IsEmpty());
  EXPECT_EQ(c.loop().iteration, Iteration::Full);
}

TEST(Walks, MergeAWorkspaceWithWhatIsAddedToIt) {
  const Consumer c = consumer("y(i) = w(i) + b(i)", "sparse");
  EXPECT_EQ(lattice_of(c.nest, c.loop().walks), "{b1 w1} > {b1} > {w1}");
  EXPECT_EQ(c.loop().iteration, Iteration::Drain);
}

TEST(Paths, AreSharedByAccessesThatRepeatThem) {
  const std::string text = "y(i) = A(i,j) * A(i,j) + A(j,i)";
  const HandProgram p(text, random_request(text, {{"A", {"csr", 20}}}, {{"i", 9}, {"j", 9}}).operands, "dense",
                      Assembly::Random);
  const Program program = p.with(p.forall("i", p.forall("j", p.assign("y(i) += A(i,j) * A(i,j) + A(j,i)"))));
  const Paths paths(program);
  EXPECT_EQ(paths.size(), 2U);
  EXPECT_THAT(paths.reads(program.root), ElementsAre(2, 1));
  EXPECT_EQ(paths.of(concrete::result_access(program, program.result().var)), -1);
}

TEST(Presence, IsThatOfTheDeepestLevelSoFar) {
  const Program program = sum_of_rows();
  const Nest nest = analyze(program);
  using concrete::Formula;
  ASSERT_EQ(nest.atoms.size(), 2U);  // the second levels: the first are dense
  const Node& body = nest.root.children[0].children[0];
  EXPECT_TRUE(nest.root.presence.is_always());
  EXPECT_EQ(body.presence, Formula::atom(0) | Formula::atom(1));
  EXPECT_TRUE(nest.stored(0, 0).is_always());
  EXPECT_EQ(nest.stored(0, 1), Formula::atom(0));
}

}  // namespace
}  // namespace lacuna::iteration::walks_test
