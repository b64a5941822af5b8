#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/schedule/directives/directives.h"
#include "unit/schedule/subject.h"

namespace lacuna::transpose_test {
namespace {

using testing::HasSubstr;

Subject matrix_vector(const std::string& A = "csr") { return {"y(i) = A(i,j) * x(j)", {{"A", A}, {"x", "dense"}}}; }
Subject tensor_product() {
  return {"A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {{"B", "csf"}, {"C", "dense"}, {"D", "dense"}}};
}

std::string copies(const Scheduled& s) {
  std::string all;
  for (const OperandCopy& c : s.copies) all += c.name + " is " + c.source + " as " + c.format.to_string() + "\n";
  return all;
}

TEST(Transpose, ReadsACopyInTheOrderGiven) {
  const Scheduled s = matrix_vector().finished("transpose(A,1,0), reorder(j,i)");
  EXPECT_EQ(concrete::to_string(s.program.root), "forall j\n  forall i\n    y(i) += A_transposed(i,j) * x(j)\n");
  EXPECT_EQ(copies(s), "A_transposed is A as csc\n");
}

TEST(Transpose, OfTheOrderThatItHasReadsNoCopy) {
  EXPECT_EQ(copies(matrix_vector().finished("transpose(A,0,1), reorder(i,j)")), "");
}

TEST(Transpose, CopiesADenseOperandDensely) {
  EXPECT_EQ(copies(matrix_vector("dense").finished("transpose(A,1,0), reorder(j,i)")),
            "A_transposed is A as dense:1,0\n");
}

TEST(Transpose, CompressesWhatIsCopied) {
  EXPECT_EQ(copies(tensor_product().finished("transpose(B,2,0,1), reorder(l,i,k)")),
            "B_transposed is B as dense,compressed,compressed:2,0,1\n");
  EXPECT_EQ(copies(matrix_vector("coo").finished("transpose(A,1,0), reorder(j,i)")), "A_transposed is A as csc\n");
}

TEST(Transpose, TakesTheLastOfSeveral) {
  EXPECT_EQ(copies(tensor_product().finished("transpose(B,2,1,0), transpose(B,1,0,2), reorder(k,i,l)")),
            "B_transposed is B as dense,compressed,compressed:1,0,2\n");
  EXPECT_EQ(copies(matrix_vector().finished("transpose(A,1,0), transpose(A,0,1)")), "A_transposed is A as csr\n");
}

TEST(Transpose, OfACopiedOperandReplacesTheCopy) {
  EXPECT_EQ(copies(matrix_vector("dense,hashed").finished("unroll(i,2)")), "A_copy is A as csr\n");
  EXPECT_EQ(copies(matrix_vector("dense,hashed").finished("transpose(A,1,0), reorder(j,i)")),
            "A_transposed is A as csc\n");
}

TEST(Transpose, RefusesWhatIsNoOperand) {
  EXPECT_EQ(matrix_vector().refusal("transpose(y,0)"), "transpose: y is not an operand of the statement");
  EXPECT_EQ(matrix_vector().refusal("transpose(Q,1,0)"), "transpose: Q is not an operand of the statement");
}

TEST(Transpose, RefusesModesThatTheOperandDoesNotHave) {
  EXPECT_EQ(matrix_vector().refusal("transpose(A,2,1,0)"), "transpose: give each mode of A once, 0 to 1");
  EXPECT_EQ(matrix_vector().refusal("transpose(A,0)"), "transpose: give each mode of A once, 0 to 1");
  const Subject scaled("y(i) = a * x(i)", {{"a", "dense"}, {"x", "dense"}});
  EXPECT_EQ(scaled.refusal("transpose(a,0)"), "transpose: a is a scalar: it has no modes to reorder");
  EXPECT_EQ(matrix_vector().refusal_of(directive::Transpose{"A", {0, 0}}),
            "transpose: give each mode of A once, 0 to 1");
  EXPECT_EQ(matrix_vector().refusal_of(directive::Transpose{"A", {}}), "transpose: give each mode of A once, 0 to 1");
}

TEST(Transpose, RefusesAnOperandWhosePositionsAreCounted) {
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,A), transpose(A,1,0)"),
            "transpose: positions of A are counted already (pos); transpose it before");
}

TEST(Transpose, RefusesAnOrderThatTheLoopsDoNotHave) {
  EXPECT_EQ(
      matrix_vector().refusal("transpose(A,1,0)"),
      "transpose: the copy of A is stored by j, then i, and the loops do not come in that order; add reorder(j, i) "
      "after this directive");
  EXPECT_EQ(tensor_product().refusal("transpose(B,1,0,2)"),
            "transpose: the copy of B is stored by k, then i, then l, and the loops do not come in that order; add "
            "reorder(k, i, l) after this directive");
  EXPECT_EQ(
      matrix_vector().refusal("split(i,io,ii,4), transpose(A,1,0)"),
      "transpose: the copy of A is stored by j, then i, and the loops do not come in that order; add reorder(j, io, "
      "ii) after this directive");
}

TEST(Transpose, LeavesPositionsOfOthersAlone) {
  const Subject s("y(i) = A(i,j) * B(i,j)", {{"A", "csr"}, {"B", "dense"}});
  EXPECT_EQ(s.difference("pos(j,jp,A), transpose(B,1,0)"), "");
}

}  // namespace
}  // namespace lacuna::transpose_test
