#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::pos_test {
namespace {

using testing::HasSubstr;

Subject matrix_vector(const std::string& A = "csr") { return {"y(i) = A(i,j) * x(j)", {{"A", A}, {"x", "dense"}}}; }

std::string program(const Subject& s, const std::string& schedule) {
  return concrete::to_string(s.finished(schedule).program);
}

TEST(Pos, CountsTheEntriesOfOneLevel) {
  EXPECT_EQ(matrix_vector().loops("pos(j,jp,A)"), "forall i\n  forall jp\n    y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector("dcsr").loops("pos(i,ip,A)"), "forall ip\n  forall j\n    y(i) += A(i,j) * x(j)\n");
  EXPECT_THAT(program(matrix_vector(), "pos(j,jp,A)"), HasSubstr("// jp = positions of j in A(i,j)\n"));
}

TEST(Pos, CountsTheEntriesOfSeveralLevels) {
  for (const char* A : {"csr", "dcsr", "coo"})
    EXPECT_EQ(matrix_vector(A).loops("fuse(i,j,f), pos(f,fp,A), split(fp,a,b,7)"),
              "forall a\n  forall b\n    y(i) += A(i,j) * x(j)\n")
        << A;
  const Subject tensor("y(i) = B(i,j,k) * x(k)", {{"B", "csf"}, {"x", "dense"}});
  EXPECT_EQ(tensor.loops("fuse(j,k,f), pos(f,fp,B), split(fp,a,b,5)"),
            "forall i\n  forall a\n    forall b\n      y(i) += B(i,j,k) * x(k)\n");
  EXPECT_EQ(tensor.loops("fuse(i,j,f), fuse(f,k,g), pos(g,gp,B), divide(gp,a,b,5)"),
            "forall a\n  forall b\n    y(i) += B(i,j,k) * x(k)\n");
  EXPECT_EQ(tensor.loops("fuse(i,j,f), pos(f,fp,B), divide(fp,a,b,5)"),
            "forall a\n  forall b\n    forall k\n      y(i) += B(i,j,k) * x(k)\n");
}

TEST(Pos, WalksTheOthersAlong) {
  const Subject product("C(i,j) = A(i,j) * B(i,j)", {{"A", "csr"}, {"B", "csr"}}, "csr");
  EXPECT_EQ(product.loops("pos(j,jp,B), split(jp,a,b,3)"),
            "forall i\n  forall a\n    forall b\n      C(i,j) = A(i,j) * B(i,j)\n");
  EXPECT_EQ(product.difference("fuse(i,j,f), pos(f,fp,A), split(fp,a,b,3)"), "");
}

TEST(Pos, KeepsHowTheLoopIsRun) {
  EXPECT_EQ(matrix_vector("dcsr").loops("parallelize(i,CPUThread), pos(i,ip,A)"),
            "forall ip  (threads)\n  forall j\n    y(i) += A(i,j) * x(j)\n");
}

TEST(Pos, NamesAnAccessWhereTheOperandHasSeveral) {
  const Subject twice("C(i,k) = A(i,j) * A(k,j)", {{"A", "csr"}}, "dense");
  EXPECT_EQ(twice.refusal("pos(j,jp,A)"), "pos: A is used with several lists of variables; name one, as in A(i,j)");
  EXPECT_EQ(twice.loops("pos(j,jp,A(i,j))"), "forall i\n  forall k\n    forall jp\n      C(i,k) += A(i,j) * A(k,j)\n");
  EXPECT_EQ(twice.loops("pos(j,jp,A(k,j)), split(jp,a,b,2)"),
            "forall i\n  forall k\n    forall a\n      forall b\n        C(i,k) += A(i,j) * A(k,j)\n");
}

TEST(Pos, MeansTheCopyThatIsRead) {
  EXPECT_EQ(matrix_vector().loops("transpose(A,1,0), reorder(j,i), pos(i,ip,A), split(ip,a,b,2)"),
            "forall j\n  forall a\n    forall b\n      y(i) += A_transposed(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("transpose(A,1,0), reorder(j,i), pos(i,ip,A(i,j))"),
            "forall j\n  forall ip\n    y(i) += A_transposed(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector("dense,hashed").loops("pos(j,jp,A)"),
            "forall i\n  forall jp\n    y(i) += A_copy(i,j) * x(j)\n");
}

TEST(Pos, GivesThreadsSharesOfPiecesThatLieBehindTheLastEntry) {
  const Subject product("s = a(i) * b(i)", {{"a", "compressed"}, {"b", "compressed"}}, "", {{"i", 3}});
  EXPECT_EQ(product.difference("pos(i,ip,a), divide(ip,io,ii,5), parallelize(ii,CPUThread,ParallelReduction)"), "");
}

TEST(Pos, RefusesWhatIsNoOperand) {
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,Q)"),
            "pos: Q is not an operand that the loops read; they read A(i,j), x(j)");
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,y)"),
            "pos: y is not an operand that the loops read; they read A(i,j), x(j)");
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,A(j,i))"),
            "pos: A(j,i) is not an operand that the loops read; they read A(i,j), x(j)");
}

TEST(Pos, RefusesPieces) {
  const char* rest = " is a piece of another variable; apply pos to the whole variable, then split the positions";
  EXPECT_EQ(matrix_vector().refusal("split(j,jo,ji,4), pos(ji,jp,A)"), std::string("pos: ji") + rest);
  EXPECT_EQ(matrix_vector().refusal("split(i,io,ii,4), fuse(ii,j,f), pos(f,fp,A)"), std::string("pos: f") + rest);
}

TEST(Pos, CountsTheEntriesOfABoundedVariable) {
  EXPECT_EQ(matrix_vector().loops("bound(j,jb,10,exact), pos(jb,jp,A), split(jp,a,b,2)"),
            "forall i\n  forall a\n    forall b\n      y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("bound(i,ib,12,max), fuse(ib,j,f), pos(f,fp,A), divide(fp,a,b,5)"),
            "forall a\n  forall b\n    y(i) += A(i,j) * x(j)\n");
}

TEST(Pos, RefusesPositions) {
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,A), pos(jp,jq,A)"),
            "pos: jp counts positions already; split it to share them out");
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,A), split(jp,a,b,2), pos(b,jq,A)"),
            "pos: b counts positions already; split it to share them out");
}

TEST(Pos, RefusesVariablesThatTheLevelsDoNotHaveInThatOrder) {
  EXPECT_EQ(matrix_vector().refusal("pos(i,ip,x)"),
            "pos: i does not range over consecutive levels of x(j) in the order in which they are stored");
  const Subject transposed("y(i) = A(j,i) * x(j)", {{"A", "dense"}, {"x", "dense"}});
  EXPECT_EQ(transposed.refusal("reorder(i,j), fuse(i,j,f), pos(f,fp,A)"),
            "pos: f does not range over consecutive levels of A(j,i) in the order in which they are stored");
}

TEST(Pos, RefusesLevelsWithoutPositionsOfEntries) {
  EXPECT_EQ(matrix_vector().refusal("pos(i,ip,A)"),
            "pos: i is a dense level of A, where positions are coordinates: split i itself");
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,x)"),
            "pos: j is a dense level of x, where positions are coordinates: split j itself");
  EXPECT_EQ(matrix_vector("dense,bitmap").refusal("pos(j,jp,A)"),
            "pos: j is a bitmap level of A, whose positions are not those of its entries; split j itself");
  const Subject located("y(i) = A(i,j) * B(i,j)", {{"A", "csr"}, {"B", "dense,hashed"}});
  EXPECT_EQ(located.refusal("pos(j,jp,B)"),
            "pos: j is a hashed level of B, whose positions are not those of its entries; split j itself");
  EXPECT_EQ(matrix_vector("bitmap,compressed").refusal("fuse(i,j,f), pos(f,fp,A)"),
            "pos: i is a bitmap level of A, whose positions are not those of its entries; split f itself");
}

TEST(Pos, RefusesLoopsThatAlsoComputeElsewhere) {
  const Subject sum("C(i,j) = A(i,j) + B(i,j)", {{"A", "csr"}, {"B", "csr"}}, "csr");
  EXPECT_EQ(
      sum.refusal("pos(j,jp,A)"),
      "pos: the loop over j also computes where A(i,j) stores nothing (C(i,j) = A(i,j) + B(i,j)), so its positions "
      "do not cover it; split the variable itself");
  const Subject terms("y(i) = A(i,j) * x(j) + B(i,j) * x(j)", {{"A", "csr"}, {"B", "csr"}, {"x", "dense"}});
  EXPECT_EQ(
      terms.refusal("pos(j,jp,A)"),
      "pos: the loop over j also computes where A(i,j) stores nothing (y(i) += A(i,j) * x(j) + B(i,j) * x(j)), so its "
      "positions do not cover it; split the variable itself");
}

TEST(Pos, RefusesPositionsOutsideWhatTheyAreUnder) {
  EXPECT_EQ(
      matrix_vector().refusal("pos(j,jp,A), reorder(jp,i)"),
      "reorder: jp counts the positions of A(i,j) under each i, so its loops must stay inside those of i; fuse i and j "
      "before pos to count the positions of all");
  EXPECT_EQ(
      matrix_vector().refusal("pos(j,jp,A), split(jp,a,b,2), reorder(a,i)"),
      "reorder: jp counts the positions of A(i,j) under each i, so its loops must stay inside those of i; fuse i and j "
      "before pos to count the positions of all");
}

TEST(Pos, RefusesPiecesInsideOut) {
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,A), split(jp,a,b,2), reorder(b,a)"),
            "pos: the loop over the positions jp inside each tile has to come last: reorder it to be the innermost");
}

TEST(Pos, RefusesNames) {
  EXPECT_EQ(matrix_vector().refusal("pos(k,kp,A)"), "pos: there is no loop over k; the loops are i, j");
  EXPECT_EQ(matrix_vector().refusal("pos(j,i,A)"),
            "pos: there is a variable i already; choose another name for the new one");
}

}  // namespace
}  // namespace lacuna::pos_test
