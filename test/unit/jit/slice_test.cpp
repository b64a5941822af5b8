#include <algorithm>

#include <gtest/gtest.h>

#include "unit/jit/module_runner.h"

// A piece of a matrix that begins and ends in the middle of rows is a descriptor, not a copy: its coordinates and
// values are those of the whole matrix from the first position on, with that position as their base; its rows are the
// rows it touches, with an origin; only their few positions are copied, clipped at both ends.
namespace lacuna::slice_test {
namespace {

using namespace loop;

struct Matrix {
  std::vector<std::int32_t> pos = {0, 3, 3, 4, 8, 8, 10};
  std::vector<std::int32_t> crd = {0, 2, 4, 1, 0, 1, 3, 4, 2, 3};
  std::vector<double> vals = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  std::int64_t rows() const { return static_cast<std::int64_t>(pos.size()) - 1; }
  std::int64_t stored() const { return static_cast<std::int64_t>(crd.size()); }
};

/// The positions [begin, end) of a matrix.
struct Piece {
  std::int64_t begin, end;
  std::int64_t first_row = 0;
  std::vector<std::int32_t> pos;  // of the rows that it touches

  Piece(const Matrix& matrix, std::int64_t from, std::int64_t to) : begin(from), end(to) {
    const auto row_of = [&](std::int64_t position) {
      return std::upper_bound(matrix.pos.begin(), matrix.pos.end(), position) - matrix.pos.begin() - 1;
    };
    if (begin < end) first_row = row_of(begin);
    const std::int64_t last_row = begin < end ? row_of(end - 1) : first_row - 1;
    for (std::int64_t row = first_row; row <= last_row + 1; row++) {
      const std::int64_t position = matrix.pos[static_cast<std::size_t>(row)];
      pos.push_back(static_cast<std::int32_t>(std::clamp(position, begin, end)));
    }
  }
  std::int64_t rows() const { return static_cast<std::int64_t>(pos.size()) - 1; }
};

std::vector<double> partial_sums(const Matrix& matrix, const std::vector<double>& x, std::int64_t begin,
                                 std::int64_t end) {
  std::vector<double> y(static_cast<std::size_t>(matrix.rows()));
  for (std::size_t i = 0; i < y.size(); i++) {
    for (std::int64_t p = matrix.pos[i]; p < matrix.pos[i + 1]; p++) {
      const auto at = static_cast<std::size_t>(p);
      if (begin <= p && p < end) y[i] += matrix.vals[at] * x[static_cast<std::size_t>(matrix.crd[at])];
    }
  }
  return y;
}

/// y(i) += A(i,j) * x(j) over global coordinates and positions.
Module spmv_of_pieces() {
  const IrType int32_type = scalar_type(Type::Int32);
  const Var y("y_vals", array_type(Type::Float64)), x("x_vals", array_type(Type::Float64));
  const Var origin("A1_origin", int64_type), extent("A1_extent", int64_type);
  const Var pos("A2_pos", array_type(Type::Int32)), crd("A2_crd", array_type(Type::Int32));
  const Var vals("A_vals", array_type(Type::Float64));
  const Var pos_base("A2_pos_base", int64_type), crd_base("A2_crd_base", int64_type),
      vals_base("A_vals_base", int64_type);
  const Var i("i", int64_type), p1("pA1", int64_type), p("pA2", int64_type), j("j", int32_type);
  const Var t("t", scalar_type(Type::Float64));
  Module m;
  m.name = "spmv";
  m.description = "y(i) += A(i,j) * x(j)";
  m.arguments = {"y", "A", "x"};
  m.parameters = {{y, "y->vals.data", false, true}, {x, "x->vals.data"},
                  {origin, "A->levels[0].origin"},  {extent, "A->levels[0].extent"},
                  {pos, "A->levels[1].pos.data"},   {pos_base, "A->levels[1].pos.base"},
                  {crd, "A->levels[1].crd.data"},   {crd_base, "A->levels[1].crd.base"},
                  {vals, "A->vals.data"},           {vals_base, "A->vals.base"}};
  const auto position = [&](const Expr& of) { return convert(load(pos, of - pos_base), Type::Int64); };
  const Expr product = value_op(BinaryOp::Mul, load(vals, Expr(p) - vals_base), load(x, j));
  const Stmt row =
      for_loop(p, position(p1), position(Expr(p1) + 1),
               block({declare(j, load(crd, Expr(p) - crd_base)), assign(t, value_op(BinaryOp::Add, t, product))}));
  m.body = for_loop(i, origin, Expr(origin) + extent,
                    block({declare(p1, Expr(i) - origin), declare(t, 0.0), row, store(y, i, t, StoreOp::Add)}));
  return m;
}

class Slices : public testing::Test {
 protected:
  std::vector<double> run_compiled(const lacuna_entry& entry, Piece piece) {
    std::vector<double> y(static_cast<std::size_t>(matrix_.rows()));
    lacuna_level levels[2] = {};
    levels[0].kind = LACUNA_DENSE;
    levels[0].origin = piece.first_row;
    levels[0].extent = piece.rows();
    levels[1].kind = LACUNA_COMPRESSED;
    levels[1].pos.data = piece.pos.data();
    levels[1].crd.data = matrix_.crd.data() + piece.begin;
    levels[1].crd.base = piece.begin;
    lacuna_tensor A{}, x{}, result{};
    A.levels = levels;
    A.vals.data = matrix_.vals.data() + piece.begin;
    A.vals.base = piece.begin;
    x.vals.data = x_.data();
    result.vals.data = y.data();
    lacuna_tensor* arguments[] = {&result, &A, &x};
    TestContext context;
    EXPECT_EQ(entry(context.get(), arguments), LACUNA_OK);
    return y;
  }

  std::vector<double> run_interpreted(Piece piece) {
    std::vector<double> y(static_cast<std::size_t>(matrix_.rows()));
    const auto memory = [](auto& values) {
      return Binding{Scalar(), values.data(), static_cast<std::int64_t>(values.size())};
    };
    const auto number = [](std::int64_t value) { return Binding{Scalar(value), nullptr, 0}; };
    const std::int64_t count = piece.end - piece.begin;  // what lies outside the piece is out of bounds
    interpret(spmv_of_pieces(),
              {memory(y), memory(x_), number(piece.first_row), number(piece.rows()), memory(piece.pos), number(0),
               Binding{Scalar(), matrix_.crd.data() + piece.begin, count}, number(piece.begin),
               Binding{Scalar(), matrix_.vals.data() + piece.begin, count}, number(piece.begin)});
    return y;
  }

  Matrix matrix_;
  std::vector<double> x_ = {1, 10, 100, 1000, 10000};
};

TEST_F(Slices, EveryStretchOfPositionsGivesItsPartialSumsInPlace) {
  Jit jit(without_cache());
  verify(spmv_of_pieces());
  const CSource source = print_c(spmv_of_pieces());
  const CompiledKernel kernel = jit.load(source.code, source.entry);
  for (std::int64_t begin = 0; begin <= matrix_.stored(); begin++) {
    for (std::int64_t end = begin; end <= matrix_.stored(); end++) {
      const std::vector<double> expected = partial_sums(matrix_, x_, begin, end);
      EXPECT_EQ(run_compiled(kernel.entry(), Piece(matrix_, begin, end)), expected) << begin << " to " << end;
      EXPECT_EQ(run_interpreted(Piece(matrix_, begin, end)), expected) << begin << " to " << end;
    }
  }
}

TEST_F(Slices, APieceThatStartsInsideARowHasThatRowAndNoOther) {
  const Piece piece(matrix_, 5, 7);
  EXPECT_EQ(piece.first_row, 3);
  EXPECT_EQ(piece.pos, (std::vector<std::int32_t>{5, 7}));
}

}  // namespace
}  // namespace lacuna::slice_test
