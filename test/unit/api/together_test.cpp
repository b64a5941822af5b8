// Tensors that one kernel computes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"

namespace lacuna::together_test {
namespace {

using ::testing::HasSubstr;

class EvaluateTogether : public ::testing::Test {
 protected:
  EvaluateTogether() {
    B_.insert({0, 1}, 2.0);
    B_.insert({3, 4}, 3.0);
    C_.insert({0, 1}, 5.0);
    C_.insert({2, 2}, 7.0);
  }
  template <typename... Tensors>
  std::string error_of(const Tensors&... tensors) {
    try {
      evaluate_together({}, tensors...);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  Tensor<double> B_{{4, 5}, csr_format()}, C_{{4, 5}, csr_format()};
  IndexVar i_{"i"}, j_{"j"};
};

TEST_F(EvaluateTogether, GivesEachItsEntriesByOneKernel) {
  // Names that clash, and tensors without names: they are the tensors', not the kernel's.
  Tensor<double> sum("R", {4, 5}, csr_format()), product("R", {4, 5}, csr_format()), rows;
  sum(i_, j_) = B_(i_, j_) + C_(i_, j_);
  product(i_, j_) = B_(i_, j_) * C_(i_, j_);
  rows(i_) = B_(i_, j_);
  evaluate_together({}, sum, product, rows);
  EXPECT_EQ(sum.stored(), 3);
  EXPECT_EQ(sum.at({0, 1}), 7.0);
  EXPECT_EQ(sum.at({2, 2}), 7.0);
  EXPECT_EQ(product.stored(), 1);
  EXPECT_EQ(product.at({0, 1}), 10.0);
  EXPECT_EQ(rows.at({3}), 3.0);
  EXPECT_EQ(sum.c_code(), product.c_code());
  EXPECT_EQ(sum.c_code(), rows.c_code());
}

TEST_F(EvaluateTogether, ReadsWhatEachTensorHeldWhenItWasAssigned) {
  Tensor<double> before({4}), after({4}), total({4});
  total(i_) = B_(i_, j_);
  before(i_) = B_(i_, j_) + total(i_) * 2;
  B_.insert({0, 1}, 1.0);
  after(i_) = B_(i_, j_);
  total(i_) += C_(i_, j_);
  EXPECT_THAT(error_of(before, after, total), HasSubstr("no error"));
  EXPECT_EQ(before.at({0}), 6.0);
  EXPECT_EQ(after.at({0}), 3.0);
  EXPECT_EQ(total.at({0}), 7.0);
}

TEST_F(EvaluateTogether, TakesVariablesOfOneNameAndOtherSizes) {
  Tensor<double> rows, columns;
  rows(i_) = B_(i_, j_);
  columns(i_) = C_(j_, i_);
  evaluate_together({}, rows, columns);
  EXPECT_EQ(rows.at({3}), 3.0);
  EXPECT_EQ(columns.at({2}), 7.0);
}

TEST_F(EvaluateTogether, LeavesOutWhatIsComputed) {
  Tensor<double> rows, again;
  rows(i_) = B_(i_, j_);
  evaluate_together({}, rows);
  const std::string code = rows.c_code();
  again(i_) = 2 * B_(i_, j_);
  evaluate_together({}, rows, again);
  EXPECT_EQ(rows.c_code(), code);
  EXPECT_EQ(again.at({0}), 4.0);
  evaluate_together({}, B_, rows);
}

TEST_F(EvaluateTogether, SaysWhatNeedsAKernelOfItsOwn) {
  Tensor<double> rows, twice, square({4, 4}), diagonal({4});
  rows(i_) = B_(i_, j_);
  twice(i_) = 2 * rows(i_);
  EXPECT_THAT(error_of(rows, twice), HasSubstr("to be computed together with it: evaluate that one first"));
  square(i_, i_) += rows(i_);
  diagonal(i_) = rows(i_);
  EXPECT_THAT(error_of(square, diagonal), HasSubstr("evaluate it alone"));
  // What was refused can be evaluated one by one.
  EXPECT_EQ(twice.at({0}), 4.0);
  EXPECT_EQ(square.at({3, 3}), 3.0);
}

}  // namespace
}  // namespace lacuna::together_test
