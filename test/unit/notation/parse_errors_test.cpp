#include <gtest/gtest.h>

#include "lacuna/notation/parse.h"
#include "unit/notation/expect_error.h"

namespace lacuna::parse_errors_test {
namespace {

/// Expects `text` to be refused with `part` in the message; returns what the carets underline.
std::string refused(const std::string& text, const std::string& part) {
  return expect_error([&] { parse_statement(text); }, part);
}

TEST(ParseErrors, ForeignOperatorsAreTranslated) {
  EXPECT_EQ(refused("y(i) = a(i)^2", "write pow(a, b)"), "^");
  EXPECT_EQ(refused("y(i) = a(i)**2", "write pow(a, b)"), "**");
  EXPECT_EQ(refused("y(i) == a(i)", "eq(a, b) compares"), "==");
  EXPECT_EQ(refused("y(i) = a(i) <= 2", "write le(a, b)"), "<=");
  EXPECT_EQ(refused("y(i) = a(i) < 2", "write lt(a, b)"), "<");
  EXPECT_EQ(refused("y(i) = a(i) % 2", "write mod(a, b)"), "%");
  EXPECT_EQ(refused("y(i) = a(i) && b(i)", "write and(a, b)"), "&&");
  EXPECT_EQ(refused("y(i) = !a(i)", "write not(a)"), "!");
  EXPECT_EQ(refused("y(i) -= a(i)", "y(i) += -("), "-=");
  EXPECT_EQ(refused("y(i) *= a(i)", "y(i) = y(i) *"), "*=");
  EXPECT_EQ(refused("y[i] = a[i]", "parentheses, as in A(i,j)"), "[");
  EXPECT_EQ(refused("y(i) = a(i);", "one statement"), ";");
  EXPECT_EQ(refused("y(i) = A'(i,j)", "transposition"), "'");
}

TEST(ParseErrors, StrangeBytesAreNamed) {
  EXPECT_EQ(refused("y(i) = \xC3\xA9(i)", "byte 0xC3 at column 8"), "\xC3");
  EXPECT_EQ(refused(std::string("y = a\0b", 7), "control character 0x00 at column 6"), std::string(1, '\0'));
  EXPECT_EQ(refused("y = a @ b", "'@' at column 7"), "@");
  EXPECT_EQ(refused("y = a . b", "'.' at column 7"), ".");
}

TEST(ParseErrors, NumbersAreChecked) {
  EXPECT_EQ(refused("y = 18446744073709551616", "does not fit 64 bits"), "18446744073709551616");
  EXPECT_EQ(refused("y = -9223372036854775809", "does not fit 64 bits"), "9223372036854775809");
  EXPECT_EQ(refused("y = 1e999", "outside the range of float64"), "1e999");
  EXPECT_EQ(refused("y = 2x", "'2x' is neither a number nor a name"), "2x");
  EXPECT_EQ(refused("y = 1e", "'1e' is neither"), "1e");
  EXPECT_EQ(refused("y = 1.2.3", "'1.2.3' is neither"), "1.2.3");
  EXPECT_EQ(refused("y = 0x10", "'0x10' is neither"), "0x10");
  EXPECT_EQ(refused("y = complex(a, 2)", "two real numbers"), "a");
}

TEST(ParseErrors, IncompleteStatementsSayWhatIsMissing) {
  refused("", "an empty statement");
  refused("   ", "an empty statement");
  EXPECT_EQ(refused("3 = a", "starts with the tensor it assigns to"), "3");
  refused("y(i)", "expected '=' or '+='");
  refused("y(i) =", "ends where an operand is expected");
  refused("y(i) = a(i) +", "ends where an operand is expected");
  EXPECT_EQ(refused("y(i) = * a(i)", "expected an operand, not '*'"), "*");
  refused("y(i) = (a(i)", "expected ')' to close the parenthesis");
  EXPECT_EQ(refused("y(i) = a(i))", "closes no parenthesis"), ")");
  refused("y(i) = a(i", "the ')' of a(…) is missing");
  refused("y(i) = a(i,", "the ')' of a(…) is missing");
  EXPECT_EQ(refused("y(i) = a(i) b(i)", "an operator is missing before 'b'"), "b");
  EXPECT_EQ(refused("y(i) = (a(i) b(i))", "an operator is missing before 'b'"), "b");
  EXPECT_EQ(refused("y(i) = a(i) = b(i)", "second assignment"), "=");
}

TEST(ParseErrors, IndicesAreNames) {
  EXPECT_EQ(refused("y(i) = a(i+1)", "'+' cannot stand there"), "+");
  EXPECT_EQ(refused("y(i) = a(2)", "'2' cannot stand there"), "2");
  EXPECT_EQ(refused("y(i) = a(i,,j)", "',' cannot stand there"), ",");
  EXPECT_EQ(refused("y(i) = a(i,)", "')' cannot stand there"), ")");
  EXPECT_EQ(refused("y(true) = 1", "true is a number"), "true");
  EXPECT_EQ(refused("y(i) = frob(a(i))", "frob is not a function"), "frob");
}

TEST(ParseErrors, ANameIsOneThing) {
  EXPECT_EQ(refused("y(i) = A(i,j) * A(j)", "A has 1 index here but 2 indices before"), "A");
  EXPECT_EQ(refused("y(i) = y * a(i)", "y has no index here but 1 index before"), "y");
  EXPECT_EQ(refused("y(i) = i(i)", "i is an index variable"), "i");
  EXPECT_EQ(refused("i = a(i)", "i is an index variable"), "i");
}

TEST(ParseErrors, ReservedNamesSuggestAnother) {
  EXPECT_EQ(refused("exp(i) = a(i)", "such as exp_"), "exp");
  EXPECT_EQ(refused("float(i) = a(i)", "such as float_"), "float");
  EXPECT_EQ(refused("sum = sum(i)", "such as total"), "sum");
  EXPECT_EQ(refused("y(i) = exp(i,j)", "such as exp_"), "exp(i,j)");
  EXPECT_EQ(refused("y(i) = min(a(i))", "min takes 2 arguments, but 1 is given"), "min(a(i))");
  EXPECT_EQ(refused("y(i) = sqrt()", "sqrt takes 1 argument, but 0 are given"), "sqrt()");
  EXPECT_EQ(refused("y(i) = int8(a(i), 2)", "int8 takes 1 argument"), "int8(a(i), 2)");
  EXPECT_EQ(refused("s = sum(j, a(j), b(j))", "sum takes one expression"), ",");
  refused("s = min(a, b", "to end the arguments of min");
  refused("s = cast(float32, a, b)", "cast takes a type and one expression");
  refused("s = cast(float32, a", "to end the cast");
}

TEST(ParseErrors, DeepNestingIsRefusedAndDoesNotOverflow) {
  for (const std::size_t n : {std::size_t{1000}, std::size_t{200000}}) {
    refused("y = " + std::string(n, '(') + "a", "inside each other");
    refused("y = " + std::string(n, '-') + "a", "inside each other");
    std::string calls = "y = ";
    std::string chain = "y = a";
    for (std::size_t k = 0; k < n; ++k) {
      calls += "exp(";
      chain += "*a";
    }
    refused(calls, "inside each other");
    refused(chain + "*a", "operations deep");
  }
}

}  // namespace
}  // namespace lacuna::parse_errors_test
