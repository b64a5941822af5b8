#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/notation/parse.h"
#include "lacuna/schedule/language/schedule.h"
#include "unit/schedule/same.h"

namespace lacuna::parse_test {
namespace {

using ::testing::ElementsAre;

/// The only directive of a text.
template <typename Kind>
Kind the(const std::string& text) {
  const Schedule s = parse_schedule(text);
  if (s.directives.size() != 1) throw InternalError(text + " is not one directive");
  return std::get<Kind>(s.directives[0].kind);
}

Expr rhs_of(const std::string& text) { return parse_statement("y = " + text).rhs; }

std::string printed(const std::string& text) { return to_string(parse_schedule(text)); }

TEST(ParseSchedule, SplitAndDivideHaveTheirSizes) {
  const auto split = the<directive::Split>("split(i, io, ii, 32)");
  EXPECT_TRUE(same(split, directive::Split{"i", "io", "ii", 32, false}));
  const auto divide = the<directive::Split>("divide(i,io,ii,4611686018427387904)");
  EXPECT_TRUE(same(divide, directive::Split{"i", "io", "ii", std::int64_t{1} << 62, true}));
}

TEST(ParseSchedule, ReorderTakesAListWithOrWithoutBraces) {
  EXPECT_THAT(the<directive::Reorder>("reorder(k,i,j)").variables, ElementsAre("k", "i", "j"));
  EXPECT_THAT(the<directive::Reorder>("reorder({k, i, j})").variables, ElementsAre("k", "i", "j"));
}

TEST(ParseSchedule, CollapseIsFuse) {
  EXPECT_TRUE(same(the<directive::Fuse>("collapse(i,j,f)"), directive::Fuse{"i", "j", "f"}));
  EXPECT_EQ(printed("collapse(i,j,f)"), "fuse(i,j,f)");
}

TEST(ParseSchedule, PosTakesATensorOrAnAccess) {
  const auto plain = the<directive::Pos>("pos(f,fp,A)");
  ASSERT_NE(as<Access>(plain.access), nullptr);
  EXPECT_EQ(as<Access>(plain.access)->tensor.name(), "A");
  EXPECT_TRUE(as<Access>(plain.access)->indices.empty());
  EXPECT_TRUE(equal(the<directive::Pos>("pos(j, jp, A(i, j))").access, rhs_of("A(i,j)")));
}

TEST(ParseSchedule, BoundsHaveTheirOwnWordsAndTacos) {
  using concrete::BoundKind;
  const auto kind = [](const std::string& word) { return the<directive::Bound>("bound(i,ib,8," + word + ")").kind; };
  EXPECT_EQ(kind("min"), BoundKind::Min);
  EXPECT_EQ(kind("max"), BoundKind::Max);
  EXPECT_EQ(kind("exact"), BoundKind::Exact);
  EXPECT_EQ(kind("MinExact"), BoundKind::Min);
  EXPECT_EQ(kind("MinConstraint"), BoundKind::Min);
  EXPECT_EQ(kind("MaxExact"), BoundKind::Exact);
  EXPECT_EQ(kind("MaxConstraint"), BoundKind::Max);
  EXPECT_EQ(printed("bound(i,ib,8,MaxExact)"), "bound(i,ib,8,exact)");
}

TEST(ParseSchedule, UnitsAndRaces) {
  using concrete::Race;
  using concrete::Unit;
  const auto read = [](const std::string& rest) { return the<directive::Parallelize>("parallelize(i," + rest + ")"); };
  EXPECT_TRUE(same(read("CPUThread"), directive::Parallelize{"i", Unit::CpuThread, Race::NoRaces}));
  EXPECT_TRUE(same(read("CPUVector,Atomics"), directive::Parallelize{"i", Unit::CpuVector, Race::Atomics}));
  EXPECT_TRUE(same(read("NotParallel"), directive::Parallelize{"i", Unit::Serial, Race::NoRaces}));
  EXPECT_TRUE(same(read("Serial,NoRaces"), directive::Parallelize{"i", Unit::Serial, Race::NoRaces}));
  EXPECT_EQ(read("CPUThread,IgnoreRaces").race, Race::NoRaces);
  EXPECT_EQ(read("CPUThread,Temporary").race, Race::Temporary);
  EXPECT_EQ(read("CPUThread,ParallelReduction").race, Race::ParallelReduction);
  EXPECT_EQ(printed("parallelize(i,serial)"), "parallelize(i,NotParallel,NoRaces)");
}

TEST(ParseSchedule, VectorizeIsAParallelLoopWithoutRaces) {
  EXPECT_TRUE(same(the<directive::Parallelize>("vectorize(j)"),
                   directive::Parallelize{"j", concrete::Unit::CpuVector, concrete::Race::NoRaces}));
  EXPECT_EQ(printed("parallelize(j,CPUVector)"), "vectorize(j)");
  EXPECT_EQ(printed("parallelize(j,CPUVector,IgnoreRaces)"), "vectorize(j)");
}

TEST(ParseSchedule, PrecomputeTakesAnExpressionAndVariables) {
  const auto one = the<directive::Precompute>("precompute(A(i,k) * B(k,j), j, jw)");
  EXPECT_TRUE(equal(one.expr, rhs_of("A(i,k) * B(k,j)")));
  EXPECT_THAT(one.variables, ElementsAre("j"));
  EXPECT_THAT(one.producer_variables, ElementsAre("jw"));
  EXPECT_EQ(one.name, "");
  EXPECT_FALSE(one.format.has_value());
  const auto two = the<directive::Precompute>("precompute(min(a(i), b(j)), {i, j}, {iw, jw})");
  EXPECT_TRUE(equal(two.expr, rhs_of("min(a(i), b(j))")));
  EXPECT_THAT(two.variables, ElementsAre("i", "j"));
  EXPECT_THAT(two.producer_variables, ElementsAre("iw", "jw"));
}

TEST(ParseSchedule, PrecomputeMayNameTheWorkspaceAndItsFormat) {
  const auto read = [](const std::string& rest) {
    return the<directive::Precompute>("precompute(B(i,j),{i,j},{iw,jw}," + rest + ")");
  };
  EXPECT_EQ(read("w").name, "w");
  EXPECT_FALSE(read("w").format.has_value());
  EXPECT_EQ(read("w,ds").format, csr_format());
  EXPECT_EQ(read("w, dense, compressed:1,0").format, csc_format());
  EXPECT_EQ(read("hashed").format, hashed_format(2));
  EXPECT_EQ(read("hashed").name, "");
  EXPECT_EQ(read("Dense,Compressed(nonunique)").format->to_string(), "dense,compressed(nonunique)");
  // Letters alone are a name: csr is a format, ds would be a workspace.
  EXPECT_EQ(read("ds").name, "ds");
  EXPECT_EQ(read("csr:0,1").format, csr_format());
}

TEST(ParseSchedule, BareNamesInPrecomputeAreValuesOfTheVariablesThatItNames) {
  const auto listed = the<directive::Precompute>("precompute(i * alpha, {i}, {iw})");
  const auto* product = as<Binary>(listed.expr);
  ASSERT_NE(product, nullptr);
  EXPECT_NE(as<IndexValue>(product->left), nullptr);
  EXPECT_NE(as<Access>(product->right), nullptr);
  EXPECT_TRUE(equal(the<directive::Precompute>("precompute(k * a(k), i, iw)").expr, rhs_of("k * a(k)")));
}

TEST(ParseSchedule, ReadsLoopfuse) {
  using Step = directive::LoopFuse::Step;
  const auto twice = the<directive::LoopFuse>("loopfuse(2)");
  EXPECT_EQ(twice.count, 2);
  EXPECT_FALSE(twice.producer.has_value());
  const auto named = the<directive::LoopFuse>("LoopFuse({B, C(i,k)}, Right, {Producer, 3, consumer}, 1)");
  ASSERT_EQ(named.operands.size(), 2U);
  EXPECT_TRUE(equal(named.operands[1], rhs_of("C(i,k)")));
  EXPECT_EQ(named.producer, directive::LoopFuse::Side::Right);
  EXPECT_EQ(named.path,
            (std::vector<Step>{{Step::Kind::Producer, 0}, {Step::Kind::Term, 3}, {Step::Kind::Consumer, 0}}));
  EXPECT_EQ(named.shared_loops, 1);
  EXPECT_EQ(the<directive::LoopFuse>("loopfuse(3,left,{ },0)").shared_loops, 0);
  EXPECT_TRUE(the<directive::LoopFuse>("loopfuse(3,left,{})").path.empty());
}

TEST(ParseSchedule, AssembleMergebyAndTranspose) {
  using Strategy = directive::Assemble::Strategy;
  EXPECT_TRUE(same(the<directive::Assemble>("assemble(C, Append)"), directive::Assemble{Strategy::Append, "C"}));
  EXPECT_TRUE(same(the<directive::Assemble>("assemble(C, insert)"), directive::Assemble{Strategy::Insert, "C"}));
  EXPECT_EQ(the<directive::MergeBy>("mergeby(i, gallop)").merge, concrete::Merge::Gallop);
  EXPECT_EQ(the<directive::MergeBy>("mergeby(i, TwoFinger)").merge, concrete::Merge::TwoFinger);
  EXPECT_THAT(the<directive::Transpose>("transpose(T, 2, 0, 1)").mode_order, ElementsAre(2, 0, 1));
  EXPECT_THAT(the<directive::Transpose>("transpose(T, {1,0})").mode_order, ElementsAre(1, 0));
}

TEST(ParseSchedule, CapitalsOfWordsDoNotMatterButThoseOfNamesDo) {
  EXPECT_EQ(printed("SPLIT(I,Io,iI,4), Parallelize(Io,cputhread,noraces)"),
            "split(I,Io,iI,4), parallelize(Io,CPUThread,NoRaces)");
}

TEST(ParseSchedule, DirectivesAreSeparatedByCommasSemicolonsOrLines) {
  const std::string canonical = "unroll(i,2), unroll(j,3), unroll(k,4)";
  EXPECT_EQ(printed("unroll(i,2),unroll(j,3) , unroll(k,4)"), canonical);
  EXPECT_EQ(printed(";unroll(i,2);unroll(j,3);; unroll(k,4);"), canonical);
  EXPECT_EQ(printed("\n unroll(i,2)\n\n unroll(j,\n3),\n unroll (k,4)\n"), canonical);
  EXPECT_TRUE(parse_schedule("").empty());
  EXPECT_TRUE(parse_schedule(" \n;").empty());
}

TEST(ParseSchedule, DirectivesKnowWhereTheyStand) {
  const std::string text = "unroll(i,2), precompute(a(i) + b(i), i, iw)";
  const Schedule s = parse_schedule(text);
  EXPECT_EQ(s.text, text);
  const SourceRange second = s.directives[1].where;
  EXPECT_EQ(text.substr(second.begin, second.end - second.begin), "precompute(a(i) + b(i), i, iw)");
  const auto& sum = std::get<directive::Precompute>(s.directives[1].kind).expr;
  const SourceRange right = as<Binary>(sum)->right.where();
  EXPECT_EQ(text.substr(right.begin, right.end - right.begin), "b(i)");
}

}  // namespace
}  // namespace lacuna::parse_test
