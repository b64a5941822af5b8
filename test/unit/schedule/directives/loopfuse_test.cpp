#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::loopfuse_test {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

// The running example of SparseLNR: a sampled product, then a product with a sparse matrix.
Subject sddmm_spmm(const std::string& A = "dense") {
  return {
      "A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)", {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"E", "dense"}}, A};
}
Subject spmm_gemm(const std::string& A = "dense") {
  return {"A(i,l) = B(i,j) * C(j,k) * D(k,l)", {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}}, A};
}
Subject three_kernels() {
  return {"A(i,m) = B(i,j) * C(i,k) * D(j,k) * F(j,l) * W(l,m)",
          {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"F", "dense"}, {"W", "dense"}},
          "dense",
          {{"m", 5}}};
}

TEST(LoopFuse, SharesAllLoopsThatBothSidesNeed) {
  const std::string branched =
      "forall i\n  forall j\n    forall l\n      A(i,l) += t * E(j,l)\n    where\n      forall k\n"
      "        t += B(i,j) * C(i,k) * D(j,k)\n";
  EXPECT_EQ(sddmm_spmm().loops("loopfuse(1)"), branched);
  EXPECT_EQ(sddmm_spmm().loops("reorder(i,j,k,l), loopfuse(1)"), branched);
  EXPECT_EQ(sddmm_spmm().loops("loopfuse(3,left)"), branched);
}

TEST(LoopFuse, KeepsARowWhereALoopBetweenIsNotShared) {
  EXPECT_EQ(sddmm_spmm().loops("reorder(i,k,j,l), loopfuse(1)"),
            "forall i\n  forall j\n    forall l\n      A(i,l) += w(j) * E(j,l)\n  where\n    forall k\n"
            "      forall jw\n        w(jw) += B(i,jw) * C(i,k) * D(jw,k)\n");
  EXPECT_EQ(spmm_gemm().loops("loopfuse(1)"),
            "forall i\n  forall k\n    forall l\n      A(i,l) += w(k) * D(k,l)\n  where\n    forall j\n"
            "      forall kw\n        w(kw) += B(i,j) * C(j,kw)\n");
}

TEST(LoopFuse, GoesOnWithWhatTheLastStepMadeFirst) {
  const std::string branched =
      "forall i\n  forall l\n    forall m\n      A(i,m) += w(l) * W(l,m)\n  where\n    forall j\n      forall lw\n"
      "        w(lw) += t * F(j,lw)\n      where\n        forall k\n          t += B(i,j) * C(i,k) * D(j,k)\n";
  EXPECT_EQ(three_kernels().loops("reorder(i,j,k,l,m), loopfuse(2)"), branched);
  EXPECT_EQ(three_kernels().loops("reorder(i,j,k,l,m), loopfuse(1), loopfuse(1)"), branched);
  EXPECT_EQ(three_kernels().loops("reorder(i,j,k,l,m), loopfuse(4,left), loopfuse(3,left,{producer})"), branched);
}

TEST(LoopFuse, SplitsTheConsumerToo) {
  EXPECT_EQ(three_kernels().loops("reorder(i,j,k,l,m), loopfuse(3,left), loopfuse(1,right,{consumer})"),
            "forall i\n  forall j\n    forall m\n      A(i,m) += t * w(m)\n    where\n      forall l\n"
            "        forall mw\n          w(mw) += F(j,l) * W(l,mw)\n    where\n      forall k\n"
            "        t += B(i,j) * C(i,k) * D(j,k)\n");
}

TEST(LoopFuse, ComputesEitherSideFirst) {
  EXPECT_EQ(spmm_gemm().loops("loopfuse(1,right)"),
            "forall i\n  forall j\n    forall l\n      A(i,l) += B(i,j) * w(j,l)\nwhere\n  forall jw\n    forall k\n"
            "      forall lw\n        w(jw,lw) += C(jw,k) * D(k,lw)\n");
  EXPECT_EQ(spmm_gemm().loops("loopfuse({C,D},left)"), spmm_gemm().loops("loopfuse(1,right)"));
  EXPECT_EQ(spmm_gemm().loops("loopfuse({B(i,j)},right)"), spmm_gemm().loops("loopfuse(1,right)"));
}

TEST(LoopFuse, SharesNoMoreLoopsThanAsked) {
  EXPECT_EQ(sddmm_spmm().loops("loopfuse(3,left,{},1)"),
            "forall i\n  forall j\n    forall l\n      A(i,l) += w(j) * E(j,l)\n  where\n    forall jw\n"
            "      forall k\n        w(jw) += B(i,jw) * C(i,k) * D(jw,k)\n");
  EXPECT_EQ(sddmm_spmm().loops("loopfuse(3,left,{},0)"),
            "forall i\n  forall j\n    forall l\n      A(i,l) += w(i,j) * E(j,l)\nwhere\n  forall iw\n    forall jw\n"
            "      forall k\n        w(iw,jw) += B(iw,jw) * C(iw,k) * D(jw,k)\n");
  EXPECT_EQ(sddmm_spmm().loops("loopfuse(3,left,{},2)"), sddmm_spmm().loops("loopfuse(1)"));
}

TEST(LoopFuse, TakesSeveralOperandsAndVariablesOffAtOnce) {
  const Subject two("A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l) * f(l)",
                    {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"E", "dense"}, {"f", "dense"}}, "dense");
  EXPECT_THAT(two.loops("loopfuse(1)"), HasSubstr("A(i,l) += t * E(j,l) * f(l)\n"));
  const Subject cubes("A(i,k,l) = B(i,j) * c(j) * E(j,k,l)", {{"B", "csr"}, {"c", "dense"}, {"E", "dense"}}, "dense");
  EXPECT_EQ(cubes.loops("reorder(i,j,k,l), loopfuse(1)"),
            "forall i\n  forall j\n    forall k\n      forall l\n        A(i,k,l) += t * E(j,k,l)\n    where\n"
            "      t += B(i,j) * c(j)\n");
}

TEST(LoopFuse, KeepsSignsNumbersAndDivisors) {
  const Subject scaled("A(i,l) = -2 * B(i,j) * C(j,k) / e(k) * D(k,l) / f(l)",
                       {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"e", "dense"}, {"f", "dense"}}, "dense");
  EXPECT_EQ(scaled.loops("loopfuse(1)"),
            "forall i\n  forall k\n    forall l\n      A(i,l) += -2.0 * w(k) * D(k,l) / f(l)\n  where\n    forall j\n"
            "      forall kw\n        w(kw) += B(i,j) * C(j,kw) / e(kw)\n");
}

TEST(LoopFuse, SplitsFactorsThatAreSums) {
  const Subject sum("A(i,l) = (B(i,j) * C(j,k) - F(i,j) * G(j,k)) * D(k,l)",
                    {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"F", "csr"}, {"G", "dense"}}, "dense");
  EXPECT_THAT(sum.loops("reorder(i,j,k,l), loopfuse(1)"), HasSubstr("w(kw) += B(i,j) * C(j,kw) - F(i,j) * G(j,kw)\n"));
}

TEST(LoopFuse, SplitsEachTermOfASum) {
  const Subject sum("A(i,l) = B(i,j) * C(j,k) * D(k,l) - F(i,j) * C(j,k) * E(j,l)",
                    {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"F", "csr"}, {"E", "dense"}}, "dense");
  const std::string first =
      "  forall k\n    forall l\n      A(i,l) += w(k) * D(k,l)\n  where\n    forall j\n      forall kw\n"
      "        w(kw) += B(i,j) * C(j,kw)\n";
  const std::string second =
      "  forall j\n    forall l\n      A(i,l) += -(t * E(j,l))\n    where\n      forall k\n"
      "        t += F(i,j) * C(j,k)\n";
  EXPECT_EQ(sum.loops("reorder(i,j,k,l), loopfuse(1)"), "forall i\n" + first + "  ;\n" + second);
  EXPECT_EQ(sum.loops("reorder(i,j,k,l), loopfuse(2,left,{1}), loopfuse(2,left,{2})"),
            "forall i\n" + first + "  ;\n" + second);
  EXPECT_EQ(sum.loops("reorder(i,j,k,l), loopfuse({F,C},left)"),
            "forall i\n  forall j\n    forall k\n      forall l\n        A(i,l) += B(i,j) * C(j,k) * D(k,l)\n    ;\n" +
                std::string("    forall l\n      A(i,l) += -(t * E(j,l))\n    where\n      forall k\n"
                            "        t += F(i,j) * C(j,k)\n"));
}

TEST(LoopFuse, TakesTermsWithSumsOfTheirOwnOutOfLoops) {
  const Subject sum("A(i,l) = B(i,j) * C(j,k) * D(k,l) + F(i,l)",
                    {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"F", "dense"}}, "dense");
  EXPECT_EQ(sum.loops("loopfuse(1)"),
            "forall i\n  forall l\n    A(i,l) += F(i,l)\n  ;\n  forall k\n    forall l\n"
            "      A(i,l) += w(k) * D(k,l)\n  where\n    forall j\n      forall kw\n"
            "        w(kw) += B(i,j) * C(j,kw)\n");
}

TEST(LoopFuse, BranchesAreAddressedByTheirOwnVariables) {
  EXPECT_EQ(spmm_gemm().loops("loopfuse(1), split(kw,ko,ki,4), reorder(l,k), parallelize(i,CPUThread), unroll(ki,4)"),
            "forall i  (threads)\n  forall l\n    forall k\n      A(i,l) += w(k) * D(k,l)\n  where\n    forall j\n"
            "      forall ko\n        forall ki  (unroll 4)\n          w(kw) += B(i,j) * C(j,kw)\n");
}

TEST(LoopFuse, LeavesLoopsThatWereSplitToBothSides) {
  EXPECT_EQ(spmm_gemm().loops("split(k,ko,ki,4), loopfuse(1)"),
            "forall i\n  forall ko\n    forall ki\n      forall l\n        A(i,l) += w(k) * D(k,l)\n  where\n"
            "    forall j\n      forall ko\n        forall ki\n          w(k) += B(i,j) * C(j,k)\n");
}

TEST(LoopFuse, MakesSparseResults) {
  for (const char* format : {"csr", "dcsr", "csc", "coo", "dense"}) {
    EXPECT_EQ(sddmm_spmm(format).difference("loopfuse(1)"), "") << format;
    EXPECT_EQ(spmm_gemm(format).difference("loopfuse(1)"), "") << format;
  }
  for (const char* format : {"csr", "dcsr"})
    EXPECT_EQ(spmm_gemm(format).difference("loopfuse(1), parallelize(i,CPUThread)"), "") << format;
}

TEST(LoopFuse, RunsCompiled) {
  EXPECT_EQ(sddmm_spmm().compiled_difference("loopfuse(1), parallelize(i,CPUThread)"), "");
  EXPECT_EQ(three_kernels().compiled_difference("reorder(i,j,k,l,m), loopfuse(2), parallelize(i,CPUThread)"), "");
}

TEST(LoopFuse, NamesWhatPreventsASplit) {
  EXPECT_THAT(spmm_gemm().refusal("loopfuse(2)"),
              HasSubstr("after 1 of 2 steps, nothing can be split off the end of a product: in B(i,j) * C(j,kw), "
                        "B(i,j) would be left alone, with no sum of its own"));
  const Subject turned("A(i,l) = E(i,l) * B(i,j) * C(j,k)", {{"E", "dense"}, {"B", "csr"}, {"C", "dense"}}, "dense");
  EXPECT_THAT(turned.refusal("loopfuse(1)"), HasSubstr("all indices of A(i,l) are used by E(i,l) already (i, l)"));
  EXPECT_THAT(turned.loops("loopfuse({B,C},left)"), HasSubstr("A(i,l) += E(i,l) * t\n"));
  EXPECT_THAT(spmm_gemm().refusal("loopfuse(3,left)"), HasSubstr("has 3 operands, of which at most 2 can be left"));
  EXPECT_THAT(spmm_gemm().refusal("loopfuse({B,X},left)"), HasSubstr("B, X are not all operands of one product"));
  EXPECT_THAT(spmm_gemm().refusal("loopfuse(2,left,{},5)"),
              HasSubstr("there are 4 loops that the producer and the consumer could share, not 5"));
  const Subject copy("A(i,l) = B(i,l)", {{"B", "csr"}}, "dense");
  EXPECT_THAT(copy.refusal("loopfuse(1)"), HasSubstr("B(i,l) is one operand"));
  EXPECT_THAT(copy.refusal("loopfuse(1,left)"), HasSubstr("B(i,l) is one operand: there is nothing to split"));
  const Subject divided("A(i,l) = B(i,j) / C(j,l)", {{"B", "csr"}, {"C", "dense"}}, "dense");
  EXPECT_THAT(divided.refusal("loopfuse(1,right)"), HasSubstr("take an operand that is multiplied"));
}

TEST(LoopFuse, SharesLoopsThatOnlyOneSideNeedsWhereAsked) {
  const std::string in_turns = "split(l,lo,li,2), reorder(i,lo,j,k,li), loopfuse(3,left,{},3)";
  EXPECT_THAT(sddmm_spmm().loops(in_turns), HasSubstr("forall i\n"
                                                      "  forall lo\n"
                                                      "    forall j\n"
                                                      "      forall li\n"
                                                      "        A(i,l) += t * E(j,l)\n"
                                                      "      where\n"
                                                      "        forall k\n"
                                                      "          t += B(i,j) * C(i,k) * D(j,k)"));
  for (const char* more : {"", ", unroll(li,2)", ", parallelize(i,CPUThread)"})
    EXPECT_EQ(sddmm_spmm().difference(in_turns + more), "") << more;
  for (const char* loops : {"0", "1", "2", "3", "4"})
    EXPECT_EQ(sddmm_spmm().difference("reorder(i,j,k,l), loopfuse(3,left,{},"s + loops + ")"), "") << loops;
  for (const char* loops : {"0", "1", "2", "3", "4"})
    EXPECT_EQ(spmm_gemm().difference("reorder(i,j,k,l), loopfuse(2,left,{},"s + loops + ")"), "") << loops;
}

TEST(LoopFuse, RefusesPathsThatLeadNowhere) {
  EXPECT_THAT(spmm_gemm().refusal("loopfuse(2,left), loopfuse(1,left)"),
              HasSubstr("branches below the loop over i into a producer and a consumer"));
  EXPECT_THAT(spmm_gemm().refusal("loopfuse(2,left,{producer})"),
              HasSubstr("the path goes on at A(i,l) += B(i,j) * C(j,k) * D(k,l), where the nest does not branch"));
  EXPECT_THAT(spmm_gemm().refusal("loopfuse(2,left,{2})"), HasSubstr("1 terms in"));
  const Subject sum("A(i,l) = B(i,j) * C(j,k) * D(k,l) + F(i,l)",
                    {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"F", "dense"}}, "dense");
  EXPECT_THAT(sum.refusal("loopfuse(1,left)"), HasSubstr("there are 2 terms"));
  EXPECT_THAT(sum.refusal("loopfuse(1,left,{3})"), HasSubstr("there are 2 terms, but the path names the 3th"));
  EXPECT_THAT(sum.refusal("loopfuse(1,left,{producer})"),
              HasSubstr("add the number of one to the path before producer"));
}

TEST(LoopFuse, RefusesLoopsThatBelongToOneNest) {
  EXPECT_THAT(spmm_gemm().refusal("fuse(i,j,f), loopfuse(1)"),
              HasSubstr("f runs over i and j together, and one side of the split needs only some of them"));
  const Subject chain("A(i,l) = B(i,j) * C(j,k) * D(j,l)", {{"B", "csr"}, {"C", "csr"}, {"D", "dense"}}, "dense");
  EXPECT_THAT(chain.refusal("pos(j,jp,B), loopfuse(2,left,{},1)"), HasSubstr("jp runs over positions"));
  EXPECT_THAT(chain.loops("pos(j,jp,B), loopfuse(1)"), HasSubstr("forall jp\n    forall l\n"));
  EXPECT_THAT(chain.loops("pos(k,kp,C), loopfuse(1)"), HasSubstr("forall kp\n        t +="));
}

TEST(LoopFuse, ReordersOnlyWithinABranch) {
  EXPECT_EQ(spmm_gemm().loops("loopfuse(1), reorder(i,j)"), spmm_gemm().loops("loopfuse(1)"));
  EXPECT_THAT(spmm_gemm().refusal("loopfuse(1), reorder(j,i)"),
              HasSubstr("w is made and read in each iteration of the loop over i"));
  EXPECT_THAT(spmm_gemm().refusal("loopfuse(1), reorder(j,k)"), HasSubstr("not directly inside one another"));
}

/// Every split of every product, with every number of shared loops, under several orders of the loops.
TEST(LoopFuse, EverySplitIsRightOrRefused) {
  int accepted = 0;
  for (const Subject& subject : {sddmm_spmm(), sddmm_spmm("csr"), spmm_gemm(), spmm_gemm("csc")})
    for (const char* order : {"", "reorder(i,k), ", "reorder(j,k), ", "reorder(k,l), ", "split(i,io,ii,5), "})
      for (int left = 1; left <= 3; ++left)
        for (const char* side : {"left", "right"})
          for (const char* loops : {"", ",{},0", ",{},1", ",{},2"}) {
            const std::string schedule =
                std::string(order) + "loopfuse(" + std::to_string(left) + "," + side + loops + ")";
            try {
              EXPECT_EQ(subject.difference(schedule), "") << schedule;
              ++accepted;
            } catch (const Error&) {
              continue;
            }
          }
  EXPECT_GT(accepted, 150);
}

TEST(LoopFuse, RefusesToRenameWhatPositionsAreCountedOf) {
  const Subject s("y(j) = C(k,i) * (B(k) * A(j))", {{"C", "dcsc"}, {"B", "compressed"}, {"A", "dense"}}, "dense");
  EXPECT_EQ(s.refusal("reorder(j,i,k), pos(i,ip,C), loopfuse({A,B},right)"),
            "loopfuse: ip counts the positions of C(k,i), whose loops the producer calls differently; apply pos after "
            "loopfuse");
}

}  // namespace
}  // namespace lacuna::loopfuse_test
