#include "lacuna/notation/linear.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/notation/parse.h"
#include "support/message_of.h"

namespace lacuna::linear_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// G is what changes; the types of all others and of the result are given.
LinearChange change(const std::string& text, Type g = Type::Float64, Type others = Type::Float64,
                    std::optional<Type> result = std::nullopt) {
  const Statement s = parse_statement(text);
  check_meaning(s);
  FactsByName facts;
  for (const std::string& name : operand_names(s)) facts[name] = {others, std::nullopt};
  facts[s.lhs.tensor.name()] = {others, std::nullopt};
  facts["G"] = {g, std::nullopt};
  return change_of(s, "G", facts, result.value_or(compute_type(s, facts)));
}

std::string text_of(const std::string& text, Type g = Type::Float64, Type others = Type::Float64) {
  return to_string(change(text, g, others).statement);
}

TEST(LinearChange, KeepsTheTermsThatReadTheOperand) {
  EXPECT_EQ(text_of("y(i) = G(i,j) * x(j)"), "dy(i) = dG(i,j) * x(j)");
  EXPECT_EQ(text_of("y(i) = b(i) - A(i,j) * G(j,k) * x(k) + c(i)"), "dy(i) = -(A(i,j) * dG(j,k) * x(k))");
  EXPECT_EQ(text_of("y(i) += G(i,j) * x(j) - G(j,i) * z(j)"), "dy(i) = dG(i,j) * x(j) - dG(j,i) * z(j)");
  EXPECT_EQ(text_of("s = A(i,j) * G(i,j) / n(i)"), "ds = A(i,j) * dG(i,j) / n(i)");
  EXPECT_EQ(text_of("y(i) = sum(j, G(i,j) + c(j))"), "dy(i) = sum(j, dG(i,j))");
  EXPECT_EQ(text_of("y(i) = x(i) * (c(i) - G(i))"), "dy(i) = x(i) * -dG(i)");
  EXPECT_EQ(text_of("y(i) = y(i) + G(i,j) * x(j)"), "dy(i) = dG(i,j) * x(j)");
  EXPECT_EQ(text_of("dy(i) = G(i,j) * dG(j)"), "ddy(i) = ddG(i,j) * dG(j)");
}

TEST(LinearChange, SubtractsInTheTypeThatTheOperandIsUsedIn) {
  EXPECT_EQ(change("y(i) = G(i,j) * x(j)", Type::Int8, Type::Int8).type, Type::Int32);
  EXPECT_EQ(change("y(i) = G(i,j) * x(j)", Type::Bool, Type::Float32).type, Type::Float32);
  EXPECT_EQ(change("y(i) = G(i,j) * x(j)", Type::Int32, Type::UInt64).type, Type::UInt64);
  EXPECT_EQ(change("y(i) = G(i,j)", Type::Int16, Type::Int64).type, Type::Int32);
  // A term that falls out gave its type to the rest.
  EXPECT_EQ(text_of("y(i) = G(i) * 2 + b(i)", Type::Float32, Type::Float64), "dy(i) = float64(dG(i) * 2)");
}

std::string refusal(const std::string& text, Type g = Type::Float64, Type others = Type::Float64,
                    std::optional<Type> result = std::nullopt) {
  return message_of([&] { change(text, g, others, result); });
}

TEST(LinearChange, RefusesWhatDoesNotChangeInProportion) {
  EXPECT_THAT(refusal("c = G(i,j) * G(j,k) * G(k,i)"),
              AllOf(HasSubstr("in proportion to G"), HasSubstr("G(i,j) * G(j,k) * G(k,i) reads it more than once")));
  EXPECT_THAT(refusal("y(i) = b(i) + sqrt(G(i,j) * x(j))"), HasSubstr("reads it inside sqrt"));
  EXPECT_THAT(refusal("y(i) = max(G(i), b(i))"), HasSubstr("reads it inside max"));
  EXPECT_THAT(refusal("y(i) = x(i) / G(i)"), HasSubstr("divides by it"));
  EXPECT_THAT(refusal("G(i) = G(i) + x(i)"), HasSubstr("G is the result as well"));
}

TEST(LinearChange, RefusesWhatRoundsOrWraps) {
  EXPECT_THAT(refusal("y(i) = G(i) / x(i)", Type::Int32, Type::Int32), HasSubstr("divides in int32, which rounds"));
  EXPECT_EQ(refusal("y(i) = G(i) / x(i)", Type::Int32), "no error");
  EXPECT_THAT(refusal("y(i) = int32(G(i)) * x(i)"), HasSubstr("converts it from float64 to int32"));
  EXPECT_THAT(refusal("y(i) = bool(G(i)) * x(i)"), HasSubstr("to bool"));
  EXPECT_THAT(refusal("y(i) = float64(G(i,j) * x(j))", Type::Int32, Type::Int32), HasSubstr("as integers wrap"));
  EXPECT_THAT(refusal("y(i) = G(i,j) * x(j)", Type::Int32, Type::Int32, Type::Int64),
              HasSubstr("G(i,j) * x(j) is computed in int32 and then converted to int64"));
  EXPECT_EQ(refusal("y(i) = G(i,j)", Type::Int32, Type::Int32, Type::Int64), "no error");
  EXPECT_THAT(refusal("y(i) = G(i,j) * x(j)", Type::Float64, Type::Float64, Type::Int64),
              HasSubstr("converted to int64"));
  EXPECT_EQ(refusal("y(i) = G(i,j) * x(j)", Type::Int64, Type::Int64, Type::Int8), "no error");
  EXPECT_EQ(refusal("y(i) = G(i,j) * x(j)", Type::Float64, Type::Float64, Type::Float32), "no error");
}

}  // namespace
}  // namespace lacuna::linear_test
