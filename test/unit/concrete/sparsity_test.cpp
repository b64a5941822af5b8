#include "lacuna/concrete/sparsity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/notation/parse.h"

namespace lacuna::concrete::sparsity_test {
namespace {

using testing::ElementsAre;

const Formula a = Formula::atom(0), b = Formula::atom(1), c = Formula::atom(2);

/// Presence of the right side of "y(i) = …" over vectors a, b, c that are atoms and d that is always there.
Formula presence_of(const std::string& right) {
  return presence(parse_statement("y(i) = " + right).rhs, [](const Access& access) {
    const char name = access.tensor.name()[0];
    return name == 'd' ? Formula::always() : Formula::atom(name - 'a');
  });
}

TEST(Formula, IsAMinimalSumOfProducts) {
  EXPECT_THAT((a | (a & b)).terms(), ElementsAre(1));
  EXPECT_THAT(((a | b) & c).terms(), ElementsAre(5, 6));
  EXPECT_EQ(((a | b) & (a | c)), (a | (b & c)));
}

TEST(Formula, TrueAndFalseAreNeutral) {
  EXPECT_TRUE((a | Formula::always()).is_always());
  EXPECT_TRUE((a & Formula::never()).is_never());
  EXPECT_EQ(a & Formula::always(), a);
  EXPECT_EQ(a | Formula::never(), a);
}

TEST(Formula, AssumedAtomsGo) {
  EXPECT_EQ((a & b).assume(2), a);
  EXPECT_TRUE((a | b).assume(2).is_always());
  EXPECT_EQ(((a & b) | c).support(), 7U);
}

TEST(Formula, WhatIsTooLargeToKeepIsTrue) {
  Formula pairs = Formula::always();
  for (int k = 0; k < 18; k += 2) pairs = pairs & (Formula::atom(k) | Formula::atom(k + 1));
  EXPECT_TRUE(pairs.is_always());
  EXPECT_TRUE(Formula::atom(64).is_always());
}

TEST(Presence, ProductsNeedBothAndSumsEither) {
  EXPECT_EQ(presence_of("a(i)*b(i)"), a & b);
  EXPECT_EQ(presence_of("a(i)+b(i)"), a | b);
  EXPECT_EQ(presence_of("a(i)*b(i) - c(i)"), (a & b) | c);
  EXPECT_EQ(presence_of("-a(i)*d(i)"), a);
  EXPECT_TRUE(presence_of("a(i)+d(i)").is_always());
}

TEST(Presence, AQuotientNeedsItsNumerator) {
  EXPECT_EQ(presence_of("a(i)/b(i)"), a);
  EXPECT_TRUE(presence_of("d(i)/a(i)").is_always());
}

TEST(Presence, FunctionsFollowTheirAbsenceRule) {
  EXPECT_EQ(presence_of("sqrt(a(i))"), a);
  EXPECT_EQ(presence_of("max(a(i), b(i))"), a | b);
  EXPECT_TRUE(presence_of("exp(a(i))").is_always());
}

bool is_sparse(const Access& access) { return access.tensor.name() != "d"; }
bool always(const std::string& right) { return always_structural(parse_statement("y(i) = " + right).rhs, is_sparse); }
bool never(const std::string& right) { return never_structural(parse_statement("y(i) = " + right).rhs, is_sparse); }

TEST(Structural, OneSparseFactorIsEnoughButEveryAddendIsNeeded) {
  EXPECT_TRUE(always("a(i)*d(i)"));
  EXPECT_FALSE(always("a(i)+d(i)"));
  EXPECT_FALSE(never("a(i)+d(i)"));
  EXPECT_TRUE(always("a(i)+b(i)"));
  EXPECT_TRUE(never("2*d(i)"));
  EXPECT_FALSE(always("d(i)/a(i)"));
}

}  // namespace
}  // namespace lacuna::concrete::sparsity_test
