#include <cmath>

#include <gtest/gtest.h>

#include "unit/codegen/kernels.h"

namespace lacuna::expression_test {
namespace {

using namespace loop;
using enum BinaryOp;

class ExpressionText : public testing::Test {
 protected:
  /// The expression as it stands behind `declare`.
  std::string text(const Expr& expr) const {
    const Module module = v_.module(declare(Var("v", expr.type()), expr));
    const std::string line = body_of(module);
    const std::size_t begin = line.find("v = ") + 4;
    return line.substr(begin, line.rfind(';') - begin);
  }
  Expr wide(const Expr& e) const { return convert(e, Type::Int64); }

  Variables v_;
  Expr i_ = v_.i, j_ = v_.j, n_ = v_.n, x_ = v_.x, yes_ = v_.yes;
};

TEST_F(ExpressionText, HasOnlyTheParenthesesThatItNeeds) {
  EXPECT_EQ(text(i_ + n_ * 2), "i + n * 2");
  EXPECT_EQ(text((i_ + n_) * 2), "(i + n) * 2");
  EXPECT_EQ(text(i_ - (n_ - 1)), "i - (n - 1)");
  EXPECT_EQ(text(i_ - n_ - 1), "i - n - 1");
  EXPECT_EQ(text(i_ + (n_ - 1)), "i + n - 1");
  EXPECT_EQ(text(i_ / (n_ * 2)), "i / (n * 2)");
  EXPECT_EQ(text(op(Add, x_, op(Add, x_, x_))), "x + (x + x)");
  EXPECT_EQ(text(op(Mul, op(Mul, x_, x_), x_)), "x * x * x");
  EXPECT_EQ(text(!(i_ < n_)), "!(i < n)");
  EXPECT_EQ(text(negate(op(Add, x_, x_))), "-(x + x)");
  EXPECT_EQ(text(negate(negate(x_))), "-(-x)");
}

TEST_F(ExpressionText, MixesOfLogicAreBracketedForTheReader) {
  EXPECT_EQ(text((yes_ && i_ < n_) || yes_), "(yes && i < n) || yes");
  EXPECT_EQ(text((i_ < n_ || yes_) && eq(i_, n_)), "(i < n || yes) && i == n");
  EXPECT_EQ(text(yes_ || (yes_ || i_ < n_)), "yes || yes || i < n");
  EXPECT_EQ(text(eq(bit_and(i_, 3), 0)), "(i & 3) == 0");
}

TEST_F(ExpressionText, ANegativeAddendIsTakenAway) {
  EXPECT_EQ(text(i_ + -1), "i - 1");
  EXPECT_EQ(text(i_ - -2), "i + 2");
  EXPECT_EQ(text(op(Add, x_, -1.0)), "x + -1.0");
}

TEST_F(ExpressionText, CastsOnlyWhereCWouldComputeSomethingElse) {
  EXPECT_EQ(text(wide(j_)), "j");
  EXPECT_EQ(text(i_ * n_ + wide(j_)), "i * n + j");
  EXPECT_EQ(text(wide(j_) * wide(v_.u)), "(int64_t)j * u");
  EXPECT_EQ(text(wide(j_) + 1), "(int64_t)j + 1");
  EXPECT_EQ(text(wide(j_) < i_), "j < i");
  EXPECT_EQ(text(wide(j_) < wide(v_.u)), "(int64_t)j < u");
  EXPECT_EQ(text(convert(i_, Type::Int32)), "(int32_t)i");
  EXPECT_EQ(text(convert(v_.s, Type::Float64)), "s");
  EXPECT_EQ(text(op(Mul, convert(v_.s, Type::Float64), convert(v_.s, Type::Float64))), "(double)s * s");
  EXPECT_EQ(text(op(Mul, convert(j_, Type::Float64), x_)), "j * x");
  EXPECT_EQ(text(op(Div, convert(j_, Type::Float64), convert(j_, Type::Float64))), "(double)j / j");
  EXPECT_EQ(text(convert(i_, Type::Float64)), "(double)i");
  EXPECT_EQ(text(op(Add, v_.b, v_.b)), "(int8_t)(b + b)");
}

TEST_F(ExpressionText, ConversionsThatCLeavesOpenCallTheirFunction) {
  EXPECT_EQ(text(convert(x_, Type::Int32)), "lacuna_to_int32(x)");
  EXPECT_EQ(text(convert(x_, Type::Bool)), "x != 0");
  EXPECT_EQ(text(convert(v_.z, Type::Float64)), "creal(z)");
  EXPECT_EQ(text(convert(v_.z, Type::Bool)), "z != 0");
  EXPECT_EQ(text(convert(x_, Type::Complex128)), "(double _Complex)x");
}

TEST_F(ExpressionText, ConstantsReadBackAsTheyWere) {
  EXPECT_EQ(text(Expr(0.1)), "0.1");
  EXPECT_EQ(text(Expr(1.0)), "1.0");
  EXPECT_EQ(text(Expr(-0.0)), "-0.0");
  EXPECT_EQ(text(Expr(1e100)), "1e+100");
  EXPECT_EQ(text(Expr(Scalar(0.1F))), "0.1f");
  EXPECT_EQ(text(Expr(Scalar(2.0F))), "2.0f");
  EXPECT_EQ(text(Expr(Scalar(INFINITY))), "INFINITY");
  EXPECT_EQ(text(Expr(-HUGE_VAL)), "-INFINITY");
  EXPECT_EQ(text(Expr(std::nan(""))), "NAN");
  EXPECT_EQ(text(Expr(std::numeric_limits<std::int64_t>::min())), "INT64_MIN");
  EXPECT_EQ(text(Expr(std::numeric_limits<std::int64_t>::max())), "9223372036854775807");
  EXPECT_EQ(text(Expr(Scalar(std::numeric_limits<std::int32_t>::min()))), "INT32_MIN");
  EXPECT_EQ(text(Expr(Scalar(std::numeric_limits<std::uint64_t>::max()))), "18446744073709551615u");
  EXPECT_EQ(text(Expr(true)), "true");
  EXPECT_EQ(text(Expr(Scalar(std::complex<float>(1, -2)))), "lacuna_complex64(1.0f, -2.0f)");
}

TEST_F(ExpressionText, DivisionOfValuesIsSafeAndOfIndicesPlain) {
  EXPECT_EQ(text(i_ / n_), "i / n");
  EXPECT_EQ(text(i_ % 8), "i % 8");
  EXPECT_EQ(text(op(Div, i_, n_)), "lacuna_divide_int64(i, n)");
  EXPECT_EQ(text(op(Div, i_, 2)), "i / 2");
  EXPECT_EQ(text(op(Div, i_, -1)), "lacuna_divide_int64(i, -1)");
  EXPECT_EQ(text(op(Mod, v_.u, v_.u)), "lacuna_modulo_uint32(u, u)");
  EXPECT_EQ(text(op(Div, x_, x_)), "x / x");
}

TEST_F(ExpressionText, AMinimumOfSimpleOperandsIsAChoice) {
  EXPECT_EQ(text(min(i_, n_)), "n < i ? n : i");
  EXPECT_EQ(text(max(x_, x_)), "x < x ? x : x");
  EXPECT_EQ(text(min(i_ + 1, n_)), "lacuna_min_int64(i + 1, n)");
  EXPECT_EQ(text(min(i_, n_) + 1), "(n < i ? n : i) + 1");
}

TEST_F(ExpressionText, FunctionsAreThoseOfTheOperandsPrecision) {
  EXPECT_EQ(text(math(FunctionId::Sqrt, {x_})), "sqrt(x)");
  EXPECT_EQ(text(math(FunctionId::Sqrt, {v_.s})), "sqrtf(s)");
  EXPECT_EQ(text(math(FunctionId::Sqrt, {v_.z})), "csqrt(z)");
  EXPECT_EQ(text(math(FunctionId::Abs, {v_.z})), "cabs(z)");
  EXPECT_EQ(text(math(FunctionId::Conj, {v_.z})), "conj(z)");
  EXPECT_EQ(text(math(FunctionId::Abs, {i_})), "lacuna_abs_int64(i)");
  EXPECT_EQ(text(math(FunctionId::Abs, {v_.u})), "u");
  EXPECT_EQ(text(math(FunctionId::Square, {x_})), "x * x");
  EXPECT_EQ(text(math(FunctionId::Gt, {x_, 0.0})), "x > 0.0");
  const Expr truth = math(FunctionId::And, {convert(yes_, Type::Int32), convert(i_ < n_, Type::Int32)});
  EXPECT_EQ(text(truth), "yes && i < n");
  EXPECT_EQ(text(op(Mul, v_.z, v_.z)), "lacuna_multiply_complex128(z, z)");
}

TEST_F(ExpressionText, LoadsSearchesAndChoices) {
  EXPECT_EQ(text(load(v_.vals, load(v_.crd, i_ + 1))), "vals[crd[i + 1]]");
  EXPECT_EQ(text(lower_bound(v_.crd, load(v_.pos, i_), load(v_.pos, i_ + 1), j_)),
            "lacuna_lower_bound_int32(crd, pos[i], pos[i + 1], j)");
  EXPECT_EQ(text(select(i_ < n_, x_, 0.0)), "i < n ? x : 0.0");
  EXPECT_EQ(text(select(yes_ || i_ < n_, i_, wide(j_))), "yes || i < n ? i : j");
}

}  // namespace
}  // namespace lacuna::expression_test
