// Tensors that lie on machines, and statements that run there, from C++.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"
#include "support/message_of.h"

namespace lacuna::machine_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class MachineTest : public testing::Test {
 protected:
  MachineTest() {
    for (std::int64_t r = 0; r < 9; ++r) {
      c_.insert({r}, static_cast<double>(r + 1));
      for (std::int64_t k = r % 3; k < 9; k += 3) B_.insert({r, k}, static_cast<double>(r + 2 * k));
    }
    const Tensor<double> B(B_.storage()), c(c_.storage());
    expected_(i_) = B(i_, j_) * c(j_);
  }

  Machine machine_{Grid(3)};
  DistVar x_, y_;
  PlacedFormat rows_{csr_format(), Distribution({x_, y_}, machine_, {x_})};
  Tensor<double> B_{"B", {9, 9}, rows_};
  Tensor<double> c_{"c", {9}, PlacedFormat({LevelKind::Dense}, Distribution({x_}, machine_, {x_}))};
  Tensor<double> expected_;
  IndexVar i_{"i"}, j_{"j"}, io_{"io"}, ii_{"ii"};
};

TEST_F(MachineTest, StatementsRunWhereTheirTensorsLie) {
  Tensor<double> a;
  a(i_) = B_(i_, j_) * c_(j_);
  // Each of three has a third of c, and rows that need all of it.
  EXPECT_THAT(a.evaluate().notes, ElementsAre("operands: 6 messages, 144 bytes", "results: nothing moved"));
  EXPECT_TRUE(a.equals(expected_, 1e-12));
}

TEST_F(MachineTest, SchedulesDistributeOnAMachine) {
  Tensor<double> a("a", {9}, dense_format(1));
  a(i_) = Tensor<double>(B_.storage())(i_, j_) * Tensor<double>(c_.storage())(j_);
  const Schedule s = schedule().distribute({i_}, {io_}, {ii_}, machine_);
  EXPECT_THAT(a.explain({.schedule = s, .machine = machine_}), HasSubstr("forall io  (3 processors"));
  EXPECT_THAT(a.evaluate({.schedule = s, .machine = machine_}).notes,
              ElementsAre("operands: nothing moved", HasSubstr("results: ")));
  EXPECT_TRUE(a.equals(expected_, 1e-12));
}

TEST_F(MachineTest, TensorsArePlacedAnew) {
  c_.place(Distribution({x_}, machine_, {y_}));  // everywhere
  Tensor<double> a("a", {9}, PlacedFormat(dense_format(1), Distribution({x_}, machine_, {x_})));
  a(i_) = B_(i_, j_) * c_(j_);
  EXPECT_THAT(a.evaluate().notes, ElementsAre("operands: nothing moved", "results: nothing moved"));
  EXPECT_TRUE(a.equals(expected_, 1e-12));
}

TEST_F(MachineTest, SeveralTensorsAreEvaluatedOneAfterTheOther) {
  const Distribution in_thirds({x_}, machine_, {x_});
  Tensor<double> a("a", {9}, PlacedFormat(dense_format(1), in_thirds));
  Tensor<double> total, norm, twice;
  a(i_) = B_(i_, j_) * c_(j_);
  total() = B_(i_, j_) * B_(i_, j_);
  // Neither operands nor result of this one are placed: it is computed here.
  norm() = Tensor<double>(c_.storage())(i_) * 2;
  EXPECT_THAT(evaluate_together({}, a, total, norm).notes,
              ElementsAre("a(i): operands: 6 messages, 144 bytes", "a(i): results: nothing moved",
                          HasSubstr("operands: nothing moved"), HasSubstr("results: 2 messages, 16 bytes")));
  EXPECT_TRUE(a.equals(expected_, 1e-12));
  EXPECT_EQ(norm.at({}), 90.0);
  double squares = 0;
  for (std::int64_t r = 0; r < 9; ++r)
    for (std::int64_t k = r % 3; k < 9; k += 3) squares += static_cast<double>((r + 2 * k) * (r + 2 * k));
  EXPECT_EQ(total.at({}), squares);
  // What is computed stays as it is.
  twice(i_) = B_(i_, j_) * 2;
  EXPECT_THAT(evaluate_together({}, a, twice).notes, ElementsAre(HasSubstr("operands: "), HasSubstr("results: ")));
}

TEST_F(MachineTest, SeveralTensorsTakeOneMachineAndSchedule) {
  const Tensor<double> B(B_.storage()), c(c_.storage());
  Tensor<double> a("a", {9}, dense_format(1)), b("b", {9}, dense_format(1));
  a(i_) = B(i_, j_) * c(j_);
  b(i_) = 2 * B(i_, j_) * c(j_);
  evaluate_together({.schedule = schedule().distribute({i_}, {io_}, {ii_}, machine_), .machine = machine_}, a, b);
  EXPECT_TRUE(a.equals(expected_, 1e-12));
  EXPECT_EQ(b.at({4}), 2 * a.at({4}));
  EXPECT_THAT(message_of([&] { b.c_code(); }), HasSubstr("each processor has kernels of its own"));
}

TEST_F(MachineTest, OneOfSeveralTensorsMustNotReadAnother) {
  Tensor<double> a, b;
  a(i_) = B_(i_, j_) * c_(j_);
  b(i_) = 2 * a(i_);
  EXPECT_THAT(message_of([&] { evaluate_together({.machine = machine_}, a, b); }),
              HasSubstr("to be computed together with it: evaluate that one first"));
}

TEST_F(MachineTest, MistakesSayWhatIsWrong) {
  EXPECT_THAT(message_of([&] { PlacedFormat(csr_format(), Distribution({x_}, machine_, {x_})); }),
              HasSubstr("for order 1"));
  EXPECT_THAT(message_of([&] { B_.place(Distribution({x_}, machine_, {x_})); }), HasSubstr("B has 2 dimension(s)"));
  Tensor<double> a;
  a(i_) = B_(i_, j_) * c_(j_);
  EXPECT_THAT(message_of([&] { a.c_code(); }), HasSubstr("explain() shows the plan"));
  EXPECT_THAT(message_of([&] { a.evaluate({.machine = Machine{Grid(2)}}); }), HasSubstr("use one machine"));
  a.evaluate();
  EXPECT_THAT(message_of([&] { a.c_code(); }), HasSubstr("each processor has kernels of its own"));
}

}  // namespace
}  // namespace lacuna::machine_test
