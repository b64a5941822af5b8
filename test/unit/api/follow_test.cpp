// Tensors that follow another: y.follow(G).

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"
#include "support/message_of.h"

namespace lacuna::follow_test {
namespace {

using ::testing::HasSubstr;

class FollowTest : public testing::Test {
 protected:
  FollowTest() {
    for (std::int64_t c = 0; c < 5; ++c) x_.insert({c}, static_cast<double>(c + 1));
    g_.insert({1, 2}, 2.0);
    g_.insert({3, 4}, 1.0);
    y_(i_) = g_(i_, j_) * x_(j_);
  }
  /// What y must be.
  Tensor<double> full() {
    Tensor<double> result({4});
    result(i_) = g_(i_, j_) * x_(j_);
    return result;
  }

  IndexVar i_{"i"}, j_{"j"};
  Tensor<double> g_{"G", {4, 5}, parse_format("bst,ctree", 2)};
  Tensor<double> x_{"x", {5}, dense_format(1)};
  Tensor<double> y_{"y", {4}, dense_format(1)};
};

TEST_F(FollowTest, SeesEachUpdate) {
  y_.follow(g_);
  EXPECT_EQ(y_.at({1}), 6.0);
  g_.insert({1, 2}, 1.0);
  EXPECT_EQ(y_.at({1}), 9.0);
  g_.assign({1, 2}, 1.0);
  EXPECT_EQ(y_.at({1}), 3.0);
  g_.erase({1, 2});
  EXPECT_EQ(y_.at({1}), 0.0);
  g_.insert({{0, 1, 0}, {0, 4, 0}}, {1.0, 2.0, 3.0});
  EXPECT_EQ(y_.at({0}), 4.0);
  EXPECT_EQ(y_.at({1}), 10.0);
  EXPECT_TRUE(y_.equals(full()));
}

TEST_F(FollowTest, CopiesStayWhatTheyWere) {
  y_.follow(g_);
  const Tensor<double> copy = y_;
  Tensor<double> twice({4}), later({4});
  twice(i_) = y_(i_) + y_(i_);
  g_.insert({1, 2}, 1.0);
  later(i_) = y_(i_) + y_(i_);
  EXPECT_EQ(copy.at({1}), 6.0);
  EXPECT_EQ(twice.at({1}), 12.0);
  EXPECT_EQ(later.at({1}), 18.0);
}

TEST_F(FollowTest, SeveralMayFollowAndOutliveWhatTheyFollow) {
  Tensor<double> total("total", {}, Format());
  total() = g_(i_, j_);
  {
    Tensor<double> other({4});
    other(i_) = g_(i_, j_) * 2.0;
    other.follow(g_);
    total.follow(g_);
    y_.follow(g_);
    g_.insert({0, 0}, 5.0);
    EXPECT_EQ(other.at({0}), 10.0);
  }
  g_.insert({0, 1}, 1.0);
  EXPECT_EQ(total.value(), 9.0);
  EXPECT_TRUE(y_.equals(full()));
  g_ = Tensor<double>("G", {4, 5}, parse_format("bst,ctree", 2));
  g_.insert({0, 0}, 100.0);
  EXPECT_EQ(total.value(), 9.0);
}

TEST_F(FollowTest, EndsWhenEitherIsAssignedTo) {
  y_.follow(g_);
  y_.insert({0}, 1.0);
  g_.insert({0, 0}, 1.0);
  EXPECT_EQ(y_.at({0}), 1.0);
  y_(i_) = g_(i_, j_) * x_(j_);
  y_.follow(g_);
  Tensor<double> zero({4, 5}, parse_format("bst,ctree", 2));
  const Tensor<double> before = y_;
  g_(i_, j_) = zero(i_, j_);
  g_.insert({2, 2}, 1.0);
  EXPECT_TRUE(y_.equals(before));
}

TEST_F(FollowTest, ResultsMayBeKeptInNodes) {
  Tensor<double> c("C", {4, 5}, parse_format("dense,btree", 2));
  const IndexVar k("k");
  Tensor<double> b("B", {5, 5}, csr_format());
  for (std::int64_t n = 0; n < 5; ++n) b.insert({n, (n * 3) % 5}, 1.0 + static_cast<double>(n));
  c(i_, k) = g_(i_, j_) * b(j_, k);
  c.follow(g_);
  std::mt19937_64 random(3);
  for (int n = 0; n < 30; ++n) {
    const std::vector<std::int64_t> at{static_cast<std::int64_t>(random() % 4),
                                       static_cast<std::int64_t>(random() % 5)};
    if (n % 3 == 2) g_.erase(at);
    else g_.insert(at, 1.0);
    Tensor<double> all({4, 5});
    all(i_, k) = g_(i_, j_) * b(j_, k);
    EXPECT_TRUE(c.equals(all, 1e-12));
  }
}

TEST_F(FollowTest, RefusesWhatCannotFollow) {
  Tensor<double> csr("S", {4, 5}, csr_format()), s("s", {}, Format());
  EXPECT_THAT(message_of([&] { y_.follow(csr); }), HasSubstr("y cannot follow S: its format, csr"));
  Tensor<double> other("H", {4, 5}, parse_format("bst,ctree", 2));
  EXPECT_THAT(message_of([&] { y_.follow(other); }), HasSubstr("does not read it as it is now"));
  s() = g_(i_, j_) * g_(i_, j_);
  EXPECT_THAT(message_of([&] { s.follow(g_); }), HasSubstr("reads it more than once"));
  y_.evaluate();
  EXPECT_THAT(message_of([&] { y_.follow(g_); }), HasSubstr("follow right after assigning"));
  y_(i_) = g_(i_, j_) * x_(j_);
  g_.insert({0, 0}, 1.0);
  EXPECT_THAT(message_of([&] { y_.follow(g_); }), HasSubstr("does not read it as it is now"));
}

}  // namespace
}  // namespace lacuna::follow_test
