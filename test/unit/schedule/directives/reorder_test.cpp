#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/schedule/directives/directives.h"
#include "unit/schedule/subject.h"

namespace lacuna::reorder_test {
namespace {

Subject dense_product() { return {"C(i,j) = A(i,k) * B(k,j)", {{"A", "dense"}, {"B", "dense"}}, "dense"}; }
Subject sparse_product() { return {"C(i,j) = A(i,k) * B(k,j)", {{"A", "csr"}, {"B", "csr"}}, "csr"}; }

TEST(Reorder, NestsTheLoopsInTheOrderGiven) {
  EXPECT_EQ(dense_product().loops("reorder(j,k,i)"),
            "forall j\n  forall k\n    forall i\n      C(i,j) += A(i,k) * B(k,j)\n");
  EXPECT_EQ(dense_product().loops("reorder(k,j,i)"),
            "forall k\n  forall j\n    forall i\n      C(i,j) += A(i,k) * B(k,j)\n");
}

TEST(Reorder, LeavesLoopsThatAreNotNamedInTheirPlaces) {
  const Subject s("y(i) = A(i,j) * x(j)", {{"A", "dense"}, {"x", "dense"}});
  EXPECT_EQ(s.loops("reorder(i,j), split(i,io,ii,4), reorder(j,io)"),
            "forall j\n  forall ii\n    forall io\n      y(i) += A(i,j) * x(j)\n");
}

TEST(Reorder, OfWhatIsInOrderChangesNothing) {
  EXPECT_EQ(dense_product().loops("reorder(j,k,i), reorder(j,k,i)"), dense_product().loops("reorder(j,k,i)"));
}

TEST(Reorder, KeepsHowEachLoopIsRun) {
  EXPECT_EQ(dense_product().loops("reorder(i,j,k), parallelize(i,CPUThread), unroll(k,2), reorder(k,i,j)"),
            "forall k  (unroll 2)\n  forall i  (threads)\n    forall j\n      C(i,j) += A(i,k) * B(k,j)\n");
}

TEST(Reorder, RunsPiecesOfTwoVariablesAsTiles) {
  EXPECT_EQ(dense_product().loops("reorder(i,j,k), split(i,io,ii,4), split(j,jo,ji,3), reorder(io,jo,ii,ji,k)"),
            "forall io\n  forall jo\n    forall ii\n      forall ji\n        forall k\n"
            "          C(i,j) += A(i,k) * B(k,j)\n");
}

TEST(Reorder, RunsPiecesInsideOut) {
  EXPECT_EQ(sparse_product().loops("split(i,io,ii,5), reorder(ii,io)"),
            "forall ii\n  forall io\n    forall k\n      forall j\n        C(i,j) += A(i,k) * B(k,j)\n");
}

TEST(Reorder, TakesWhatStandsInsideAlong) {
  const Subject sum("C(i,j) = A(i,j) * B(i,j) + sum(k, D(i,j,k))", {{"A", "dense"}, {"B", "dense"}, {"D", "dense"}},
                    "dense");
  EXPECT_EQ(sum.loops("reorder(j,i)"),
            "forall j\n  forall i\n    C(i,j) = A(i,j) * B(i,j) + s1\n    where\n      forall k\n"
            "        s1 += D(i,j,k)\n");
}

TEST(Reorder, ReachesEveryNestThatHasAllOfTheLoopsAndNoOther) {
  const Subject three("s = A(i,j) * B(j,k) + C(i,k) * D(k,j) + E(j,k) * x(k)",
                      {{"A", "dense"}, {"B", "dense"}, {"C", "dense"}, {"D", "dense"}, {"E", "csr"}, {"x", "dense"}});
  EXPECT_EQ(three.loops("reorder(k,j,i)"),
            "forall k\n  forall j\n    forall i\n      s += A(i,j) * B(j,k) + C(i,k) * D(k,j)\n;\n"
            "forall j\n  forall k\n    s += E(j,k) * x(k)\n");
}

TEST(Reorder, ReachesThroughLoopsThatTermsShare) {
  const std::map<std::string, std::string> formats{{"A", "dense"}, {"B", "csr"}, {"C", "dense"}, {"D", "dense"}};
  const Subject added("A(i,l) += B(i,j) * C(j,k) * D(k,l)", formats, "dense");
  EXPECT_EQ(added.loops("reorder(i,j,l,k)"),
            "forall i\n  forall l\n    A(i,l) += A_old(i,l)\n  ;\n  forall j\n    forall l\n      forall k\n"
            "        A(i,l) += B(i,j) * C(j,k) * D(k,l)\n");
  EXPECT_EQ(added.loops("reorder(i,j,l,k)"), added.loops("reorder(j,l,k)"));
  EXPECT_THAT(added.loops("reorder(i,j,k,l), loopfuse(1)"), testing::HasSubstr("w(kw) += B(i,j) * C(j,kw)"));
  const Subject sum("A(i,l) = E(i,l) + B(i,j) * C(j,k) * D(k,l)",
                    {{"E", "csr"}, {"B", "csr"}, {"C", "csr"}, {"D", "csr"}}, "dense");
  EXPECT_THAT(sum.loops("reorder(i,j,k,l), loopfuse(1)"), testing::HasSubstr("w(kw) += B(i,j) * C(j,kw)"));
}

TEST(Reorder, SplitsALoopThatTermsShare) {
  const Subject sum("y(i) = A(i,j) * x(j) + b(i)", {{"A", "dense"}, {"x", "dense"}, {"b", "dense"}});
  const std::string split = "forall i\n  y(i) += b(i)\n;\nforall j\n  forall i\n    y(i) += A(i,j) * x(j)\n";
  EXPECT_EQ(sum.loops("reorder(j,i)"), split);
  EXPECT_EQ(sum.loops("reorder(j,i), reorder(j,i)"), split);
  const Subject sparse("y(i) = A(i,j) * x(j) + b(i)", {{"A", "csr"}, {"x", "dense"}, {"b", "dense"}}, "dense");
  EXPECT_THAT(sparse.refusal("reorder(j,i)"), testing::HasSubstr("transpose(A, 1, 0) before this directive"));
  EXPECT_EQ(sparse.difference("transpose(A, 1, 0), reorder(j,i)"), "");
  EXPECT_EQ(sparse.compiled_difference("transpose(A, 1, 0), reorder(j,i), parallelize(i,CPUThread)"), "");
}

TEST(Reorder, SplitsOnlyTheLoopsThatHaveToMove) {
  const Subject sum("y(i) = A(i,j) * x(j) + b(i)", {{"A", "dense"}, {"x", "dense"}, {"b", "dense"}});
  EXPECT_EQ(sum.loops("split(i,io,ii,4), reorder(io,j,ii)"),
            "forall io\n  forall ii\n    y(i) += b(i)\n  ;\n  forall j\n    forall ii\n      y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(sum.loops("split(i,io,ii,4), reorder(ii,j,io)"),
            "forall ii\n  forall io\n    y(i) += b(i)\n  ;\n  forall j\n    forall io\n      y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(sum.loops("split(i,io,ii,4), reorder(j,io)"),
            "forall io\n  forall ii\n    y(i) += b(i)\n;\n"
            "forall j\n  forall ii\n    forall io\n      y(i) += A(i,j) * x(j)\n");
}

TEST(Reorder, KeepsTermsTogetherThatItDoesNotReorder) {
  const Subject four(
      "y(i) = b(i) + A(i,j) * x(j) + B(i,k) * z(k) + C(i,l) * v(l)",
      {{"b", "dense"}, {"A", "dense"}, {"x", "dense"}, {"B", "dense"}, {"z", "dense"}, {"C", "dense"}, {"v", "dense"}});
  EXPECT_EQ(four.loops("reorder(k,i)"),
            "forall i\n  y(i) += b(i)\n  ;\n  forall j\n    y(i) += A(i,j) * x(j)\n;\n"
            "forall k\n  forall i\n    y(i) += B(i,k) * z(k)\n;\n"
            "forall i\n  forall l\n    y(i) += C(i,l) * v(l)\n");
}

TEST(Reorder, SplitsTheLoopsOfWhatIsAddedTo) {
  const Subject added("A(i,l) += B(i,j) * C(j,k) * D(k,l)",
                      {{"A", "dense"}, {"B", "dense"}, {"C", "dense"}, {"D", "dense"}}, "dense");
  EXPECT_EQ(added.loops("reorder(j,i,k,l)"),
            "forall i\n  forall l\n    A(i,l) += A_old(i,l)\n;\n"
            "forall j\n  forall i\n    forall k\n      forall l\n        A(i,l) += B(i,j) * C(j,k) * D(k,l)\n");
  EXPECT_EQ(added.compiled_difference("reorder(j,i,k,l), parallelize(i,CPUThread)"), "");
  EXPECT_THAT(added.loops("reorder(j,i,k,l), loopfuse(1)"), testing::HasSubstr("w(iw,kw) += B(iw,j) * C(j,kw)"));
}

TEST(Reorder, TakesASumsTemporaryToTheTermThatReadsIt) {
  const Subject sum("y(i) = A(i,j) * x(j) + b(i) * sum(k, B(i,k))",
                    {{"A", "dense"}, {"x", "dense"}, {"b", "dense"}, {"B", "dense"}});
  EXPECT_EQ(sum.loops("reorder(j,i)"),
            "forall i\n  y(i) += b(i) * s1\n  where\n    forall k\n      s1 += B(i,k)\n;\n"
            "forall j\n  forall i\n    y(i) += A(i,j) * x(j)\n");
  const Subject nested("y(i) = sum(j, A(i,j) * sum(k, B(j,k) * x(k))) + C(i,l) * v(l)",
                       {{"A", "dense"}, {"B", "csr"}, {"x", "dense"}, {"C", "dense"}, {"v", "dense"}});
  EXPECT_THAT(nested.loops("reorder(l,i)"), testing::HasSubstr("forall l\n  forall i\n    y(i) += C(i,l) * v(l)\n"));
}

TEST(Reorder, SplitsLoopsBeforeAndAfterPrecompute) {
  const Subject sum("y(i) = A(i,j) * x(j) + b(i)", {{"A", "dense"}, {"x", "dense"}, {"b", "dense"}});
  EXPECT_EQ(sum.loops("reorder(j,i), precompute(A(i,j) * x(j),{i},{iw},w)"),
            "forall i\n  y(i) += b(i)\n;\n"
            "forall i\n  y(i) += w(i)\nwhere\n  forall j\n    forall iw\n      w(iw) += A(iw,j) * x(j)\n");
  EXPECT_EQ(sum.loops("precompute(y(i),{i},{iw},w), reorder(j,iw)"),
            "forall i\n  y(i) += w(i)\nwhere\n  forall iw\n    w(iw) += b(iw)\n  ;\n"
            "  forall j\n    forall iw\n      w(iw) += A(iw,j) * x(j)\n");
}

TEST(Reorder, SplitsLoopsOverPositions) {
  const Subject terms("y(i) = A(i,j) * x(j) + A(i,j) * B(j,k) * z(k)",
                      {{"A", "dcsr"}, {"x", "dense"}, {"B", "dense"}, {"z", "dense"}});
  EXPECT_THAT(terms.loops("reorder(i,j,k), pos(i,ip,A), split(ip,po,pi,3), reorder(k,po,pi,j)"),
              testing::HasSubstr("forall k\n  forall po\n    forall pi\n      forall j\n"));
}

TEST(Reorder, SplitsLoopsOfASparseResult) {
  const Subject sum("C(i,j) = A(i,k) * B(k,j) + E(i,j)", {{"A", "csc"}, {"B", "csr"}, {"E", "csr"}}, "csr");
  EXPECT_EQ(sum.loops("transpose(A, 1, 0), reorder(k,i,j)"),
            "forall i\n  forall j\n    C(i,j) += E(i,j)\n;\n"
            "forall k\n  forall i\n    forall j\n      C(i,j) += A_transposed(i,k) * B(k,j)\n");
}

TEST(Reorder, SaysWhichTemporaryKeepsALoopInside) {
  const Subject product("y(i) = sum(j, A(i,j)) * sum(k, B(i,k))", {{"A", "csr"}, {"B", "csr"}});
  EXPECT_EQ(
      product.refusal("reorder(j,i)"),
      "reorder: s1 is made and read in each iteration of the loop over i, so that the loop over j has to stay inside "
      "it");
  EXPECT_EQ(
      product.refusal("reorder(k,i)"),
      "reorder: s2 is made and read in each iteration of the loop over i, so that the loop over k has to stay inside "
      "it");
  const Subject sum("C(i,j) = A(i,k) * B(k,j) + E(i,j)", {{"A", "csr"}, {"B", "csr"}, {"E", "csr"}}, "csr");
  EXPECT_THAT(sum.refusal("precompute(C(i,j),{j},{jw},w), reorder(k,i)"),
              testing::HasSubstr("w is made and read in each iteration of the loop over i"));
}

TEST(Reorder, RefusesAnOrderThatALevelCannotBeWalkedIn) {
  EXPECT_EQ(
      sparse_product().refusal("reorder(j,k,i)"),
      "reorder: A(i,k) is stored by i, then k, so the loops must come in that order; to run them as asked, read a "
      "transposed copy: transpose(A, 1, 0) before this directive");
  EXPECT_EQ(
      sparse_product().refusal("reorder(i,j,k)"),
      "reorder: B(k,j) is stored by k, then j, so the loops must come in that order; to run them as asked, read a "
      "transposed copy: transpose(B, 1, 0) before this directive");
  const Subject tensor("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {{"B", "csf"}, {"C", "dense"}, {"D", "dense"}});
  EXPECT_EQ(
      tensor.refusal("reorder(l,i)"),
      "reorder: B(i,k,l) is stored by i, then k, then l, so the loops must come in that order; to run them as asked, "
      "read a transposed copy: transpose(B, 2, 1, 0) before this directive");
}

TEST(Reorder, NamesTheOperandWhoseCopyIsRead) {
  const Subject s("y(i) = A(i,j) * x(j)", {{"A", "dense,hashed"}, {"x", "dense"}});
  EXPECT_EQ(
      s.refusal("reorder(j,i)"),
      "reorder: the copy that is read of A(i,j) is stored by i, then j, so the loops must come in that order; to run "
      "them as asked, read a transposed copy: transpose(A, 1, 0) before this directive");
  EXPECT_EQ(s.difference("transpose(A, 1, 0), reorder(j,i)"), "");
}

TEST(Reorder, SaysATransposeThatDoes) {
  EXPECT_EQ(sparse_product().difference("transpose(B, 1, 0), reorder(i,j,k)"), "");
  const Subject tensor("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {{"B", "csf"}, {"C", "dense"}, {"D", "dense"}});
  EXPECT_EQ(tensor.difference("transpose(B, 2, 1, 0), reorder(l,i)"), "");
}

TEST(Reorder, RefusesLoopsOfDifferentNests) {
  const Subject sum("y(i) = sum(j, A(i,j)) * sum(k, B(i,k))", {{"A", "csr"}, {"B", "csr"}});
  EXPECT_EQ(
      sum.refusal("reorder(j,k)"),
      "reorder: the loops j, k are not directly inside one another in any nest: only such loops can change places");
}

TEST(Reorder, RefusesVariablesWithoutLoops) {
  EXPECT_EQ(dense_product().refusal("reorder(i,m)"), "reorder: there is no loop over m; the loops are k, i, j");
  EXPECT_EQ(dense_product().refusal("split(i,io,ii,4), reorder(i,j)"),
            "reorder: i has no loop any more; the loops that replaced it are io, ii");
}

TEST(Reorder, ChecksValuesThatNoTextWentThrough) {
  EXPECT_EQ(dense_product().refusal_of(directive::Reorder{{"i", "i"}}), "reorder: i is named twice");
}

}  // namespace
}  // namespace lacuna::reorder_test
