// Statements one after the other, from C++: what one leaves in parts the next one reads so.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/api/lacuna.h"
#include "support/forwarding_ranks.h"

namespace lacuna::program_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// Counts what this rank sends, of data; what ranks agree about is gathered.
class Counting : public ForwardingRanks {
 public:
  using ForwardingRanks::ForwardingRanks;
  void send(int to, std::shared_ptr<const Bytes> message) override {
    ++messages;
    ForwardingRanks::send(to, std::move(message));
  }
  void send_in_place(int to, std::span<const std::byte> message) override {
    ++messages;
    ForwardingRanks::send_in_place(to, message);
  }

  std::int64_t messages = 0;
};

class Programs : public testing::Test {
 protected:
  Programs() {
    for (std::int64_t r = 0; r < n; ++r) {
      c_.insert({r}, static_cast<double>(r + 1));
      for (std::int64_t k = r % 3; k < n; k += 3) B_.insert({r, k}, static_cast<double>(r + 2 * k));
    }
  }
  EvaluateOptions on_ranks() { return {.ranks = &ranks_}; }
  Distribution blocks() { return {{x_}, machine_, {x_}}; }
  Distribution copies() { return {{x_}, machine_, {y_}}; }

  static constexpr std::int64_t n = 12;
  Counting ranks_{*test_ranks()};
  Machine machine_{Grid(3)};
  DistVar x_, y_;
  Tensor<double> B_{"B", {n, n}, PlacedFormat(csr_format(), Distribution({x_, y_}, machine_, {x_}))};
  Tensor<double> c_{"c", {n}, PlacedFormat(dense_format(1), copies())};
  IndexVar i_{"i"}, j_{"j"}, k_{"k"};
};

TEST_F(Programs, ResultsAreGatheredOnlyToBeRead) {
  Tensor<double> a("a", {n}, PlacedFormat(dense_format(1), blocks()));
  Tensor<double> d("d", {n}, PlacedFormat(dense_format(1), blocks()));
  a(i_) = B_(i_, j_) * c_(j_);
  a.evaluate(on_ranks());
  d(i_) = a(i_) * 2.0;
  d.evaluate(on_ranks());
  d(i_) += a(i_);
  d.evaluate(on_ranks());
  EXPECT_EQ(ranks_.messages, 0);  // all lies right

  Tensor<double> expected;
  expected(i_) = Tensor<double>(B_.storage())(i_, j_) * Tensor<double>(c_.storage())(j_) * 3.0;
  EXPECT_TRUE(d.equals(expected, 1e-12));
  if (ranks_.ranks() > 1 && ranks_.rank() < 3) {
    EXPECT_GT(ranks_.messages, 0);
  }
}

TEST_F(Programs, OnlyWhatTheNextStatementNeedsMoves) {
  Tensor<double> v("v", {n}, PlacedFormat(dense_format(1), blocks()));
  Tensor<double> next("next", {n}, PlacedFormat(dense_format(1), blocks()));
  for (std::int64_t r = 0; r < n; ++r) v.insert({r}, 1);
  const Tensor<double> whole(B_.storage());
  Tensor<double> expected(v.storage());
  for (int step = 0; step < 4; ++step) {
    next(i_) = B_(i_, j_) * v(j_);
    const Report report = next.evaluate(on_ranks());
    // Each of three gets what it lacks of v from the two others, and nothing else moves.
    EXPECT_THAT(report.notes, Contains("operands: 6 messages, 192 bytes"));
    EXPECT_THAT(report.notes, Contains("results: nothing moved"));
    // v was in whole at first; from then on it lies in parts, and the plan stays.
    if (step >= 2) {
      EXPECT_THAT(report.notes, Contains("plan: that of the run before"));
    }
    v = next;
    Tensor<double> w;
    w(i_) = whole(i_, j_) * expected(j_);
    expected = Tensor<double>(w.storage());
  }
  EXPECT_LE(ranks_.messages, 4 * 6);
  EXPECT_TRUE(v.equals(expected, 1e-12));
}

TEST_F(Programs, WhatIsPlacedElsewhereMovesOnce) {
  Tensor<double> a("a", {n}, PlacedFormat(dense_format(1), blocks()));
  a(i_) = B_(i_, j_) * c_(j_);
  a.evaluate(on_ranks());
  a.place(copies());
  Tensor<double> d("d", {n}, PlacedFormat(dense_format(1), blocks()));
  d(i_) = B_(i_, j_) * a(j_);
  EXPECT_THAT(d.evaluate(on_ranks()).notes, Contains("placed again: 6 messages, 192 bytes"));
  d(i_) = B_(i_, j_) * a(j_);
  EXPECT_THAT(d.evaluate(on_ranks()).notes, Not(Contains(HasSubstr("placed again"))));
  Tensor<double> sparse("S", {n, n}, PlacedFormat(csr_format(), Distribution({x_, y_}, machine_, {x_})));
  Tensor<double> uneven("U", {n, n}, PlacedFormat(csr_format(), Distribution({x_, y_}, machine_, {x_})));
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t k = 0; k <= r; ++k) uneven.insert({r, k}, static_cast<double>(r - 2 * k));
  sparse(i_, j_) = uneven(i_, k_) * B_(k_, j_);
  sparse.evaluate(on_ranks());
  sparse.place(Distribution({x_, y_}, machine_, {nonzeros({x_, y_})}));
  Tensor<double> e("e", {n}, PlacedFormat(dense_format(1), blocks()));
  e(i_) = sparse(i_, j_) * c_(j_);
  EXPECT_THAT(e.evaluate(on_ranks()).notes, Contains(HasSubstr("placed again")));
  const Tensor<double> B(B_.storage()), c(c_.storage()), U(uneven.storage());
  Tensor<double> once, twice, other;
  once(j_) = B(j_, k_) * c(k_);
  twice(i_) = B(i_, j_) * once(j_);
  other(i_) = U(i_, j_) * once(j_);
  EXPECT_TRUE(d.equals(twice, 1e-12));
  EXPECT_TRUE(e.equals(other, 1e-12));
}

/// What is read is computed on the same ranks, in parts.
TEST_F(Programs, WhatWasNotEvaluatedIsEvaluatedThere) {
  Tensor<double> a("a", {n}, PlacedFormat(dense_format(1), blocks()));
  a(i_) = B_(i_, j_) * c_(j_);
  Tensor<double> d("d", {n}, PlacedFormat(dense_format(1), blocks()));
  d(i_) = a(i_) + c_(i_);
  d.evaluate(on_ranks());
  EXPECT_EQ(ranks_.messages, 0);
  Tensor<double> expected;
  expected(i_) =
      Tensor<double>(B_.storage())(i_, j_) * Tensor<double>(c_.storage())(j_) + Tensor<double>(c_.storage())(i_);
  EXPECT_TRUE(d.equals(expected, 1e-12));
}

/// What is not evaluated on ranks is evaluated by each of them by itself when it is read; plans are for one or the
/// other.
TEST_F(Programs, PlansAreForTheRanksThatMadeThem) {
  for (const bool by_ranks_first : {true, false}) {
    Tensor<double> a("a", {n}, dense_format(1)), expected;
    expected(i_) = Tensor<double>(B_.storage())(i_, j_) * Tensor<double>(c_.storage())(j_);
    for (int step = 0; step < 4; ++step) {
      a(i_) = B_(i_, j_) * c_(j_);
      if ((step % 2 == 0) == by_ranks_first) a.evaluate(on_ranks());
      EXPECT_TRUE(a.equals(expected, 1e-12)) << step;
    }
  }
}

TEST_F(Programs, PlansAreForTheMachineThatTheyWereMadeFor) {
  Tensor<double> a("a", {n}, dense_format(1)), b("b", {n}, dense_format(1)), c("c", {n}, dense_format(1));
  for (std::int64_t r = 0; r < n; ++r) b.insert({r}, static_cast<double>(r));
  for (const int size : {4, 3, 2, 3}) {
    const Distribution where({x_}, Machine{Grid(size)}, {x_});
    a.place(where);
    b.place(where);
    c.place(where);
    a(i_) = b(i_) * 2.0;
    EXPECT_THAT(a.evaluate(on_ranks()).notes, Not(Contains(HasSubstr("plan")))) << size;
    c(i_) = a(i_);
    EXPECT_THAT(c.evaluate(on_ranks()).notes, Not(Contains(HasSubstr("placed again")))) << size;
    EXPECT_EQ(c.at({5}), 10);
  }
}

/// Scalars are computed by all ranks, of what the ranks compute together.
TEST_F(Programs, ScalarsNeedNoLoops) {
  Tensor<double> a("a", {n}, PlacedFormat(dense_format(1), blocks()));
  Tensor<double> squares, root;
  a(i_) = B_(i_, j_) * c_(j_);
  squares() = a(i_) * a(i_);
  root() = sqrt(squares()) * 2.0;
  root.evaluate({.machine = machine_, .ranks = &ranks_});
  if (ranks_.ranks() > 2 && ranks_.rank() > 0) {
    EXPECT_EQ(ranks_.messages, ranks_.rank() < 3 ? 1 : 0);  // of the sum; a stays where it is
  }
  Tensor<double> whole, expected;
  whole(i_) = Tensor<double>(B_.storage())(i_, j_) * Tensor<double>(c_.storage())(j_);
  expected() = whole(i_) * whole(i_);
  EXPECT_NEAR(root.value(), 2 * std::sqrt(expected.value()), 1e-9);
}

TEST_F(Programs, PartsOfRanksThatAreGoneAreSaidToBe) {
  Tensor<double> a("a", {n}, PlacedFormat(dense_format(1), blocks()));
  a(i_) = B_(i_, j_) * c_(j_);
  {
    Counting others(*test_ranks());
    a.evaluate({.ranks = &others});
  }
  if (ranks_.ranks() == 1) {
    EXPECT_NO_THROW(a.storage());
    return;
  }
  try {
    a.storage();
    ADD_FAILURE() << "read";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("ranks that are gone"));
  }
}

}  // namespace
}  // namespace lacuna::program_test
