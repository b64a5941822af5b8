// Tensors over arrays of the program: borrowed, or copied.

#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"

namespace lacuna::borrowed_test {
namespace {

class BorrowedTest : public ::testing::Test {
 protected:
  /// The sum of what a vector, and what a matrix holds, assigned but not computed yet.
  static Tensor<double> sum_of(const Tensor<double>& a) {
    const IndexVar i("i"), j("j");
    Tensor<double> s;
    if (a.order() == 1) s() = a(i);
    else s() = a(i, j);
    return s;
  }

  std::vector<int> pos_ = {0, 1, 2};
  std::vector<int> crd_ = {1, 2};
  std::vector<int> rows_ = {0, 1};
  std::vector<double> values_ = {2, 3};
};

TEST_F(BorrowedTest, WhatIsWrittenBeforeAResultIsComputedShowsInIt) {
  for (const auto& a :
       {Tensor<double>::from_dense({2}, values_), Tensor<double>::from_csr(2, 3, pos_, crd_, values_),
        Tensor<double>::from_csc(3, 2, pos_, crd_, values_), Tensor<double>::from_coo(2, 3, rows_, crd_, values_)}) {
    values_ = {2, 3};
    const Tensor<double> before = sum_of(a), after = sum_of(a);
    EXPECT_EQ(before.value(), 5);
    values_[0] = 10;
    EXPECT_EQ(before.value(), 5) << "it was computed before";
    EXPECT_EQ(after.value(), 13);
  }
}

TEST_F(BorrowedTest, ACopyIsWhatTheArraysHeldWhenItWasMade) {
  for (const auto& a :
       {Tensor<double>::from_dense({2}, values_).copied(), Tensor<double>::from_csr(2, 3, pos_, crd_, values_).copied(),
        Tensor<double>::from_csc(3, 2, pos_, crd_, values_).copied(),
        Tensor<double>::from_coo(2, 3, rows_, crd_, values_).copied()}) {
    const Tensor<double> s = sum_of(a);
    pos_ = {7, 7, 7};
    crd_ = {9, 9};
    rows_ = {9, 9};
    values_ = {10, 20};
    EXPECT_EQ(s.value(), 5);
    EXPECT_TRUE(a.equals(a.copied()));
    pos_ = {0, 1, 2};
    crd_ = {1, 2};
    rows_ = {0, 1};
    values_ = {2, 3};
  }
}

TEST_F(BorrowedTest, ACopyKeepsNameFormatAndEntries) {
  Tensor<double> a("A", {2, 3}, csr_format());
  a.insert({0, 1}, 2.0);
  const Tensor<double> copy = a.copied();
  EXPECT_EQ(copy.name(), "A");
  EXPECT_EQ(copy.format(), csr_format());
  EXPECT_TRUE(copy.equals(a));
  EXPECT_NE(copy.storage().values.data(), a.storage().values.data());
}

TEST_F(BorrowedTest, AnOrdinaryCopySharesWhatIsBorrowed) {
  const auto a = Tensor<double>::from_dense({2}, values_);
  const Tensor<double> same = a;
  values_[1] = 30;
  EXPECT_EQ(same.at({1}), 30);
}

}  // namespace
}  // namespace lacuna::borrowed_test
