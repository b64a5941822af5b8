#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/schedule/directives/directives.h"
#include "unit/schedule/subject.h"

namespace lacuna::unroll_test {
namespace {

using testing::HasSubstr;

Subject matrix_vector(const std::string& A = "csr") { return {"y(i) = A(i,j) * x(j)", {{"A", A}, {"x", "dense"}}}; }
Subject product() { return {"C(i,j) = A(i,k) * B(k,j)", {{"A", "csr"}, {"B", "csr"}}, "csr"}; }

TEST(Unroll, WritesOutIterationsOfAnyCountedLoop) {
  EXPECT_EQ(matrix_vector().loops("unroll(j,4)"), "forall i\n  forall j  (unroll 4)\n    y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("unroll(i,1024)"),
            "forall i  (unroll 1024)\n  forall j\n    y(i) += A(i,j) * x(j)\n");
  EXPECT_THAT(matrix_vector().c_code("unroll(j,4)"), HasSubstr("#pragma GCC unroll 4\n    for (int64_t pA2"));
  EXPECT_THAT(matrix_vector("dense").c_code("unroll(i,3)"), HasSubstr("#pragma GCC unroll 3\n  for (int64_t i"));
  EXPECT_THAT(matrix_vector("dense").c_code("split(i,a,b,4), reorder(b,a), unroll(a,5)"),
              HasSubstr("#pragma GCC unroll 5\n    for (int64_t a"));
}

TEST(Unroll, SumsPiecesOfRowsInRegisters) {
  const Subject rows("Y(i,j) = A(i,k) * X(k,j)", {{"A", "csr"}, {"X", "dense"}}, "dense");
  const std::string pieces = "split(j,jo,ji,4), reorder(i,jo,k,ji), unroll(ji,4)";
  const std::string code = rows.c_code(pieces);
  EXPECT_THAT(code, HasSubstr("double Y_sums[4] = {0};"));
  EXPECT_THAT(code, HasSubstr("Y_sums[ji] += A_vals[pA2] * X_vals[k * X2_size + j];"));
  EXPECT_THAT(code, Not(HasSubstr("Y_vals[k")));  // nothing is filled before
  EXPECT_EQ(rows.compiled_difference(pieces), "");
  // Of rows that are come to again, on threads, and beside other terms.
  for (const char* more : {", split(k,ko,kk,3), reorder(ko,i,jo,kk,ji)", ", parallelize(i,CPUThread)",
                           ", parallelize(k,CPUThread,Atomics)", ", parallelize(jo,CPUThread)", ", split(jo,a,b,2)"})
    EXPECT_EQ(rows.difference(pieces + more), "") << more;
  const Subject terms("Y(i,j) = Z(i,j) + A(i,k) * X(k,j)", {{"Z", "dense"}, {"A", "csr"}, {"X", "dense"}}, "dense");
  EXPECT_EQ(terms.difference("split(j,jo,ji,4), unroll(ji,4)"), "");
}

TEST(Unroll, WritesOutTheLoopThatDrainsAWorkspace) {
  EXPECT_THAT(product().c_code("precompute(A(i,k)*B(k,j),j,jw), unroll(j,4)"), HasSubstr("#pragma GCC unroll 4"));
}

TEST(Unroll, TheLastCountGiven) {
  EXPECT_EQ(matrix_vector().loops("unroll(j,4), unroll(j,2)"),
            "forall i\n  forall j  (unroll 2)\n    y(i) += A(i,j) * x(j)\n");
}

TEST(Unroll, RefusesLoopsWithOtherUnits) {
  EXPECT_EQ(matrix_vector().refusal("parallelize(i,CPUThread), unroll(i,2)"),
            "unroll: the loop over i is run by CPUThread; split it and unroll the inner piece");
  EXPECT_EQ(matrix_vector().refusal("vectorize(j), unroll(j,2)"),
            "unroll: the loop over j is run by CPUVector; split it and unroll the inner piece");
}

TEST(Unroll, WritesOutLoopsThatOthersFollow) {
  const Subject followed("y(i) = exp(a(i)) + b(i)", {{"a", "compressed"}, {"b", "compressed"}}, "dense");
  EXPECT_THAT(followed.c_code("unroll(i,4)"), HasSubstr("#pragma GCC unroll 4"));
  EXPECT_EQ(followed.difference("unroll(i,4)"), "");
}

TEST(Unroll, RefusesLoopsThatMerge) {
  const Subject intersection("C(i,j) = A(i,j) * B(i,j)", {{"A", "csr"}, {"B", "csr"}}, "csr");
  const char* reason =
      " moves on by what it finds in its operands, so that every step has to look whether there is another; unroll "
      "loops "
      "over coordinates, or over what one operand stores";
  EXPECT_EQ(intersection.refusal("unroll(j,4)"), std::string("unroll: the loop over j") + reason);
  const Subject coordinates("y(i) = A(i,j) * x(j)", {{"A", "coo"}, {"x", "dense"}});
  EXPECT_EQ(coordinates.refusal("unroll(i,4)"), std::string("unroll: the loop over i") + reason);
}

TEST(Unroll, RefusesLoopsThatAreNoLongerThere) {
  EXPECT_EQ(matrix_vector().refusal("unroll(k,2)"), "unroll: there is no loop over k; the loops are i, j");
  EXPECT_EQ(matrix_vector().refusal("split(j,jo,ji,4), unroll(j,2)"),
            "unroll: j has no loop any more; the loops that replaced it are jo, ji");
}

TEST(Unroll, ChecksValuesThatNoTextWentThrough) {
  EXPECT_EQ(matrix_vector().refusal_of(directive::Unroll{"j", 0}),
            "unroll: 0 iterations at a time are not between 1 and 1024");
  EXPECT_EQ(matrix_vector().refusal_of(directive::Unroll{"j", 1025}),
            "unroll: 1025 iterations at a time are not between 1 and 1024");
}

/// One piece is collected at a time: a temporary whose pieces are inside of another's is added to in memory.
TEST(Unroll, PiecesInsideOfPiecesAreAddedUp) {
  const Subject train("A(i,l) = B(i,j,k) * G(j,m,l) * H(k,m)", {{"B", "csf"}, {"G", "dense"}, {"H", "dense"}}, "dense",
                      {{"i", 6}, {"j", 5}, {"k", 7}, {"l", 4}, {"m", 4}});
  EXPECT_EQ(train.difference("reorder(i,j,k,m,l), split(l,lo,li,4), reorder(i,lo,j,k,m,li), "
                             "loopfuse({B(i,j,k),H(k,m)},left,{},3), unroll(li,4), split(mw,mwo,mwi,4), "
                             "reorder(mwo,k,mwi), unroll(mwi,4)"),
            "");
}

/// Long pieces are printed with vectors.
TEST(Unroll, LongRowsAreAddedUpInVectors) {
  const Subject rows("Y(i,l) = A(i,k) * X(k,l)", {{"A", "csr"}, {"X", "dense"}}, "dense",
                     {{"i", 12}, {"k", 9}, {"l", 150}});
  const std::string pieces = "split(l,lo,li,64), reorder(i,lo,k,li), unroll(li,64)";
  EXPECT_EQ(rows.compiled_difference(pieces), "");
  const Subject chain("A(i,l) = B(i,j) * C(j,k) * D(k,l)", {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}}, "dense",
                      {{"i", 12}, {"j", 10}, {"k", 70}, {"l", 150}});
  EXPECT_EQ(chain.compiled_difference("reorder(i,j,k,l), loopfuse(2,left), split(l,lo,li,64), "
                                      "reorder(lo,k,li), unroll(li,64), split(kw,kwo,kwi,32), reorder(kwo,j,kwi), "
                                      "unroll(kwi,32), parallelize(i,CPUThread)"),
            "");
}

}  // namespace
}  // namespace lacuna::unroll_test
