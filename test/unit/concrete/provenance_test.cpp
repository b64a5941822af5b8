#include "lacuna/concrete/provenance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lacuna::concrete::provenance_test {
namespace {

using testing::ElementsAre;

/// The variables that the derivations below are made of.
class ProvenanceTest : public testing::Test {
 protected:
  const IndexVar i{"i"}, j{"j"}, k{"k"}, f{"f"}, g{"g"}, p{"p"}, b{"b"}, o{"o"}, n{"n"}, oo{"oo"}, on{"on"};
  const TensorVar A{"A", 2};
  const Access Aij{A, {i, j}};
  Provenance provenance;

  Split split(const IndexVar& parent, const IndexVar& outer, const IndexVar& inner) const {
    return {parent, outer, inner, 4, false};
  }
};

TEST_F(ProvenanceTest, WithoutDerivationsEveryVariableIsItself) {
  EXPECT_TRUE(provenance.empty());
  EXPECT_EQ(provenance.made_by(i), nullptr);
  EXPECT_EQ(provenance.replaced_by(i), nullptr);
  EXPECT_FALSE(provenance.is_derived(i));
  EXPECT_FALSE(provenance.counts_positions(i));
  EXPECT_THAT(provenance.underived(i), ElementsAre(i));
  EXPECT_THAT(provenance.leaves(i), ElementsAre(i));
  EXPECT_TRUE(provenance.is_known(i, {j, i}));
  EXPECT_FALSE(provenance.is_known(i, {j}));
}

TEST_F(ProvenanceTest, ASplitVariableIsKnownWhereBothItsPartsAre) {
  provenance.add(split(i, o, n));
  ASSERT_NE(provenance.replaced_by(i), nullptr);
  EXPECT_EQ(provenance.replaced_by(i), provenance.made_by(o));
  EXPECT_EQ(provenance.made_by(o), provenance.made_by(n));
  EXPECT_EQ(provenance.replaced_by(o), nullptr);
  EXPECT_TRUE(provenance.is_derived(n));
  EXPECT_FALSE(provenance.is_derived(i));
  EXPECT_THAT(provenance.underived(o), ElementsAre(i));
  EXPECT_THAT(provenance.underived(n), ElementsAre(i));
  EXPECT_THAT(provenance.leaves(i), ElementsAre(o, n));
  EXPECT_TRUE(provenance.is_known(i, {n, o}));
  EXPECT_TRUE(provenance.is_known(i, {i}));
  EXPECT_FALSE(provenance.is_known(i, {o}));
  EXPECT_FALSE(provenance.is_known(i, {n, j}));
}

TEST_F(ProvenanceTest, PiecesOfPiecesComeFromOneVariable) {
  provenance.add(split(i, o, n));
  provenance.add(Split{o, oo, on, 3, true});
  EXPECT_THAT(provenance.underived(oo), ElementsAre(i));
  EXPECT_THAT(provenance.leaves(i), ElementsAre(oo, on, n));
  EXPECT_THAT(provenance.leaves(o), ElementsAre(oo, on));
  EXPECT_TRUE(provenance.is_known(i, {oo, n, on}));
  EXPECT_TRUE(provenance.is_known(i, {o, n}));
  EXPECT_FALSE(provenance.is_known(i, {oo, n}));
}

TEST_F(ProvenanceTest, AFusedVariableRangesOverBothInOrder) {
  provenance.add(Fuse{i, j, f});
  EXPECT_THAT(provenance.underived(f), ElementsAre(i, j));
  EXPECT_THAT(provenance.leaves(i), ElementsAre(f));
  EXPECT_THAT(provenance.leaves(j), ElementsAre(f));
  EXPECT_EQ(provenance.replaced_by(i), provenance.replaced_by(j));
  EXPECT_TRUE(provenance.is_known(i, {f}));
  EXPECT_TRUE(provenance.is_known(j, {f}));
  EXPECT_TRUE(provenance.is_derived(f));
  EXPECT_FALSE(provenance.counts_positions(f));
}

TEST_F(ProvenanceTest, FusingAFusedVariableKeepsTheOrderOfAll) {
  provenance.add(Fuse{j, k, f});
  provenance.add(Fuse{i, f, g});
  EXPECT_THAT(provenance.underived(g), ElementsAre(i, j, k));
  EXPECT_THAT(provenance.underived(f), ElementsAre(j, k));
  EXPECT_THAT(provenance.leaves(k), ElementsAre(g));
  EXPECT_TRUE(provenance.is_known(k, {g}));
  EXPECT_FALSE(provenance.is_known(i, {f}));
}

TEST_F(ProvenanceTest, FusingThePartsOfOneVariableNamesItOnce) {
  provenance.add(split(i, o, n));
  provenance.add(Fuse{o, n, f});
  EXPECT_THAT(provenance.underived(f), ElementsAre(i));
  EXPECT_THAT(provenance.leaves(i), ElementsAre(f));
  EXPECT_TRUE(provenance.is_known(i, {f}));
}

TEST_F(ProvenanceTest, FusingPartsOfTwoVariablesRangesOverBoth) {
  provenance.add(split(i, o, n));
  provenance.add(split(j, oo, on));
  provenance.add(Fuse{n, oo, f});
  EXPECT_THAT(provenance.underived(f), ElementsAre(i, j));
  EXPECT_THAT(provenance.leaves(i), ElementsAre(o, f));
  EXPECT_THAT(provenance.leaves(j), ElementsAre(f, on));
  EXPECT_TRUE(provenance.is_known(i, {o, f}));
  EXPECT_FALSE(provenance.is_known(j, {o, f}));
}

TEST_F(ProvenanceTest, PositionsAreCountedByThemAndByTheirPieces) {
  provenance.add(Fuse{i, j, f});
  provenance.add(Position{f, p, Aij});
  provenance.add(split(p, o, n));
  provenance.add(Bound{o, b, 7, BoundKind::Max});
  EXPECT_FALSE(provenance.counts_positions(f));
  EXPECT_FALSE(provenance.counts_positions(i));
  for (const IndexVar& v : {p, o, n, b}) EXPECT_TRUE(provenance.counts_positions(v)) << v.name();
  EXPECT_THAT(provenance.underived(b), ElementsAre(i, j));
  EXPECT_THAT(provenance.leaves(i), ElementsAre(b, n));
  EXPECT_TRUE(provenance.is_known(j, {b, n}));
  EXPECT_FALSE(provenance.is_known(j, {b}));
}

TEST_F(ProvenanceTest, OnePieceOfWhatIsCountedDoesNotMakeTheOtherVariableCountPositions) {
  provenance.add(Position{j, p, Aij});
  provenance.add(split(i, o, n));
  EXPECT_TRUE(provenance.counts_positions(p));
  EXPECT_FALSE(provenance.counts_positions(o));
  EXPECT_FALSE(provenance.counts_positions(n));
}

TEST_F(ProvenanceTest, ABoundedVariableIsTheVariableUnderAnotherName) {
  provenance.add(Bound{i, b, 8, BoundKind::Exact});
  EXPECT_THAT(provenance.underived(b), ElementsAre(i));
  EXPECT_THAT(provenance.leaves(i), ElementsAre(b));
  EXPECT_TRUE(provenance.is_known(i, {b}));
  EXPECT_FALSE(provenance.counts_positions(b));
}

TEST_F(ProvenanceTest, DerivationsAreKeptOldestFirst) {
  provenance.add(split(i, o, n));
  provenance.add(Fuse{o, j, f});
  ASSERT_EQ(provenance.all().size(), 2U);
  EXPECT_TRUE(std::holds_alternative<Split>(provenance.all()[0]));
  EXPECT_THAT(parents(provenance.all()[0]), ElementsAre(i));
  EXPECT_THAT(made(provenance.all()[0]), ElementsAre(o, n));
  EXPECT_THAT(parents(provenance.all()[1]), ElementsAre(o, j));
  EXPECT_THAT(made(provenance.all()[1]), ElementsAre(f));
}

}  // namespace
}  // namespace lacuna::concrete::provenance_test
