#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "lacuna/notation/operators.h"
#include "lacuna/notation/parse.h"

namespace lacuna::print_test {
namespace {

std::string printed(const std::string& text) { return to_string(parse_statement(text)); }

TEST(Print, StatementsReadAsTheyWereWritten) {
  for (const std::string text : {
           "y(i) = A(i,j) * x(j)",
           "s += min(a(i), 2) / n",
           "C(i,j) = alpha * (A(i,k) - B(k,j)) + -D(i,j)",
           "y(i) = sum(j, k, B(i,j,k) + c(j))",
           "y(i) = float32(a(i)) * complex(1.0, -2.5) - i",
           "y(i) = -(a(i) * b(i)) / -(-a(i))",
           "b(i) = and(not(a(i)), true)",
       }) {
    EXPECT_EQ(printed(printed(text)), printed(text));
  }
  EXPECT_EQ(printed("y(i)=A(i,j)*x(j)"), "y(i) = A(i,j) * x(j)");
  EXPECT_EQ(printed("s+=min(a(i),2)/n"), "s += min(a(i), 2) / n");
  EXPECT_EQ(printed("y(i)=sum(j,sum(k,B(i,j,k)))"), "y(i) = sum(j, k, B(i,j,k))");
}

TEST(Print, OnlyTheParenthesesThatAreNeeded) {
  EXPECT_EQ(printed("y = ((a + b)) + c"), "y = a + b + c");
  EXPECT_EQ(printed("y = a + (b + c)"), "y = a + (b + c)");
  EXPECT_EQ(printed("y = (a * b) + (c / d)"), "y = a * b + c / d");
  EXPECT_EQ(printed("y = (a + b) * c"), "y = (a + b) * c");
  EXPECT_EQ(printed("y = a / (b * c)"), "y = a / (b * c)");
  EXPECT_EQ(printed("y = -(a)"), "y = -a");
  EXPECT_EQ(printed("y = -(a * b)"), "y = -(a * b)");
  EXPECT_EQ(printed("y = (-a) * (-b)"), "y = -a * -b");
}

TEST(Print, LiteralsKeepTheirTypes) {
  const auto text_of = [](const Scalar& value) { return to_string(Expr(value)); };
  EXPECT_EQ(text_of(std::int32_t{5}), "5");
  EXPECT_EQ(text_of(std::int64_t{5}), "int64(5)");
  EXPECT_EQ(text_of(std::int64_t{5000000000}), "5000000000");
  EXPECT_EQ(text_of(2.0), "2.0");
  EXPECT_EQ(text_of(1e300), "1e+300");
  EXPECT_EQ(text_of(0.1F), "float32(0.1)");
  EXPECT_EQ(text_of(std::uint8_t{200}), "uint8(200)");
  EXPECT_EQ(text_of(std::complex<double>(1, 0.5)), "complex(1.0, 0.5)");
  EXPECT_EQ(text_of(std::complex<float>(1, 0.5)), "complex64(complex(1.0, 0.5))");
}

TEST(Print, EveryLiteralReadsBackToTheSameTree) {
  std::vector<Scalar> values{
      true, false, 0.0, -0.0, 1.5, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()};
  const auto add_limits = [&](auto tag) {
    using L = std::numeric_limits<decltype(tag)>;
    for (const Scalar v : {Scalar(L::min()), Scalar(L::max()), Scalar(L::lowest()), Scalar(decltype(tag){3})}) {
      values.push_back(v);
    }
    if constexpr (L::has_infinity) {
      for (const Scalar v : {Scalar(L::infinity()), Scalar(-L::infinity()), Scalar(L::quiet_NaN()),
                             Scalar(L::denorm_min()), Scalar(decltype(tag)(0.1))}) {
        values.push_back(v);
        values.push_back(v.convert(complex_of(v.type())));
      }
    }
  };
  for (int t = 1; t < static_cast<int>(Type::Complex64); ++t) {
    visit_type(static_cast<Type>(t), [&](auto tag) {
      if constexpr (std::is_arithmetic_v<decltype(tag)> && !std::is_same_v<decltype(tag), bool>) add_limits(tag);
    });
  }
  std::mt19937 random(1);
  for (int k = 0; k < 2000; ++k) {
    const auto bits = random();
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    values.emplace_back(value);
  }
  for (const Scalar& value : values) {
    const Expr e(value);
    const std::string text = "y = " + to_string(e);
    EXPECT_TRUE(equal(parse_statement(text).rhs, e)) << text;
  }
}

TEST(Print, RandomTreesReadBackToTheSameTree) {
  std::mt19937 random(7);
  const IndexVar i("i");
  const IndexVar j("j");
  const TensorVar a("a", 1);
  const TensorVar b("b", 2);
  const TensorVar s("s", 0);
  const std::vector<Expr> leaves{
      make_expr(Access{a, {i}}), make_expr(Access{b, {i, j}}), make_expr(Access{s, {}}), Expr(i), Expr(-3), Expr(2.0),
      Expr(Scalar(1.5F))};
  const auto grow = [&](auto& self, int depth) -> Expr {
    const auto pick = [&](unsigned n) { return random() % n; };
    if (depth == 0) return leaves[pick(7)];
    const Expr e = self(self, depth - 1);
    switch (pick(9)) {
      case 0: return e + self(self, depth - 1);
      case 1: return e - self(self, depth - 1);
      case 2: return e * self(self, depth - 1);
      case 3: return e / self(self, depth - 1);
      case 4: return -e;
      case 5: return max(e, self(self, depth - 1));
      case 6: return cast(Type::UInt16, e);
      case 7: return sum(j, e);
      default: return exp(e);
    }
  };
  for (int k = 0; k < 500; ++k) {
    const Statement s_out{Access{TensorVar("y", 2), {i, j}}, k % 2 == 0, grow(grow, 5), ""};
    const Statement again = parse_statement(to_string(s_out));
    EXPECT_TRUE(equal(again.rhs, s_out.rhs)) << to_string(s_out);
    EXPECT_EQ(again.accumulate, s_out.accumulate);
  }
}

}  // namespace
}  // namespace lacuna::print_test
