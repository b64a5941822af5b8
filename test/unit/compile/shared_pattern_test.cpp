// Results that share the arrays of an operand's first levels.

#include <gtest/gtest.h>

#include "unit/compile/interpreted.h"

namespace lacuna::shared_pattern_test {
namespace {

const Storage B = tensor<double>("csf", {3, 4, 2}, {{{0, 1, 0}, 2}, {{0, 1, 1}, 3}, {{0, 3, 1}, 4}, {{2, 0, 0}, 5}});
const Storage c = dense<double>({10, 100});

template <typename T>
Array array(const std::vector<T>& values) {
  return Array::of<T>(values);
}

/// B with the fibre (0, 3) emptied: the arrays that a user may have.
Storage with_an_empty_fibre() {
  Storage emptied = B;
  LevelStorage& last = emptied.levels[2];
  last.nonempty = false;
  last.pos = array<std::int32_t>({0, 2, 2, 3});
  last.crd = array<std::int32_t>({0, 1, 0});
  last.positions = 3;
  emptied.values = array<double>({2, 3, 5});
  validate(emptied, "B");
  return emptied;
}

TEST(SharedPattern, SharesTheArraysOfTheFirstLevels) {
  Storage a;
  EXPECT_EQ(run_and_compare(request_for("A(i,j) = B(i,j,k) * c(k)", {{"B", B}, {"c", c}}, "csf"), &a), "");
  EXPECT_EQ(a.levels[1].crd.data(), B.levels[1].crd.data());
  EXPECT_EQ(a.stored(), 3);
  EXPECT_TRUE(a.levels[1].nonempty);
}

TEST(SharedPattern, HasBlocksUnderTheSharedLevels) {
  const Storage C = tensor<double>("dense", {2, 3}, {{{0, 0}, 1}, {{0, 2}, 100}, {{1, 0}, 2}, {{1, 1}, 20}});
  Storage a;
  const Request request =
      request_for("A(i,j,l) = B(i,j,k) * C(k,l)", {{"B", B}, {"C", C}}, "compressed,compressed,dense");
  EXPECT_EQ(run_and_compare(request, &a), "");
  EXPECT_EQ(a.levels[1].crd.data(), B.levels[1].crd.data());
  EXPECT_EQ(a.stored(), 9);
}

TEST(SharedPattern, DoesNotStoreWhatHasNoEntries) {
  Storage a;
  const Operands operands = {{"B", with_an_empty_fibre()}, {"c", c}};
  EXPECT_EQ(run_and_compare(request_for("A(i,j) = B(i,j,k) * c(k)", operands, "csf"), &a), "");
  EXPECT_EQ(a.stored(), 2);
}

TEST(SharedPattern, IsFoundAgainInWhatWasAppended) {
  Storage a;
  const Operands operands = {{"B", with_an_empty_fibre()}, {"C", with_an_empty_fibre()}};
  EXPECT_EQ(run_and_compare(request_for("A(i,j,k) = B(i,j,k) + C(i,j,k)", operands, "csf"), &a), "");
  EXPECT_EQ(a.levels[1].positions, 2);
  Storage sums;
  EXPECT_EQ(run_and_compare(request_for("S(i,j) = A(i,j,k) * c(k)", {{"A", a}, {"c", c}}, "csf"), &sums), "");
  EXPECT_EQ(sums.levels[1].crd.data(), a.levels[1].crd.data());
}

/// Each term alone has the pattern of one operand; their sum has that of neither.
TEST(SharedPattern, IsNotThatOfOneTermOfSeveral) {
  const Storage A = tensor<double>("compressed,dense", {2, 2}, {{{1, 1}, 1}});
  const Storage D = tensor<double>("compressed,dense", {2, 3}, {{{0, 2}, 4}});
  const std::map<std::string, Storage> operands = {{"A", A}, {"D", D}};
  EXPECT_EQ(run_and_compare(request_for("y(i,k) = A(i,j) - D(i,k)", operands, "compressed,dense")), "");
  EXPECT_EQ(run_and_compare(request_for("y(i,k) = D(i,k) + A(i,j)", operands, "compressed,dense")), "");
}

}  // namespace
}  // namespace lacuna::shared_pattern_test
