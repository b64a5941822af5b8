#include <random>

#include "unit/loop/harness.h"

namespace lacuna::loop::arithmetic_test {
namespace {

constexpr Type all_types[] = {Type::Bool,    Type::Int8,      Type::Int16,     Type::Int32,  Type::Int64,
                              Type::UInt8,   Type::UInt16,    Type::UInt32,    Type::UInt64, Type::Float32,
                              Type::Float64, Type::Complex64, Type::Complex128};

/// Values at the edges of every type.
std::vector<Scalar> samples(Type type) {
  std::vector<Scalar> values;
  for (const double v : {0.0, 1.0, -1.0, 2.0, 3.5, 127.0, 128.0, -128.0, 255.0, 32768.0, 2147483647.0, 2147483648.0,
                         -2147483648.0, 9.3e18, -9.3e18, 1e300}) {
    values.push_back(Scalar(v).convert(type));
  }
  values.push_back(Scalar(std::numeric_limits<std::int64_t>::min()).convert(type));
  values.push_back(Scalar(std::numeric_limits<std::uint64_t>::max()).convert(type));
  return values;
}

/// The value of an expression of one or two variables.
Scalar evaluated(const Expr& e, const Var& result, const Var& x, const Scalar& a, const Var& y, const Scalar& b) {
  const Module module = kernel({output(result), input(x), input(y)}, {assign(result, e)});
  return interpret(module, {bound(Scalar::zero(e.scalar())), bound(a), bound(b)}).outputs[0].scalar;
}

TEST(Arithmetic, OfValuesIsThatOfScalarsForEveryType) {
  for (const Type type : all_types) {
    const Var x("x", scalar_type(type)), y("y", scalar_type(type)), z("z", scalar_type(type));
    for (const Scalar& a : samples(type)) {
      for (const Scalar& b : samples(type)) {
        const auto value = [&](BinaryOp op) { return evaluated(value_op(op, x, y), z, x, a, y, b); };
        EXPECT_EQ(value(BinaryOp::Add), (a + b).convert(type)) << a.to_string() << " + " << b.to_string();
        EXPECT_EQ(value(BinaryOp::Sub), (a - b).convert(type)) << a.to_string() << " - " << b.to_string();
        EXPECT_EQ(value(BinaryOp::Mul), (a * b).convert(type)) << a.to_string() << " * " << b.to_string();
        EXPECT_EQ(value(BinaryOp::Div), (a / b).convert(type)) << a.to_string() << " / " << b.to_string();
      }
    }
  }
}

TEST(Arithmetic, NegationIsThatOfScalars) {
  for (const Type type : all_types) {
    if (type == Type::Bool) continue;
    const Var x("x", scalar_type(type)), y("y", scalar_type(type)), z("z", scalar_type(type));
    for (const Scalar& a : samples(type)) EXPECT_EQ(evaluated(negate(x), z, x, a, y, a), (-a).convert(type));
  }
}

TEST(Arithmetic, ConversionsAreThoseOfScalars) {
  for (const Type from : all_types) {
    for (const Type to : all_types) {
      const Var x("x", scalar_type(from)), y("y", scalar_type(from)), z("z", scalar_type(to));
      for (const Scalar& a : samples(from)) {
        EXPECT_EQ(evaluated(convert(x, to), z, x, a, y, a), a.convert(to))
            << a.to_string() << " from " << type_name(from) << " to " << type_name(to);
      }
    }
  }
}

TEST(Arithmetic, FunctionsAreThoseOfTheTable) {
  for (const FunctionInfo& function : function_table()) {
    const Var x("x", float64_type), y("y", float64_type);
    std::vector<Expr> arguments = {x};
    std::vector<Scalar> values = {Scalar(0.75)};
    for (int k = 1; k < function.arity; k++) {
      arguments.emplace_back(y);
      values.emplace_back(2.5);
    }
    const Expr call = math(function.id, arguments);
    const Var z("z", scalar_type(call.scalar()));
    EXPECT_EQ(evaluated(call, z, x, values[0], y, Scalar(2.5)), lacuna::apply(function.id, values)) << function.name;
  }
}

TEST(Arithmetic, ComparisonsOrderUnsignedNumbersAndNansRightly) {
  const Var b("b", bool_type);
  const Var u("u", scalar_type(Type::UInt64)), v("v", scalar_type(Type::UInt64));
  EXPECT_EQ(evaluated(Expr(u) < v, b, u, Scalar(std::uint64_t{1}), v, Scalar(~std::uint64_t{0})), Scalar(true));
  const Var x("x", float64_type), y("y", float64_type), least("least", float64_type);
  const Scalar nan(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(evaluated(Expr(x) <= y, b, x, nan, y, nan), Scalar(false));
  EXPECT_EQ(evaluated(ne(x, y), b, x, nan, y, nan), Scalar(true));
  EXPECT_EQ(evaluated(min(x, y), least, x, Scalar(1.0), y, nan), Scalar(1.0)) << "b < a ? b : a";
}

TEST(Arithmetic, CheckedArithmeticReportsExactlyWhatDoesNotFit) {
  std::mt19937_64 random(7);
  const auto reports = [](const Expr& e, const Var& z, const Var& x, const Scalar& a, const Var& y, const Scalar& b) {
    try {
      evaluated(e, z, x, a, y, b);
      return false;
    } catch (const CheckFailure&) {
      return true;
    }
  };
  for (const Type type : {Type::Int8, Type::UInt8, Type::Int32, Type::UInt32}) {
    const Var x("x", scalar_type(type)), y("y", scalar_type(type)), z("z", scalar_type(type));
    const int bits = 8 * size_of(type);
    for (int round = 0; round < 200; round++) {
      const Scalar a = Scalar(random() >> (random() % 64)).convert(type);
      const Scalar b = Scalar(random() >> (random() % 64)).convert(type);
      const auto wide = [](const Scalar& s) { return s.as<double>(); };  // exact up to 2^53
      const auto fits = [&](double exact) { return Scalar(exact).convert(type).as<double>() == exact; };
      EXPECT_EQ(reports(Expr(x) + y, z, x, a, y, b), !fits(wide(a) + wide(b)))
          << a.to_string() << " + " << b.to_string();
      EXPECT_EQ(reports(Expr(x) - y, z, x, a, y, b), !fits(wide(a) - wide(b)))
          << a.to_string() << " - " << b.to_string();
      const double product = wide(a) * wide(b);
      EXPECT_TRUE(bits == 32 || reports(Expr(x) * y, z, x, a, y, b) == !fits(product)) << a.to_string();
    }
  }
  const Var x("x", int64_type), y("y", int64_type), z("z", int64_type);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  EXPECT_TRUE(reports(Expr(x) * y, z, x, Scalar(least), y, Scalar(std::int64_t{-1})));
  EXPECT_TRUE(reports(Expr(x) / y, z, x, Scalar(least), y, Scalar(std::int64_t{-1})));
  EXPECT_TRUE(reports(Expr(x) * y, z, x, Scalar(most), y, Scalar(std::int64_t{2})));
  EXPECT_TRUE(reports(Expr(x) * y, z, x, Scalar(std::int64_t{1} << 32), y, Scalar(std::int64_t{1} << 31)));
  EXPECT_FALSE(reports(Expr(x) * y, z, x, Scalar(std::int64_t{-1} << 32), y, Scalar(std::int64_t{1} << 31)));
  EXPECT_TRUE(reports(Expr(x) + y, z, x, Scalar(most), y, Scalar(std::int64_t{1})));
  EXPECT_TRUE(reports(Expr(x) - y, z, x, Scalar(least), y, Scalar(std::int64_t{1})));
  EXPECT_FALSE(reports(Expr(x) - y, z, x, Scalar(std::int64_t{-1}), y, Scalar(least)));
}

TEST(Arithmetic, OfIndicesIsNotCountedAndOfValuesIs) {
  const Var n("n", int64_type), x("x", float64_type);
  const Module module =
      kernel({output(n), output(x)}, {assign(n, Expr(n) * 2 + 1), assign(n, value_op(BinaryOp::Add, n, 1)),
                                      assign(x, Expr(x) * x + x), assign(x, math(FunctionId::Sqrt, {x}))});
  EXPECT_EQ(run(module, {bound(Scalar(std::int64_t{1})), bound(Scalar(2.0))}).counters.operations, 1 + 2 + 1);
}

}  // namespace
}  // namespace lacuna::loop::arithmetic_test
