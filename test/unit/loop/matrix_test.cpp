#include "unit/loop/harness.h"

namespace lacuna::loop::matrix_test {
namespace {

using testing::HasSubstr;

const IrType matrix_type = array_type(Type::Float64);

struct Matrices : testing::Test {
  Var a{"a", matrix_type}, b{"b", matrix_type}, c{"c", matrix_type};
  std::vector<double> left{1, 2, 3, 4, 5, 6}, right{1, 0, 2, 1, 0, 3}, target = std::vector<double>(4, 100);

  Module product(const MatrixProduct& p) const { return kernel({updated(c), input(a), input(b)}, {matrix_product(p)}); }
  std::vector<Binding> bindings() { return {bound(target), bound(left), bound(right)}; }
  MatrixProduct by_rows() const {
    return {{c, Expr(0), Expr(2)}, {a, Expr(0), Expr(3)}, Matrix{b, Expr(0), Expr(2)}, Expr(2), Expr(2), Expr(3)};
  }
};

TEST_F(Matrices, AreMultipliedByRows) {
  const Interpretation ran = run(product(by_rows()), bindings());
  EXPECT_EQ(target, (std::vector<double>{5, 11, 14, 23}));
  EXPECT_EQ(ran.counters.operations, 2 * 2 * 2 * 3);
  EXPECT_EQ(ran.counters.bytes_loaded, 12 * 8);
  EXPECT_EQ(ran.counters.bytes_stored, 4 * 8);
}

TEST_F(Matrices, AreAddedToAndReadTransposed) {
  MatrixProduct p = by_rows();
  p.adds = true;
  p.left = {a, Expr(0), Expr(2), true};
  run(product(p), bindings());
  EXPECT_EQ(target, (std::vector<double>{107, 118, 110, 122}));
}

TEST_F(Matrices, MayBeParts) {
  MatrixProduct p = by_rows();
  p.target = {c, Expr(1), Expr(2)};
  p.left = {a, Expr(1), Expr(3)};
  p.rows = Expr(2);
  p.columns = Expr(1);
  p.inner = Expr(2);
  run(product(p), bindings());
  EXPECT_EQ(target, (std::vector<double>{100, 8, 100, 17}));
}

TEST_F(Matrices, AreNotReadOrWrittenOutsideTheirArrays) {
  MatrixProduct p = by_rows();
  p.left.first = Expr(1);
  EXPECT_THAT(failure(product(p), bindings()), HasSubstr("element (1, 2) of a matrix is at 6, outside a"));
  p = by_rows();
  p.rows = Expr(3);
  EXPECT_THAT(failure(product(p), bindings()), HasSubstr("outside"));
  p.rows = Expr(-1);
  EXPECT_THAT(failure(product(p), bindings()), HasSubstr("a product of -1 x 3"));
}

TEST_F(Matrices, HaveRowsThatDoNotOverlap) {
  MatrixProduct p = by_rows();
  p.target.stride = Expr(1);
  EXPECT_THAT(failure(product(p), bindings()), HasSubstr("rows of 2 columns are 1 apart in c"));
}

TEST_F(Matrices, AreWrittenBeforeTheyAreRead) {
  const Var w("w", matrix_type);
  MatrixProduct p = by_rows();
  p.left.array = w;
  const Module module = kernel({updated(c), input(a), input(b)},
                               {declare_array(w), allocate(w, Expr(6), false), matrix_product(p), release(w)});
  EXPECT_THAT(failure(module, bindings()), HasSubstr("w"));
}

TEST_F(Matrices, AreNotSharedByParallelIterationsThatWrite) {
  const Var i("i", int64_type);
  const Module module = kernel({updated(c), input(a), input(b)},
                               {for_loop(i, Expr(0), Expr(2), matrix_product(by_rows()), LoopMode::Parallel)});
  EXPECT_THAT(failure(module, bindings()), HasSubstr("c"));
}

TEST_F(Matrices, ArePrinted) {
  EXPECT_EQ(to_string(matrix_product(by_rows())), "c[0; 2 x 2 by 2] = a[0; 2 x 3 by 3] * b[0; 3 x 2 by 2];\n");
}

TEST_F(Matrices, AreOfOneTypeOfFloatingPoint) {
  MatrixProduct p = by_rows();
  p.left.array = Var("f", array_type(Type::Float32));
  EXPECT_THROW(matrix_product(p), InternalError);
  p = by_rows();
  p.target.transposed = true;
  EXPECT_THROW(matrix_product(p), InternalError);
  p = by_rows();
  p.left.array = c;
  EXPECT_THROW(verify(product(p)), InternalError);
}

/// c += 2 a x, the vectors with gaps.
TEST_F(Matrices, AreMultipliedByVectors) {
  MatrixProduct p{
      {c, Expr(0), Expr(3)}, {a, Expr(0), Expr(3)}, Matrix{b, Expr(1), Expr(2)}, Expr(2), Expr(1), Expr(3), true};
  p.routine = Routine::Gemv;
  p.scalar = Expr(2.0);
  const Interpretation ran = run(product(p), bindings());
  EXPECT_EQ(target, (std::vector<double>{100 + 2 * (0 + 2 + 9), 100, 100, 100 + 2 * (0 + 5 + 18)}));
  EXPECT_EQ(ran.counters.bytes_loaded, (6 + 3 + 2) * 8);
  EXPECT_EQ(to_string(matrix_product(p)), "c[0; 2 x 1 by 3] += 2.0 * a[0; 2 x 3 by 3] * b[1; 3 x 1 by 2];\n");
  p.columns = Expr(2);
  EXPECT_THROW(matrix_product(p), InternalError);
}

TEST_F(Matrices, AreSumsOfOuterProducts) {
  MatrixProduct p{
      {c, Expr(0), Expr(2)}, {a, Expr(0), Expr(2)}, Matrix{b, Expr(2), Expr(3), true}, Expr(2), Expr(2), Expr(1), true};
  p.routine = Routine::Ger;
  run(product(p), bindings());
  EXPECT_EQ(target, (std::vector<double>{100 + 1 * 2, 100 + 1 * 3, 100 + 3 * 2, 100 + 3 * 3}));
  p.adds = false;
  EXPECT_THROW(matrix_product(p), InternalError);
}

TEST_F(Matrices, AreVectorsThatAreAdded) {
  MatrixProduct p{{c, Expr(1), Expr(1)}, {a, Expr(0), Expr(2)}, std::nullopt, Expr(3), Expr(1), Expr(1), true};
  p.routine = Routine::Axpy;
  p.scalar = Expr(-1.0);
  run(product(p), bindings());
  EXPECT_EQ(target, (std::vector<double>{100, 99, 97, 95}));
  p.rows = Expr(4);
  EXPECT_THAT(failure(product(p), bindings()), HasSubstr("outside"));
  p.scalar = Expr(1);
  EXPECT_THROW(matrix_product(p), InternalError);
}

TEST_F(Matrices, HaveDotProducts) {
  const Dot product{{a, Expr(0), Expr(2)}, {b, Expr(2), Expr(1)}, Expr(3)};
  const auto store_of = [&](const Dot& d) {
    return kernel({updated(c), input(a), input(b)}, {store(c, Expr(1), dot(d))});
  };
  const Interpretation ran = run(store_of(product), bindings());
  EXPECT_EQ(target, (std::vector<double>{100, 1 * 2 + 3 * 1 + 5 * 0, 100, 100}));
  EXPECT_EQ(ran.counters.operations, 2 * 3);
  EXPECT_EQ(ran.counters.bytes_loaded, 2 * 3 * 8);
  EXPECT_EQ(to_string(dot(product)), "dot(a[0; 3 by 2], b[2; 3 by 1])");
  EXPECT_THAT(failure(store_of({product.left, product.right, Expr(5)}), bindings()), HasSubstr("outside"));
  EXPECT_THROW(dot({{Var("f", array_type(Type::Float32)), Expr(0), Expr(1)}, product.right, Expr(3)}), InternalError);
}

}  // namespace
}  // namespace lacuna::loop::matrix_test
