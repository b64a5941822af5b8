#include "lacuna/api/whole.h"

#include <array>
#include <cmath>
#include <complex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"

namespace lacuna {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class Wholes : public testing::Test {
 protected:
  Tensor<double> A_ = Tensor<double>::from_coordinates({2, 3}, {{0, 0, 1}, {0, 2, 1}}, {1, 2, 3}, csr_format());
  Tensor<double> B_ = Tensor<double>::from_coordinates({2, 3}, {{0, 1}, {2, 0}}, {10, 20}, csr_format());
  Tensor<double> x_ = Tensor<double>::from_coordinates({3}, {{0, 1, 2}}, {1, 2, 4}, dense_format(1));
};

TEST_F(Wholes, AreAddedAndMultipliedEntryByEntry) {
  const Tensor<double> sum = A_ + B_, difference = A_ - B_, product = A_ * B_, half = A_ / 2.0, negated = -A_;
  EXPECT_EQ(sum.at({0, 2}), 12);
  EXPECT_EQ(sum.at({1, 0}), 20);
  EXPECT_EQ(difference.at({0, 2}), -8);
  EXPECT_EQ(product.at({0, 2}), 20);
  EXPECT_EQ(product.stored(), 1);
  EXPECT_EQ(half.at({1, 1}), 1.5);
  EXPECT_EQ(negated.at({0, 0}), -1);
  EXPECT_EQ(sum.format(), csr_format());
}

TEST_F(Wholes, NestInOneKernel) {
  Tensor<double> r = 2.0 * matmul(A_, x_) - 1 + matmul(B_, x_);
  EXPECT_EQ(r.at({0}), 2 * 9 - 1 + 40);
  EXPECT_EQ(r.at({1}), 2 * 6 - 1 + 20);
  r -= matmul(B_, x_);
  r += 1;
  EXPECT_EQ(r.at({0}), 18);
}

TEST_F(Wholes, AreMultipliedAsMatricesAndVectors) {
  const Tensor<double> At = A_.transpose();
  const Tensor<double> square = matmul(A_, At),
                       left = matmul(Tensor<double>::from_coordinates({2}, {{1}}, {5}, dense_format(1)), A_);
  EXPECT_EQ(square.at({0, 0}), 5);
  EXPECT_EQ(square.at({1, 1}), 9);
  EXPECT_EQ(left.at({1}), 15);
  const Tensor<double> inner = matmul(x_, x_), all = sum(A_);
  EXPECT_EQ(inner.value(), 21);
  EXPECT_EQ(all.value(), 6);
  const auto product = matmul(A_, At);
  const Tensor<double> fourth = matmul(product, product), twice = product + product;
  EXPECT_EQ(fourth.at({0, 0}), 25);
  EXPECT_EQ(twice.at({1, 1}), 18);
}

TEST_F(Wholes, KeepWhatTensorsWereWhenTheyWereWritten) {
  const auto later = A_ + 0;
  A_.insert({0, 0}, 100);
  A_ = A_ + B_;
  EXPECT_EQ(A_.at({0, 0}), 101);
  EXPECT_EQ(Tensor<double>(later).at({0, 0}), 1);
}

TEST_F(Wholes, HaveTheFunctionsOfIndexNotation) {
  const Tensor<double> s = sin(A_), p = pow(A_, 2.0), h = hypot(A_, B_), e = exp(x_);
  EXPECT_DOUBLE_EQ(s.at({0, 2}), std::sin(2));
  EXPECT_EQ(p.at({1, 1}), 9);
  EXPECT_DOUBLE_EQ(h.at({0, 2}), std::hypot(2, 10));
  EXPECT_DOUBLE_EQ(e.at({2}), std::exp(4));
  const IndexVar i("i");
  Tensor<double> y;
  y(i) = fma(x_(i), 2, tanh(x_(i)));
  EXPECT_DOUBLE_EQ(y.at({1}), 4 + std::tanh(2));
}

TEST_F(Wholes, ConvertTypes) {
  const Tensor<float> f = Tensor<float>::from_coordinates({3}, {{0}}, {0.5F}, dense_format(1));
  const Tensor<double> sum = f + x_;
  EXPECT_EQ(sum.at({0}), 1.5);
  Tensor<double> converted;
  converted = f;
  EXPECT_EQ(converted.at({0}), 0.5);
  const Tensor<std::complex<double>> turned = x_ * std::complex<double>(0, 1);
  EXPECT_EQ(turned.at({2}), std::complex<double>(0, 4));
}

TEST_F(Wholes, OfOtherOrdersAreRefused) {
  EXPECT_THAT([&] { A_ + x_; }, ThrowsMessage<Error>(HasSubstr(
                                    "+ of a tensor of 2 modes and one of 1: both need as many; with index variables")));
  EXPECT_THAT([&] { max(A_, x_); }, ThrowsMessage<Error>(HasSubstr("max of a tensor of 2 modes and one of 1")));
  EXPECT_THAT([&] { matmul(A_, 2.0); }, ThrowsMessage<Error>(HasSubstr("matmul multiplies matrices and vectors, not")));
  Tensor<double> C({4, 4});
  EXPECT_THAT([&] { C = A_ + B_; }, ThrowsMessage<Error>(HasSubstr("4")));
}

TEST_F(Wholes, AreSubtractedThroughAccesses) {
  const IndexVar i("i"), j("j");
  Tensor<double> y({2});
  y(i) -= A_(i, j) * x_(j);
  EXPECT_EQ(y.at({0}), -9);
}

TEST(EvaluateInto, WritesToMemoryOfTheProgram) {
  const Tensor<double> A = Tensor<double>::from_coordinates({2, 2}, {{0, 1}, {1, 0}}, {2, 3}, csr_format());
  std::array<double, 2> x = {1, 10}, y = {-1, -1};
  const auto v = Tensor<double>::from_dense({2}, x);
  Tensor<double> r = matmul(A, v);
  r.evaluate_into(y);
  EXPECT_THAT(y, testing::ElementsAre(20, 3));
  EXPECT_EQ(r.values().data(), y.data());
  // What is read there is not written over while it is read.
  Tensor<double> again = matmul(A, r);
  again.evaluate_into(y);
  EXPECT_THAT(y, testing::ElementsAre(6, 60));
}

TEST(EvaluateInto, RefusesWhatDoesNotFit) {
  const Tensor<double> A = Tensor<double>::from_coordinates({2, 2}, {{0, 1}, {1, 0}}, {2, 3}, csr_format());
  std::array<double, 3> three = {};
  std::array<double, 2> two = {};
  Tensor<double> sparse = A + A, dense({2, 2});
  dense = A + A;
  EXPECT_THAT([&] { sparse.evaluate_into(two); }, ThrowsMessage<Error>(HasSubstr("dense result, and this one is")));
  EXPECT_THAT([&] { dense.evaluate_into(three); }, ThrowsMessage<Error>(HasSubstr("3")));
  EXPECT_EQ(dense.at({0, 1}), 4);
  EXPECT_THAT([&] { dense.evaluate_into(three); },
              ThrowsMessage<Error>(HasSubstr("is not computed yet: assign first")));
}

TEST(Print, ShowsTheFirstEntries) {
  std::ostringstream text;
  text << Tensor<double>::from_coordinates({2, 2}, {{0, 1}, {1, 0}}, {2, 3.5}, csr_format()) << "\n" << Tensor<int>(7);
  EXPECT_EQ(text.str(), "float64 2 x 2, csr, 2 stored\n(0, 1)  2\n(1, 0)  3.5\nint32 7");
  std::ostringstream many;
  Tensor<float> v("v", {100}, dense_format(1));
  many << v;
  EXPECT_THAT(many.str(), HasSubstr("v: float32 100, dense"));
  EXPECT_THAT(many.str(), HasSubstr("... and 80 more"));
}

}  // namespace
}  // namespace lacuna
