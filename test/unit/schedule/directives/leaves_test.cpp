// What substitute takes beyond products of two matrices: the other leaves, several variables of one role, and leaves
// inside loops that BLAS does not have.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/jit/blas.h"
#include "unit/schedule/subject.h"

namespace lacuna::leaves_test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::map<std::string, std::int64_t> extents = {{"b", 3}, {"i", 7}, {"j", 5}, {"k", 6}, {"l", 4}};
const char* const by_columns = "d,d:1,0";

Subject subject(const std::string& text, const std::map<std::string, std::string>& formats,
                const std::string& result = "dense") {
  return {text, formats, result, extents};
}
Subject matrix_vector(const std::string& A = "dense") {
  return subject("y(i) = A(i,k) * x(k)", {{"A", A}, {"x", "dense"}});
}
Subject ttm(const std::string& B = "dense", const std::string& A = "dense") {
  return subject("A(i,j,l) = B(i,j,k) * C(k,l)", {{"B", B}, {"C", "dense"}}, A);
}
Subject ttv(const std::string& B = "dense", const std::string& A = "dense") {
  return subject("A(i,j) = B(i,j,k) * c(k)", {{"B", B}, {"c", "dense"}}, A);
}
Subject mttkrp(const std::string& B = "dense") {
  return subject("A(i,l) = B(i,j,k) * D(k,l) * C(j,l)", {{"B", B}, {"C", "dense"}, {"D", "dense"}});
}
Subject batched() { return subject("C(b,i,j) = A(b,i,k) * B(b,k,j)", {{"A", "dense"}, {"B", "dense"}}); }
Subject sddmm() {
  return subject("A(i,j) = B(i,j) * C(i,k) * D(k,j)", {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}}, "csr");
}
Subject spmm(const std::string& A = "dense") {
  return subject("A(i,l) = B(i,k) * C(k,l)", {{"B", "csr"}, {"C", "dense"}}, A);
}

/// By the interpreter and, where there is BLAS, compiled.
void expect_equal(const Subject& s, const std::string& schedule) {
  EXPECT_EQ(s.difference(schedule), "") << schedule;
  if (blas() == nullptr) return;
  EXPECT_EQ(s.compiled_difference(schedule), "") << schedule << " compiled";
}

TEST(Leaves, MultiplyMatricesByVectors) {
  EXPECT_EQ(matrix_vector().loops("substitute({i,k},BLAS.gemv)"),
            "forall i  (BLAS.gemv)\n  forall k  (BLAS.gemv)\n    y(i) += A(i,k) * x(k)\n");
  const std::string code = matrix_vector().c_code("substitute({i,k},BLAS.gemv)");
  EXPECT_THAT(code,
              HasSubstr("cblas_dgemv(CblasRowMajor, CblasNoTrans, (int32_t)A1_size, (int32_t)A2_size, 1.0, A_vals"));
  EXPECT_THAT(code, Not(HasSubstr("for (")));
  EXPECT_THAT(matrix_vector(by_columns).c_code("substitute({i,k},BLAS.gemv)"), HasSubstr("CblasTrans"));
  for (const char* A : {"dense", by_columns})
    for (const char* schedule :
         {"substitute({i,k},BLAS.gemv)", "substitute({k,i},BLAS.gemv)", "reorder(k,i), substitute({i,k},BLAS.gemv)",
          "split(i,io,ii,3), reorder(io,ii,k), substitute({ii,k},BLAS.gemv), parallelize(io,CPUThread)",
          "split(k,ko,ki,4), reorder(ko,i,ki), substitute({i,ki},BLAS.gemv)",
          "divide(k,ko,ki,4), reorder(ko,i,ki), substitute({i,ki},BLAS.gemv), parallelize(ko,CPUThread,Temporary)"})
      expect_equal(matrix_vector(A), schedule);
}

/// The vector on the left, vectors that are rows and columns of matrices, a matrix between others, a factor outside.
TEST(Leaves, MultiplyMatricesByVectorsWithGaps) {
  expect_equal(subject("y(i) = x(k) * A(k,i)", {{"A", "dense"}, {"x", "dense"}}), "substitute({i,k},BLAS.gemv)");
  for (const char* X : {"dense", by_columns})
    for (const char* Y : {"dense", by_columns})
      expect_equal(subject("Y(i,j) = A(i,k) * X(k,j)", {{"A", "dense"}, {"X", X}}, Y),
                   "reorder(j,i,k), substitute({i,k},BLAS.gemv)");
  expect_equal(subject("Y(i,j) = 2 * c(j) * A(i,j,k) * x(k)", {{"A", "d,d,d:1,0,2"}, {"x", "dense"}, {"c", "dense"}}),
               "reorder(j,i,k), substitute({i,k},BLAS.gemv)");
}

TEST(Leaves, AddOuterProducts) {
  const std::string outer = "A(i,j) = x(i) * y(j)";
  for (const char* A : {"dense", by_columns}) {
    const Subject s = subject(outer, {{"x", "dense"}, {"y", "dense"}}, A);
    EXPECT_THAT(s.c_code("substitute({i,j},BLAS.ger)"), HasSubstr("cblas_dger(CblasRowMajor, "));
    expect_equal(s, "substitute({i,j},BLAS.ger)");
    expect_equal(s, "split(i,io,ii,3), reorder(io,ii,j), substitute({ii,j},BLAS.ger), parallelize(io,CPUThread)");
    const Subject sum = subject("A(i,j) = 3 * X(i,k) * Y(j,k)", {{"X", "dense"}, {"Y", "dense"}}, A);
    expect_equal(sum, "reorder(k,i,j), substitute({i,j},BLAS.ger)");
  }
}

TEST(Leaves, SumProductsOfVectors) {
  const Subject inner = subject("a = B(i,j,k) * C(i,j,k)", {{"B", "dense"}, {"C", "dense"}}, "");
  EXPECT_THAT(inner.c_code("substitute({i,j,k},BLAS.dot)"),
              HasSubstr("double t = cblas_ddot((int32_t)(B1_size * B2_size * B3_size), B_vals, 1, C_vals, 1);"));
  for (const char* schedule :
       {"substitute({i,j,k},BLAS.dot)", "reorder(i,j,k), substitute({k},BLAS.dot)",
        "reorder(i,j,k), substitute(k,BLAS.dot)",
        "reorder(i,j,k), substitute({j,k},BLAS.dot), parallelize(i,CPUThread,ParallelReduction)",
        "split(i,io,ii,2), reorder(io,ii,j,k), substitute({ii,j,k},BLAS.dot), parallelize(io,CPUThread,Temporary)"})
    expect_equal(inner, schedule);
  for (const char* A : {"dense", by_columns}) expect_equal(matrix_vector(A), "reorder(i,k), substitute({k},BLAS.dot)");
  expect_equal(ttv(), "reorder(i,j,k), substitute({k},BLAS.dot), parallelize(i,CPUThread)");
}

TEST(Leaves, SumProductsAtWhatIsStored) {
  EXPECT_THAT(
      sddmm().c_code("reorder(i,j,k), substitute({k},BLAS.dot)"),
      HasSubstr("B_vals[pB2] * cblas_ddot((int32_t)C2_size, &C_vals[i * C2_size], 1, &D_vals[j], (int32_t)D2_size)"));
  for (const char* more : {"", ", parallelize(i,CPUThread)"})
    expect_equal(sddmm(), "reorder(i,j,k), substitute({k},BLAS.dot)" + std::string(more));
  expect_equal(sddmm(),
               "reorder(i,j,k), fuse(i,j,f), pos(f,p,B(i,j)), divide(p,po,pi,3), substitute({k},BLAS.dot), "
               "parallelize(po,CPUThread)");
  // Into a temporary that has values for the entries of B.
  const Subject chain = subject("A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)",
                                {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"E", "dense"}});
  expect_equal(chain, "reorder(i,j,k,l), loopfuse({B,C,D},left,{},0), substitute({k},BLAS.dot)");
  expect_equal(chain,
               "reorder(i,j,k,l), loopfuse({B,C,D},left,{}), substitute({k},BLAS.dot), substitute({l},BLAS.axpy)");
}

/// In rows that are there whole, and in those of which the entries of B are.
TEST(Leaves, SumProductsInTemporaries) {
  const Subject dense = subject("A(i,l) = C(i,k) * D(j,k) * E(j,l)", {{"C", "dense"}, {"D", "dense"}, {"E", "dense"}});
  const std::string schedule = "reorder(i,j,k,l), loopfuse({C,D},left,{},1), substitute({k},BLAS.dot)";
  EXPECT_THAT(dense.c_code(schedule), HasSubstr("w[jw] = dot;"));
  for (const char* more : {"", ", parallelize(i,CPUThread)", ", parallelize(jw,CPUThread)"})
    expect_equal(dense, schedule + more);
  expect_equal(subject("A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)",
                       {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"E", "dense"}}),
               "reorder(i,j,k,l), loopfuse({B,C,D},left,{},1), substitute({k},BLAS.dot)");
}

TEST(Leaves, AddVectors) {
  EXPECT_THAT(
      spmm().c_code("substitute({l},BLAS.axpy)"),
      HasSubstr("cblas_daxpy((int32_t)C2_size, B_vals[pB2], &C_vals[k * C2_size], 1, &A_vals[i * A2_size], 1);"));
  for (const char* A : {"dense", by_columns})
    for (const char* more : {"", ", parallelize(i,CPUThread)"})
      expect_equal(spmm(A), "substitute({l},BLAS.axpy)" + std::string(more));
  expect_equal(subject("A(i,j) = B(i,j)", {{"B", "dense"}}), "substitute({i,j},BLAS.axpy)");
  expect_equal(subject("A(i,j,l) = B(i,j) * C(j,l)", {{"B", "csr"}, {"C", "dense"}}, "dense,compressed,dense"),
               "substitute({l},BLAS.axpy)");
  // A sum of several terms.
  expect_equal(subject("A(i,l) = B(i,k) * C(k,l) - D(i,j) * E(j,l)",
                       {{"B", "csr"}, {"D", "csr"}, {"C", "dense"}, {"E", "dense"}}),
               "substitute({l},BLAS.axpy)");
  expect_equal(subject("y(i) = b(i) - A(i,k) * x(k)", {{"A", "dense"}, {"x", "dense"}, {"b", "dense"}}),
               "substitute({k},BLAS.dot)");
}

TEST(Leaves, RunThroughSeveralModesAsOne) {
  EXPECT_THAT(ttm().c_code("substitute({i,j,k,l},BLAS.gemm)"), HasSubstr("(int32_t)(B1_size * B2_size)"));
  for (const char* schedule :
       {"substitute({i,j,k,l},BLAS.gemm)", "reorder(l,k,j,i), substitute({i,j,k,l},BLAS.gemm)",
        "split(i,io,ii,3), reorder(io,ii,j,k,l), substitute({ii,j,k,l},BLAS.gemm), parallelize(io,CPUThread)",
        "split(k,ko,ki,4), reorder(ko,i,j,ki,l), substitute({i,j,ki,l},BLAS.gemm)",
        "reorder(i,j,k,l), substitute({j,k,l},BLAS.gemm), parallelize(i,CPUThread)",
        "reorder(j,i,k,l), substitute({i,k,l},BLAS.gemm)"})
    expect_equal(ttm(), schedule);
  expect_equal(ttm("d,d,d:2,0,1"), "substitute({i,j,k,l},BLAS.gemm)");
  expect_equal(ttm("dense", "d,d,d:2,0,1"), "substitute({i,j,k,l},BLAS.gemm)");
  expect_equal(ttm("d,d,d:1,0,2", "d,d,d:1,0,2"), "substitute({i,j,k,l},BLAS.gemm)");
  for (const char* schedule :
       {"substitute({i,j,k},BLAS.gemv)", "split(i,io,ii,3), reorder(io,ii,j,k), substitute({ii,j,k},BLAS.gemv)",
        "reorder(i,j,k), substitute({j,k},BLAS.gemv), parallelize(i,CPUThread)"})
    expect_equal(ttv(), schedule);
  // Summed over two modes; three of a role.
  expect_equal(subject("C(i,l) = A(i,j,k) * B(j,k,l)", {{"A", "dense"}, {"B", "dense"}}),
               "substitute({i,j,k,l},BLAS.gemm)");
  expect_equal(subject("y(i) = A(i,j,k) * X(j,k)", {{"A", "dense"}, {"X", "dense"}}), "substitute({i,j,k},BLAS.gemv)");
  expect_equal(subject("C(b,i,j,l) = A(b,i,j,k) * B(k,l)", {{"A", "dense"}, {"B", "dense"}}),
               "substitute({b,i,j,k,l},BLAS.gemm)");
}

TEST(Leaves, RunInLoopsThatBlasDoesNotHave) {
  for (const char* more : {"", ", parallelize(b,CPUThread)"})
    expect_equal(batched(), "reorder(b,i,j,k), substitute({i,j,k},BLAS.gemm)" + std::string(more));
  expect_equal(ttm("d,d,d:0,2,1"), "reorder(i,j,k,l), substitute({j,k,l},BLAS.gemm), parallelize(i,CPUThread)");
}

/// As a product of matrices, row by row or whole, and what is left.
TEST(Leaves, ComputeTheMatricizedProductWithAKhatriRaoProduct) {
  for (const char* schedule :
       {"reorder(i,j,k,l), precompute(B(i,j,k)*D(k,l),{j,l},{jw,lw},w), substitute({jw,k,lw},BLAS.gemm)",
        "reorder(i,j,k,l), loopfuse({B,D},left,{},1), substitute({jw,k,lw},BLAS.gemm), parallelize(i,CPUThread)",
        "reorder(i,j,k,l), loopfuse({B,D},left,{},0), substitute({iw,jw,k,lw},BLAS.gemm)",
        "reorder(i,j,k,l), loopfuse({B,D},left,{},2), substitute({k,lw},BLAS.gemv)"})
    expect_equal(mttkrp(), schedule);
  expect_equal(mttkrp("csf"), "reorder(i,j,k,l), loopfuse({B,D},left,{},2), substitute({lw},BLAS.axpy)");
}

/// Dense blocks below levels of other kinds, in loops over coordinates and over positions.
TEST(Leaves, RunInDenseBlocksOfSparseTensors) {
  for (const char* B : {"compressed,dense,dense", "bitmap,dense,dense"})
    for (const char* A : {"dense", "compressed,dense,dense"}) {
      expect_equal(ttm(B, A), "reorder(i,j,k,l), substitute({j,k,l},BLAS.gemm)");
      expect_equal(ttm(B, A), "reorder(i,j,k,l), substitute({k,l},BLAS.gemv)");
    }
  const Subject rows = ttm("compressed,dense,dense");
  EXPECT_THAT(rows.c_code("reorder(i,j,k,l), substitute({j,k,l},BLAS.gemm)"),
              HasSubstr("&B_vals[pB1 * B2_size * B3_size]"));
  expect_equal(rows,
               "pos(i,p,B(i,j,k)), divide(p,po,pi,3), reorder(po,pi,j,k,l), substitute({j,k,l},BLAS.gemm), "
               "parallelize(po,CPUThread)");
}

TEST(Leaves, RunInDenseBlocksAtPositionsOfFusedLoops) {
  const Subject blocks = subject("A(i,j,l) = B(i,j,k,l) * C(i,k)", {{"B", "d,compressed,dense,dense"}, {"C", "dense"}});
  expect_equal(blocks, "reorder(i,j,k,l), substitute({k,l},BLAS.gemv)");
  expect_equal(blocks,
               "reorder(i,j,k,l), fuse(i,j,f), pos(f,p,B(i,j,k,l)), divide(p,po,pi,3), "
               "substitute({k,l},BLAS.gemv), parallelize(po,CPUThread)");
  // The result shares B's pattern, with blocks of its own.
  for (const char* more : {"", ", parallelize(po,CPUThread)"})
    expect_equal(ttm("d,compressed,dense", "d,compressed,dense"),
                 "reorder(i,j,k,l), fuse(i,j,f), pos(f,p,B(i,j,k)), divide(p,po,pi,3), substitute({k,l},BLAS.gemv)" +
                     std::string(more));
  expect_equal(ttv("compressed,dense,dense", "compressed,dense"), "reorder(i,j,k), substitute({j,k},BLAS.gemv)");
  expect_equal(ttv("d,compressed,dense", "csr"), "reorder(i,j,k), substitute({k},BLAS.dot)");
}

/// Rows that no entry of B leads to are nothing, in whatever leaf.
TEST(Leaves, TakeTemporariesThatLackRows) {
  const std::string blocks = "reorder(i,j,k,l), split(i,io,ii,3), loopfuse({B,C},left,{},1), ";
  const Subject chain = subject("A(i,l) = B(i,j) * C(j,k) * D(k,l)", {{"B", "dcsr"}, {"C", "dense"}, {"D", "dense"}});
  for (const char* leaf : {"substitute({ii,k,l},BLAS.gemm)", "substitute({k,l},BLAS.gemv)", "substitute({l},BLAS.axpy)",
                           "substitute({l},BLAS.axpy), parallelize(io,CPUThread)"})
    expect_equal(chain, blocks + leaf);
  const Subject vector = subject("y(i) = B(i,j) * C(j,k) * d(k)", {{"B", "dcsr"}, {"C", "dense"}, {"d", "dense"}});
  const std::string rows = "reorder(i,j,k), split(i,io,ii,3), loopfuse({B,C},left,{},1), ";
  for (const char* leaf : {"substitute({ii,k},BLAS.gemv)", "substitute({k},BLAS.dot)"})
    expect_equal(vector, rows + leaf);
  EXPECT_THAT(chain.refusal("reorder(i,j,k,l), loopfuse({B,C},left,{},0), reorder(k,i,l), substitute({i,l},BLAS.ger)"),
              HasSubstr("substitute: "));
}

TEST(Leaves, RefuseWhatTheyDoNotCompute) {
  EXPECT_THAT(
      matrix_vector().refusal("substitute({i,k},BLAS.ger)"),
      HasSubstr("the loops over i, k do not compute A(m,n) += a * x(m) * y(n), which is BLAS.ger; they are those "
                "of BLAS.gemv"));
  EXPECT_THAT(ttm().refusal("reorder(i,j,l,k), substitute({k},BLAS.axpy)"),
              HasSubstr("t = B(i,j,k) * C(k,l) is not what BLAS.axpy computes, y(m) += a * x(m)"));
  EXPECT_THAT(spmm().refusal("reorder(i,k,l), substitute({l},BLAS.dot)"), HasSubstr("is not what BLAS.dot computes"));
  EXPECT_THAT(ttm().refusal("reorder(i,j,l,k), substitute({l,k},BLAS.dot)"),
              HasSubstr("the loops over l, k do not compute s += a * x(k) * y(k), which is BLAS.dot; they are those of "
                        "BLAS.gemv"));
  EXPECT_THAT(batched().refusal("reorder(b,i,j,k), substitute({b,i,j,k},BLAS.gemm)"),
              HasSubstr("leave the loop over b outside"));
  EXPECT_THAT(matrix_vector().refusal("reorder(k,i), substitute({k},BLAS.dot)"),
              HasSubstr("substitute: the loops k are nowhere"));
  EXPECT_THAT(
      mttkrp().refusal("reorder(i,j,k,l), substitute({k,l},BLAS.gemv)"),
      HasSubstr("A(i,l) = B(i,j,k) * D(k,l) * C(j,l) is not what BLAS.gemv computes, y(m) += a * A(m,k) * x(k); "
                "precompute or loopfuse can make that of it"));
  const Subject sum = subject("s = A(i,k)", {{"A", "dense"}}, "");
  EXPECT_THAT(sum.refusal("substitute({i,k},BLAS.dot)"), HasSubstr("is not what BLAS.dot computes"));
}

TEST(Leaves, RefuseModesThatAreNotStoredAsOne) {
  EXPECT_THAT(
      ttm("d,d,d:1,0,2").refusal("substitute({i,j,k,l},BLAS.gemm)"),
      HasSubstr("A stores i before j, and B j before i: BLAS.gemm cannot run through them as one; leave the loop "
                "over j outside"));
  EXPECT_THAT(ttm("d,d,d:0,2,1").refusal("substitute({i,j,k,l},BLAS.gemm)"),
              HasSubstr("B stores k between i and j: BLAS.gemm cannot run through them as one; leave the loop over i "
                        "outside"));
  EXPECT_THAT(ttv("d,d,d:0,2,1").refusal("substitute({i,j,k},BLAS.gemv)"), HasSubstr("leave the loop over i outside"));
  EXPECT_THAT(
      ttm().refusal("split(j,jo,ji,2), reorder(jo,i,ji,k,l), substitute({i,ji,k,l},BLAS.gemm)"),
      HasSubstr("B has more of j than the loop over it runs through: BLAS.gemm cannot run through i and j as one; "
                "leave the loop over i outside"));
  expect_equal(ttm(), "split(j,jo,ji,2), reorder(jo,i,ji,k,l), substitute({ji,k,l},BLAS.gemm)");
}

TEST(Leaves, RefuseLevelsThatAreNotDense) {
  EXPECT_THAT(ttm("d,compressed,dense").refusal("substitute({j,k,l},BLAS.gemm)"),
              HasSubstr("BLAS runs over dense levels, with no other below them: leave the loop over j outside"));
  EXPECT_THAT(spmm().refusal("reorder(l,i,k), substitute({k},BLAS.dot)"), HasSubstr("substitute: B is stored as csr"));
  EXPECT_THAT(subject("A(i,l) = B(i,k) * C(k,l)", {{"B", "dense"}, {"C", "dense"}}, "csr")
                  .refusal("substitute({i,k,l},BLAS.gemm)"),
              HasSubstr("substitute: "));
  EXPECT_THAT(
      ttm("dense").refusal("reorder(i,j,k,l), fuse(i,j,f), substitute({f,k,l},BLAS.gemm)"),
      HasSubstr("substitute: the loop over j is part of one over pairs (fuse), which BLAS cannot run; name loops "
                "that are inside of it instead"));
  EXPECT_THAT(
      ttm("compressed,dense,dense").refusal("reorder(i,j,k,l), pos(i,p,B(i,j,k)), substitute({p,j,k,l},BLAS.gemm)"),
      HasSubstr("is part of one over positions (pos)"));
}

TEST(Leaves, RefuseDiagonalsAndNeighboursOutside) {
  const Subject diagonal("y(i) = A(i,i,k) * x(k)", {{"A", "dense"}, {"x", "dense"}}, "dense", extents);
  EXPECT_THAT(diagonal.refusal("reorder(i,k), substitute({i,k},BLAS.gemv)"), HasSubstr("A is read along a diagonal"));
  EXPECT_THAT(
      subject("Y(i,l) = A(i,k,l) * x(k)", {{"A", "dense"}, {"x", "dense"}})
          .refusal("reorder(l,i,k), substitute({i,k},BLAS.gemv)"),
      HasSubstr("A stores the entries along l as neighbours, which none of the loops runs over; name that loop, "
                "too, or transpose A"));
}

TEST(Leaves, RefuseToAddWhereThreadsMeet) {
  EXPECT_THAT(matrix_vector().refusal("split(k,ko,ki,4), reorder(ko,i,ki), substitute({i,ki},BLAS.gemv), "
                                      "parallelize(ko,CPUThread,Atomics)"),
              HasSubstr("one by one (Atomics)"));
  EXPECT_THAT(spmm().refusal("substitute({l},BLAS.axpy), unroll(l,2)"),
              HasSubstr("the loop over l is not run by BLAS as a whole"));
}

}  // namespace
}  // namespace lacuna::leaves_test
