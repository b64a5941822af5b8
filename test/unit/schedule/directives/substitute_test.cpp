#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/jit/blas.h"
#include "lacuna/schedule/directives/directives.h"
#include "unit/schedule/subject.h"

namespace lacuna::substitute_test {
namespace {

using testing::HasSubstr;
using testing::Not;

Subject product(const std::string& A = "dense", const std::string& B = "dense", const std::string& C = "dense") {
  return {"C(i,j) = A(i,k) * B(k,j)", {{"A", A}, {"B", B}}, C};
}
Subject chain() {
  return {"A(i,l) = B(i,j) * C(j,k) * D(k,l)",
          {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}},
          "dense",
          {{"i", 22}, {"j", 3}, {"k", 5}, {"l", 4}}};
}

TEST(Substitute, PutsACallInThePlaceOfThreeLoops) {
  EXPECT_EQ(
      product().loops("reorder(i,k,j), substitute({i,j,k},BLAS.gemm)"),
      "forall i  (BLAS.gemm)\n  forall k  (BLAS.gemm)\n    forall j  (BLAS.gemm)\n      C(i,j) += A(i,k) * B(k,j)\n");
  const std::string code = product().c_code("reorder(i,k,j), substitute({i,j,k},BLAS.gemm)");
  EXPECT_THAT(code,
              HasSubstr("cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int32_t)A1_size, (int32_t)B2_size,"));
  EXPECT_THAT(code, Not(HasSubstr("for (")));  // nothing is filled before
}

TEST(Substitute, TakesTheLoopsInAnyOrder) {
  for (const char* order : {"i,j,k", "i,k,j", "k,i,j", "k,j,i", "j,i,k", "j,k,i"})
    EXPECT_EQ(product().difference("reorder(" + std::string(order) + "), substitute({i,j,k},BLAS.gemm)"), "") << order;
}

TEST(Substitute, TakesMatricesByRowsAndByColumns) {
  for (const char* A : {"dense", "d,d:1,0"})
    for (const char* B : {"dense", "d,d:1,0"})
      for (const char* C : {"dense", "d,d:1,0"})
        EXPECT_EQ(product(A, B, C).difference("substitute({i,j,k},BLAS.gemm)"), "") << A << " " << B << " " << C;
}

TEST(Substitute, MultipliesBlocks) {
  for (const char* blocks :
       {"split(i,io,ii,5), reorder(io,ii,j,k), substitute({ii,j,k},BLAS.gemm)",
        "split(k,ko,ki,4), reorder(ko,i,j,ki), substitute({i,j,ki},BLAS.gemm)",
        "split(i,a,b,4), split(j,c,d,3), split(k,e,f,2), reorder(a,c,e,b,d,f), substitute({b,d,f},BLAS.gemm)",
        "reorder(i,k,j), substitute({i,j,k},BLAS.gemm), split(i,io,ii,2)",
        "divide(i,io,ii,5), reorder(io,ii,j,k), substitute({ii,j,k},BLAS.gemm), parallelize(io,CPUThread)",
        "split(k,ko,ki,4), reorder(ko,i,j,ki), substitute({i,j,ki},BLAS.gemm), parallelize(ko,CPUThread,Temporary)"})
    EXPECT_EQ(product().difference(blocks), "") << blocks;
}

TEST(Substitute, MultipliesPartsOfTensors) {
  const Subject batched("C(l,i,j) = A(l,i,k) * B(l,k,j)", {{"A", "dense"}, {"B", "dense"}}, "dense",
                        {{"i", 3}, {"j", 4}, {"k", 5}, {"l", 2}});
  EXPECT_EQ(batched.difference("reorder(l,i,j,k), substitute({i,j,k},BLAS.gemm)"), "");
  const Subject middle("C(i,l,j) = A(i,k) * B(k,l,j)", {{"A", "dense"}, {"B", "dense"}}, "dense",
                       {{"i", 3}, {"j", 4}, {"k", 5}, {"l", 2}});
  EXPECT_EQ(middle.difference("reorder(l,i,j,k), substitute({i,j,k},BLAS.gemm)"), "");
}

/// Rows of the temporary that no entry leads to are nothing, even against infinities.
TEST(Substitute, MultipliesBlocksOfRowsThatAreComputedFirst) {
  const std::string blocks = "split(i,io,ii,4), loopfuse(2,left,{},1), substitute({ii,k,l},BLAS.gemm)";
  const std::string code = chain().c_code(blocks);
  EXPECT_THAT(code, HasSubstr("double *restrict w = lacuna_allocate(ctx, 4 * C2_size, sizeof *w);"));
  EXPECT_THAT(code, HasSubstr("uint8_t *restrict has_w = lacuna_allocate_zeroed(ctx, 4, sizeof *has_w);"));
  for (const char* more : {"", ", parallelize(io,CPUThread)", ", parallelize(j,CPUThread,Temporary)",
                           ", split(kw,kwo,kwi,5), reorder(kwo,ii,j,kwi), unroll(kwi,5)"})
    EXPECT_EQ(chain().difference(blocks + more), "") << more;
  EXPECT_EQ(chain().difference("divide(i,io,ii,5), loopfuse(2,left,{},1), substitute({ii,k,l},BLAS.gemm)"), "");
  EXPECT_EQ(chain().difference("loopfuse(2,left,{},0), substitute({i,k,l},BLAS.gemm)"), "");
}

TEST(Substitute, MakesWhatOthersTakeRowByRow) {
  EXPECT_EQ(chain().difference("loopfuse({C,D},left,{},0), substitute({jw,k,lw},BLAS.gemm)"), "");
  EXPECT_EQ(chain().difference("loopfuse({C,D},left,{},0), split(jw,jo,ji,2), "
                               "reorder(jo,ji,k,lw), substitute({ji,k,lw},BLAS.gemm)"),
            "");
}

TEST(Substitute, RunsCompiled) {
  if (blas() == nullptr) GTEST_SKIP() << "there is no OpenBLAS here";
  EXPECT_EQ(product().compiled_difference("substitute({i,j,k},BLAS.gemm)"), "");
  EXPECT_EQ(product("d,d:1,0", "d,d:1,0", "d,d:1,0").compiled_difference("substitute({i,j,k},BLAS.gemm)"), "");
  EXPECT_EQ(chain().compiled_difference("split(i,io,ii,4), loopfuse(2,left,{},1), substitute({ii,k,l},BLAS.gemm), "
                                        "parallelize(io,CPUThread)"),
            "");
}

TEST(Substitute, RefusesWhatIsNoProductOfMatrices) {
  EXPECT_THAT(
      product("csr").refusal("substitute({i,j,k},BLAS.gemm)"),
      HasSubstr("substitute: A is stored as csr; BLAS runs over dense levels, with no other below them: leave the "
                "loops over i and k outside"));
  EXPECT_THAT(product("dense", "dense", "csr").refusal("substitute({i,j,k},BLAS.gemm)"), HasSubstr("substitute: "));
  const Subject sum("C(i,j) = A(i,k) + B(k,j)", {{"A", "dense"}, {"B", "dense"}}, "dense");
  EXPECT_THAT(sum.refusal("substitute({i,j,k},BLAS.gemm)"), HasSubstr("substitute: "));
  EXPECT_THAT(chain().refusal("substitute({i,k,l},BLAS.gemm)"),
              HasSubstr("nowhere directly inside one another with one assignment"));
  const Subject elementwise("C(i,j) = A(i,j,k) * B(k,j)", {{"A", "dense"}, {"B", "dense"}}, "dense");
  EXPECT_THAT(elementwise.refusal("substitute({i,j,k},BLAS.gemm)"),
              HasSubstr("BLAS.gemm has no variable such as j, which indexes C, A, B: it computes C(m,n) += a * A(m,k) "
                        "* B(k,n); leave the loop over j outside"));
  const Subject apart("C(i,j) = A(i,k,l) * B(k,j)", {{"A", "dense"}, {"B", "dense"}}, "dense");
  EXPECT_THAT(apart.refusal("reorder(l,i,j,k), substitute({i,j,k},BLAS.gemm)"),
              HasSubstr("A stores the entries along l as neighbours"));
}

TEST(Substitute, RefusesOtherDirectivesForItsLoops) {
  for (const char* more : {"unroll(k,2)", "parallelize(i,CPUThread)"})
    EXPECT_THAT(product().refusal("substitute({i,j,k},BLAS.gemm), " + std::string(more)), HasSubstr(": ")) << more;
  EXPECT_THAT(product().refusal("substitute({i,j,k},BLAS.gemm), unroll(k,2)"),
              HasSubstr("the loop over k is not run by BLAS as a whole"));
  EXPECT_THAT(product().refusal("split(k,ko,ki,4), reorder(ko,i,j,ki), substitute({i,j,ki},BLAS.gemm), "
                                "parallelize(ko,CPUThread,Atomics)"),
              HasSubstr("one by one (Atomics)"));
}

TEST(Substitute, RefusesToAddToRowsAgainThatMayBeMissing) {
  EXPECT_THAT(chain().refusal("split(k,ko,ki,2), loopfuse(2,left,{},0), reorder(ko,i,ki,l), "
                              "substitute({i,ki,l},BLAS.gemm)"),
              HasSubstr("rows of w may be missing"));
}

}  // namespace
}  // namespace lacuna::substitute_test
