#include "lacuna/notation/parse.h"

#include <gtest/gtest.h>

#include <cmath>

#include <fmt/core.h>

#include "lacuna/notation/operators.h"

namespace lacuna::parse_test {
namespace {

Expr rhs_of(const std::string& text) { return parse_statement(text).rhs; }

Scalar literal_of(const std::string& number) {
  const Expr rhs = rhs_of("y = " + number);
  const auto* literal = as<Literal>(rhs);
  if (literal == nullptr) throw InternalError(number + " is not a literal");
  return literal->value;
}

TEST(Parse, AStatementHasItsParts) {
  const Statement s = parse_statement("y(i) = A(i,j)*x(j)");
  EXPECT_EQ(s.lhs.tensor.name(), "y");
  EXPECT_EQ(s.lhs.tensor.order(), 1);
  EXPECT_FALSE(s.accumulate);
  EXPECT_EQ(s.text, "y(i) = A(i,j)*x(j)");
  const auto* product = as<Binary>(s.rhs);
  ASSERT_NE(product, nullptr);
  EXPECT_EQ(product->op, BinaryOp::Mul);
  const auto* matrix = as<Access>(product->left);
  ASSERT_NE(matrix, nullptr);
  EXPECT_EQ(matrix->indices[0], s.lhs.indices[0]);
  EXPECT_EQ(matrix->indices[1], as<Access>(product->right)->indices[0]);
}

TEST(Parse, PlusEqualsAccumulates) { EXPECT_TRUE(parse_statement("y(i) += x(i)").accumulate); }

TEST(Parse, SpacesAndLinesDoNotMatter) {
  EXPECT_TRUE(equal(rhs_of("y ( i )\n=\t a ( i )+b( i )"), rhs_of("y(i)=a(i)+b(i)")));
}

TEST(Parse, OperatorsBuildTheSameTrees) {
  const IndexVar i("i");
  const IndexVar j("j");
  const Expr a = make_expr(Access{TensorVar("a", 1), {i}});
  const Expr b = make_expr(Access{TensorVar("b", 2), {i, j}});
  const Expr s = make_expr(Access{TensorVar("s", 0), {}});
  EXPECT_TRUE(equal(rhs_of("y(i) = a(i) + b(i,j) * s / 2 - -a(i)"), a + b * s / 2 - -a));
  EXPECT_TRUE(equal(rhs_of("y(i) = min(a(i), 1.5) * i"), min(a, 1.5) * i));
  EXPECT_TRUE(equal(rhs_of("y(i) = cast(float32, a(i) * 2)"), cast(Type::Float32, a * 2)));
  EXPECT_EQ(to_string(parse_statement("y(i) = cast(i,j)")), "y(i) = cast(i,j)") << "a tensor of that name";
  EXPECT_TRUE(equal(rhs_of("y(i) = sum(j, float32(b(i,j)))"), sum(j, cast(Type::Float32, b))));
  EXPECT_TRUE(equal(rhs_of("y(i) = a(i) * -3"), a * -Expr(3)));
}

TEST(Parse, OperatorsGroupFromTheLeftAndProductsFirst) {
  EXPECT_TRUE(equal(rhs_of("y = a - b - c"), rhs_of("y = (a - b) - c")));
  EXPECT_FALSE(equal(rhs_of("y = a - b - c"), rhs_of("y = a - (b - c)")));
  EXPECT_TRUE(equal(rhs_of("y = a + b * c"), rhs_of("y = a + (b * c)")));
  EXPECT_TRUE(equal(rhs_of("y = a / b * c"), rhs_of("y = (a / b) * c")));
  EXPECT_TRUE(equal(rhs_of("y = -a * b"), rhs_of("y = (-a) * b")));
  EXPECT_TRUE(equal(rhs_of("y = +a"), rhs_of("y = a")));
}

TEST(Parse, LiteralsTakeTheNarrowestIntegerType) {
  EXPECT_EQ(literal_of("7"), Scalar(std::int32_t{7}));
  EXPECT_EQ(literal_of("2147483647"), Scalar(std::int32_t{2147483647}));
  EXPECT_EQ(literal_of("2147483648"), Scalar(std::int64_t{2147483648}));
  EXPECT_EQ(literal_of("-2147483648").type(), Type::Int32);
  EXPECT_EQ(literal_of("-9223372036854775808"), Scalar(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(literal_of("18446744073709551615"), Scalar(std::numeric_limits<std::uint64_t>::max()));
}

TEST(Parse, FloatingLiteralsAreDoubles) {
  EXPECT_EQ(literal_of(".5"), Scalar(0.5));
  EXPECT_EQ(literal_of("1."), Scalar(1.0));
  EXPECT_EQ(literal_of("1e3"), Scalar(1000.0));
  EXPECT_EQ(literal_of("-2.5E-1"), Scalar(-0.25));
  EXPECT_EQ(literal_of("inf"), Scalar(HUGE_VAL));
  EXPECT_EQ(literal_of("nan"), Scalar(std::nan("")));
}

TEST(Parse, LiteralsOfOtherTypesAreCasts) {
  EXPECT_EQ(literal_of("true"), Scalar(true));
  EXPECT_EQ(literal_of("complex(1, -2.5)"), Scalar(std::complex<double>(1, -2.5)));
  EXPECT_EQ(literal_of("complex64(complex(1, 2))"), Scalar(std::complex<float>(1, 2)));
  EXPECT_EQ(literal_of("float32(0.1)"), Scalar(0.1F));
  EXPECT_EQ(literal_of("uint8(300)"), Scalar(std::uint8_t{44}));
}

TEST(Parse, ABareNameIsAnIndexOnlyWhereItIsUsedAsOne) {
  const Statement s = parse_statement("y(i) = alpha * x(i) + i");
  const auto* outer = as<Binary>(s.rhs);
  ASSERT_NE(outer, nullptr);
  EXPECT_NE(as<IndexValue>(outer->right), nullptr);
  const auto* alpha = as<Access>(as<Binary>(outer->left)->left);
  ASSERT_NE(alpha, nullptr);
  EXPECT_EQ(alpha->tensor.order(), 0);
  EXPECT_NE(as<IndexValue>(as<Sum>(rhs_of("s = sum(k, k)"))->body), nullptr);
  EXPECT_NE(as<Access>(as<Call>(rhs_of("y(i) = exp(k)"))->arguments[0]), nullptr);
}

TEST(Parse, EmptyParenthesesAreAScalar) {
  EXPECT_TRUE(equal(rhs_of("s() = alpha()"), rhs_of("s = alpha")));
  EXPECT_EQ(parse_statement("s() = alpha").lhs.tensor.order(), 0);
}

TEST(Parse, OneNameIsOneTensor) {
  const Statement s = parse_statement("C(i,j) = A(i,k) * A(j,k) * C(i,j)");
  const std::vector<Access> found = accesses(s.rhs);
  EXPECT_EQ(found[0].tensor, found[1].tensor);
  EXPECT_EQ(found[2].tensor, s.lhs.tensor);
}

TEST(Parse, SumTakesSeveralVariables) {
  EXPECT_TRUE(equal(rhs_of("s = sum(i, j, A(i,j))"), rhs_of("s = sum(i, sum(j, A(i,j)))")));
}

TEST(Parse, FunctionAndTypeNamesAreFreeWithoutParentheses) {
  const std::vector<Access> found = accesses(rhs_of("y(i) = exp * float32 + sum * x(i)"));
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].tensor.name(), "exp");
  EXPECT_EQ(found[1].tensor.name(), "float32");
  EXPECT_EQ(found[2].tensor.name(), "sum");
  EXPECT_EQ(parse_statement("max = a(min)").lhs.tensor.name(), "max");
}

TEST(Parse, EveryFunctionAndTypeIsKnown) {
  for (const FunctionInfo& f : function_table()) {
    const std::string arguments = f.arity == 1 ? "a" : f.arity == 2 ? "a, b" : "a, b, c";
    const Expr rhs = rhs_of(fmt::format("y = {}({})", f.name, arguments));
    const auto* call = as<Call>(rhs);
    ASSERT_NE(call, nullptr) << f.name;
    EXPECT_EQ(call->function, f.id);
  }
  for (int t = 0; t < type_count; ++t) {
    const auto type = static_cast<Type>(t);
    const Expr rhs = rhs_of(fmt::format("y = {}(a)", type_name(type)));
    const auto* cast = as<Cast>(rhs);
    ASSERT_NE(cast, nullptr) << type_name(type);
    EXPECT_EQ(cast->type, type);
  }
  EXPECT_EQ(as<Cast>(rhs_of("y = double(a)"))->type, Type::Float64);
}

TEST(Parse, OrdersAreNotLimited) { EXPECT_EQ(parse_statement("T(a,b,c,d,e,f,g,h,i,j) = x(a)").lhs.tensor.order(), 10); }

TEST(Parse, NodesKnowWhereTheyStand) {
  const std::string text = "y(i) = b(i) * (A(i,j) + 2.5)";
  const auto part = [&](const Expr& e) { return text.substr(e.where().begin, e.where().end - e.where().begin); };
  const Expr rhs = rhs_of(text);
  EXPECT_EQ(part(rhs), "b(i) * (A(i,j) + 2.5)");
  const Expr addition = as<Binary>(rhs)->right;
  EXPECT_EQ(part(addition), "A(i,j) + 2.5");
  EXPECT_EQ(part(as<Binary>(addition)->left), "A(i,j)");
  EXPECT_EQ(part(as<Binary>(addition)->right), "2.5");
}

TEST(Parse, LongChainsAndDeepNestingWithinTheBoundsAreRead) {
  std::string chain = "y = a";
  for (int k = 0; k < 900; ++k) chain += " + a";
  EXPECT_EQ(rhs_of(chain).node().depth, 901);
  EXPECT_TRUE(equal(rhs_of("y = " + std::string(150, '(') + "a" + std::string(150, ')')), rhs_of("y = a")));
}

}  // namespace
}  // namespace lacuna::parse_test
