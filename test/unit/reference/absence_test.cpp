#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/core.h>

#include "lacuna/tensor/compare.h"
#include "unit/reference/evaluate_text.h"

namespace lacuna::absence_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// a stores 0 and 1, b stores 1 and 2, nothing is stored at 3; d is dense.
const Operands operands{
    {"a", sparse<double>(4, {{{0}, 2}, {{1}, 3}})},
    {"b", sparse<double>(4, {{{1}, 4}, {{2}, 5}})},
    {"d", dense<double>({10, 20, 30, 40})},
    {"n", sparse<std::int32_t>(4, {{{0}, 7}, {{1}, 9}})},
    {"m", sparse<std::int32_t>(4, {{{1}, 2}, {{2}, 4}})},
};

std::vector<std::string> y(const std::string& rhs, Type type = Type::Float64) {
  return lines(evaluate("y(i) = " + rhs, operands, type));
}

TEST(Absence, ADenseTensorIsPresentEverywhereAndNotStructural) {
  EXPECT_THAT(y("d(i)"), ElementsAre("0: 10", "1: 20", "2: 30", "3: 40"));
}

TEST(Absence, ASparseTensorIsPresentWhereItStores) { EXPECT_THAT(y("a(i)"), ElementsAre("0: 2*", "1: 3*")); }

TEST(Absence, LiteralsAndIndexValuesArePresentEverywhere) {
  EXPECT_THAT(y("2.5 + 0 * d(i)"), ElementsAre("0: 2.5", "1: 2.5", "2: 2.5", "3: 2.5"));
  EXPECT_THAT(y("i + 0 * d(i)"), ElementsAre("0: 0", "1: 1", "2: 2", "3: 3"));
}

TEST(Absence, AProductIsAbsentWhereAFactorIs) {
  EXPECT_THAT(y("a(i) * b(i)"), ElementsAre("1: 12*"));
  EXPECT_THAT(y("a(i) * d(i)"), ElementsAre("0: 20*", "1: 60*"));
  EXPECT_THAT(y("inf * a(i)"), ElementsAre("0: inf*", "1: inf*"));
}

TEST(Absence, AQuotientIsAbsentWhereItsNumeratorIs) {
  EXPECT_THAT(y("b(i) / d(i)"), ElementsAre("1: 0.2*", "2: 0.16666666666666666*"));
  EXPECT_THAT(y("a(i) / b(i)"), ElementsAre("0: inf*", "1: 0.75*"));
  EXPECT_THAT(y("d(i) / a(i)"), ElementsAre("0: 5*", "1: 6.666666666666667*", "2: inf", "3: inf"));
  EXPECT_THAT(y("n(i) / m(i)", Type::Int32), ElementsAre("0: 0*", "1: 4*"));
}

TEST(Absence, ASumIsAbsentWhereBothSidesAre) {
  // Inside min, because a sum at the top would be two terms.
  EXPECT_THAT(y("min(a(i) + b(i), 100)"), ElementsAre("0: 2*", "1: 7*", "2: 5*", "3: 0"));
  EXPECT_THAT(y("2 * (a(i) + b(i))"), ElementsAre("0: 4*", "1: 14*", "2: 10*"));
  EXPECT_THAT(y("2 * (a(i) - b(i))"), ElementsAre("0: 4*", "1: -2*", "2: -10*"));
}

TEST(Absence, TermsAreAddedWhereAnyIsPresent) {
  EXPECT_THAT(y("a(i) + b(i)"), ElementsAre("0: 2*", "1: 7*", "2: 5*"));
  EXPECT_THAT(y("a(i) - b(i)"), ElementsAre("0: 2*", "1: -1*", "2: -5*"));
  EXPECT_THAT(y("a(i) + d(i)"), ElementsAre("0: 12*", "1: 23*", "2: 30", "3: 40"));
}

TEST(Absence, NegationAndCastsKeepIt) {
  EXPECT_THAT(y("2 * -a(i)"), ElementsAre("0: -4*", "1: -6*"));
  EXPECT_THAT(y("-a(i)"), ElementsAre("0: -2*", "1: -3*"));
  EXPECT_THAT(y("int8(a(i) / 2)"), ElementsAre("0: 1*", "1: 1*"));
}

TEST(Absence, ZeroWhenAllAbsentCountsMissingArgumentsAsZero) {
  EXPECT_THAT(y("sqrt(2 * a(i))"), ElementsAre("0: 2*", "1: 2.449489742783178*"));
  EXPECT_THAT(y("max(a(i), b(i))"), ElementsAre("0: 2*", "1: 4*", "2: 5*"));
  EXPECT_THAT(y("min(a(i), b(i))"), ElementsAre("0: 0*", "1: 3*", "2: 0*"));
  EXPECT_THAT(y("max(a(i), 1)"), ElementsAre("0: 2*", "1: 3*", "2: 1", "3: 1"));
  EXPECT_THAT(y("or(a(i), b(i))"), ElementsAre("0: 1*", "1: 1*", "2: 1*"));
}

TEST(Absence, TheFirstArgumentAnnihilatesPowAndRemainders) {
  EXPECT_THAT(y("pow(a(i), b(i))"), ElementsAre("0: 1*", "1: 81*"));
  EXPECT_THAT(y("pow(a(i), 2)"), ElementsAre("0: 4*", "1: 9*"));
  EXPECT_THAT(y("mod(m(i), n(i))", Type::Int32), ElementsAre("1: 2*", "2: 0*"));
}

TEST(Absence, AnyArgumentAnnihilatesAnd) { EXPECT_THAT(y("and(a(i), b(i))"), ElementsAre("1: 1*")); }

TEST(Absence, SomeFunctionsAreNeverAbsent) {
  EXPECT_THAT(y("cos(0 * a(i))"), ElementsAre("0: 1*", "1: 1*", "2: 1", "3: 1"));
  EXPECT_THAT(y("eq(a(i), b(i))"), ElementsAre("0: 0*", "1: 0*", "2: 0*", "3: 1"));
  EXPECT_THAT(y("not(a(i))"), ElementsAre("0: 0*", "1: 0*", "2: 1", "3: 1"));
}

TEST(Absence, AnExplicitSumIsAbsentWhereItsBodyIsEverywhere) {
  const Operands with_matrix{{"A", tensor<double>("csr", {3, 4}, {{{0, 1}, 1}, {{0, 2}, 2}, {{2, 0}, 0}})},
                             {"d", operands.at("d")}};
  EXPECT_THAT(lines(evaluate("y(i) = sum(j, A(i,j))", with_matrix)), ElementsAre("0: 3*", "2: 0*"));
  EXPECT_THAT(lines(evaluate("y(i) = exp(sum(j, A(i,j) * d(j)))", with_matrix)),
              ElementsAre(fmt::format("0: {}*", std::exp(80.0)), "1: 1", "2: 1*"));
}

TEST(Absence, ZerosThatAreStoredStay) {
  const Operands zeros{{"a", sparse<double>(3, {{{0}, 0}, {{2}, 1}})}, {"d", dense<double>({1, 0, 0})}};
  const ReferenceResult copy = evaluate("y(i) = a(i)", zeros);
  EXPECT_THAT(lines(copy), ElementsAre("0: 0*", "2: 1*"));
  EXPECT_EQ(to_storage(copy, parse_format("compressed", 1)).stored(), 2);
  EXPECT_EQ(to_storage(copy, parse_format("dense", 1)).stored(), 3);
}

TEST(Absence, ZerosThatNothingStoredAreDropped) {
  const Operands zeros{{"d", dense<double>({1, 0, 0})}};
  const Storage kept = to_storage(evaluate("y(i) = d(i)", zeros), parse_format("compressed", 1));
  EXPECT_EQ(kept.stored(), 1);
  EXPECT_EQ(difference(kept, zeros.at("d")), std::nullopt);
}

TEST(Absence, ACancelledSumOfStoredEntriesStays) {
  EXPECT_THAT(y("a(i) - a(i)"), ElementsAre("0: 0*", "1: 0*"));
  EXPECT_THAT(y("a(i) * 0"), ElementsAre("0: 0*", "1: 0*"));
}

TEST(Absence, AValueThatTheResultTypeRoundsToZeroIsDropped) {
  const Operands small{{"d", dense<double>({0.25, 2.5})}};
  const ReferenceResult result = evaluate("y(i) = d(i)", small, Type::Int32);
  EXPECT_EQ(to_storage(result, parse_format("compressed", 1)).stored(), 1);
}

TEST(Absence, AMixedFormatIsStructuralInItsPadding) {
  // dense, compressed, dense: every stored block of the last level holds its zeros.
  const Operands blocks{{"B", tensor<double>("compressed,dense", {3, 2}, {{{1, 0}, 5}})}};
  EXPECT_THAT(lines(evaluate("C(i,j) = B(i,j)", blocks)), ElementsAre("1,0: 5*", "1,1: 0*"));
}

TEST(Absence, EmptyTensorsGiveEmptyResults) {
  const Operands empty{{"a", sparse<double>(4, {})}, {"d", operands.at("d")}};
  EXPECT_THAT(lines(evaluate("y(i) = a(i) * d(i)", empty)), IsEmpty());
  EXPECT_THAT(lines(evaluate("s = a(i) * d(i)", empty)), IsEmpty());
  EXPECT_EQ(to_storage(evaluate("s = a(i)", empty), parse_format("", 0)).stored(), 1);
}

}  // namespace
}  // namespace lacuna::absence_test
