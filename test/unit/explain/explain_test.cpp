#include "lacuna/explain/explanation.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/explain/explained.h"

namespace lacuna::explain_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const RandomOperand dense{"dense"}, csr{"csr", 500};

/// The steps in the order they are done, two spaces an indent.
void lines_of(const Step& step, int depth, std::vector<std::string>& lines) {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  if (step.kind == Step::Kind::Loop) lines.push_back(indent + step.text + ": " + step.visits);
  if (step.kind == Step::Kind::Assignment) lines.push_back(indent + step.text);
  for (const Step& inner : step.steps) lines_of(inner, step.kind == Step::Kind::Loop ? depth + 1 : depth, lines);
}

std::vector<std::string> lines_of(const Explanation& e) {
  std::vector<std::string> lines;
  lines_of(e.root, 0, lines);
  return lines;
}

std::string why(const Explanation& e, const std::string& about) {
  std::string text;
  for (const Reason& r : e.reasons)
    if (r.about == about) text += r.why + "\n";
  return text;
}

std::vector<std::string> remarks(const Explanation& e) {
  std::vector<std::string> all;
  for (const ExplainedTensor& t : e.tensors) all.push_back(t.remark);
  return all;
}

TEST(Explain, StepsComeInTheOrderTheyAreDone) {
  const Explanation e = explained("C(i,k) = A(i,j) * B(j,k)", {{"A", csr}, {"B", csr}}, "csr");
  EXPECT_THAT(lines_of(e),
              ElementsAre("for i: all 100", "  for j: what A stores", "    for k: what B stores",
                          "      w(k) += A(i,j) * B(j,k)", "  for k: what w collected, sorted", "    C(i,k) = w(k)"));
}

TEST(Explain, MergingLoopsTellTheirLattice) {
  const Explanation e = explained("A(i,j) = B(i,j) * C(i,j) + D(i,j)", {{"B", csr}, {"C", csr}, {"D", csr}}, "csr");
  const Step& j = e.root.steps[0].steps[0];
  EXPECT_EQ(j.visits, "what is stored by B and C or by D");
  EXPECT_THAT(j.points, ElementsAre(ElementsAre("B2", "C2", "D2"), ElementsAre("B2", "C2"), ElementsAre("D2")));
}

TEST(Explain, ALatticeOfManyPointsIsToldInFull) {
  const Explanation e = explained("A(i,j) = B(i,j) + C(i,j) + D(i,j)", {{"B", csr}, {"C", csr}, {"D", csr}}, "csr");
  EXPECT_EQ(e.root.steps[0].steps[0].points.size(), 7U);
}

TEST(Explain, LevelsAreToldWhereTheyAreBound) {
  const Explanation e = explained("y(i) = A(i,j) * x(j)", {{"A", csr}, {"x", {"hashed", 9}}});
  const Step& j = e.root.steps[0].steps[0];
  ASSERT_EQ(j.stops.size(), 2U);
  EXPECT_EQ(e.lanes[static_cast<std::size_t>(j.stops[0].lane)].access, "A(i,j)");
  EXPECT_EQ(j.stops[0].kind, Stop::Kind::Walked);
  EXPECT_EQ(j.stops[1].kind, Stop::Kind::Located);
  EXPECT_EQ(j.stops[1].words, "hashed");
}

TEST(Explain, TheOrderOfLoopsFollowsWhatIsStored) {
  const Explanation e = explained("y(i) = A(i,j) * x(j)", {{"A", {"csc", 500}}, {"x", dense}});
  EXPECT_THAT(why(e, "order j, i"), HasSubstr("A (csc) is stored by j, then i"));
}

TEST(Explain, CopiesAreTold) {
  const Explanation e = explained("s = A(i,j) * B(j,i)", {{"A", csr}, {"B", csr}});
  EXPECT_THAT(remarks(e), Contains("a copy of B, which is csr"));
  EXPECT_THAT(e.notes, Contains(HasSubstr("B is read from a copy in csc")));
}

TEST(Explain, EachAssemblyHasItsReason) {
  const std::map<std::string, RandomOperand> sampled{{"B", csr}, {"C", dense}, {"D", dense}};
  EXPECT_THAT(why(explained("A(i,j) = B(i,j) * C(i,l) * D(j,l)", sampled, "csr"), "A"),
              HasSubstr("it shares B's coordinates"));
  EXPECT_THAT(why(explained("A(i,j) = B(i,j) + C(i,j)", {{"B", csr}, {"C", csr}}, "csr"), "A"), HasSubstr("appended"));
  EXPECT_THAT(why(explained("y(i) = A(i,j) * x(j)", {{"A", csr}, {"x", dense}}), "y"), HasSubstr("stored in place"));
}

TEST(Explain, ParallelLoopsSayWhyTheyMayBe) {
  const std::map<std::string, RandomOperand> operands{{"A", csr}, {"x", dense}};
  EXPECT_THAT(why(explained("y(i) = A(i,j) * x(j)", operands, "", "", 2), "loop i"),
              HasSubstr("no two iterations store to one place"));
  EXPECT_THAT(why(explained("s = x(i)", {{"x", dense}}, "", "parallelize(i,CPUThread,ParallelReduction)"), "loop i"),
              HasSubstr("each thread has a sum of its own"));
}

TEST(Explain, AGivenScheduleIsToldFromAChosenOne) {
  const std::map<std::string, RandomOperand> operands{{"A", csr}, {"x", dense}};
  const Explanation given = explained("y(i) = A(i,j) * x(j)", operands, "", "split(i,io,ii,8)");
  EXPECT_THAT(to_text(given), HasSubstr("given schedule\n  split(i,io,ii,8)"));
  EXPECT_THAT(lines_of(given)[0], "for io: i in pieces of 8");
  EXPECT_THAT(to_text(explained("y(i) = A(i,j) * x(j)", operands)), Not(HasSubstr("given schedule")));
}

TEST(Explain, OtherOrdersAreToldWithWhatTheyCost) {
  const Explanation e = explained("C(i,k) = A(i,j) * B(j,k)", {{"A", dense}, {"B", dense}});
  EXPECT_THAT(why(e, "not i, k, j"),
              AllOf(HasSubstr("728 k iterations"), HasSubstr("the innermost strides through B")));
}

TEST(Explain, RefusedOrdersAreCountedByTheirReasons) {
  const std::map<std::string, RandomOperand> operands{{"A", csr}, {"x", dense}};
  EXPECT_EQ(why(explained("y(i) = A(i,j) * x(j)", operands), "1 other order"),
            "A(i,j) is stored by i, then j, so the loops must come in that order\n");
  EXPECT_EQ(why(explained("y(i) = A(i,j) * x(j)", operands, "", "unroll(j,4)"), "1 other order"), "");
}

TEST(Explain, CostsAddUpFromTheInside) {
  const Explanation e = explained("y(i) = A(i,j) * x(j)", {{"A", csr}, {"x", dense}});
  const Step &i = e.root.steps[0], &j = i.steps[0];
  EXPECT_DOUBLE_EQ(j.cost.own.operations, 1000);
  EXPECT_DOUBLE_EQ(i.cost.own.operations, 0);
  EXPECT_DOUBLE_EQ(i.cost.with.operations, 1000);
  EXPECT_DOUBLE_EQ(e.total.operations, 1000);
  EXPECT_DOUBLE_EQ(e.intensity(), 1000 / e.compulsory_bytes);
}

TEST(Explain, TextIsAlignedAndSaysWhatIsAssumed) {
  Explanation e = explained("y(i) = A(i,j) * x(j)", {{"A", csr}, {"x", dense}});
  EXPECT_THAT(to_text(e), AllOf(HasSubstr("\n  for i: all 100"), HasSubstr("\n  │ for j: what A stores"),
                                HasSubstr("operations for each byte"), Not(HasSubstr("assumed"))));
  e.assumed = true;
  EXPECT_THAT(to_text(e), HasSubstr("note: entries that no -i gives are assumed"));
}

}  // namespace
}  // namespace lacuna::explain_test
