// Tensors in index notation: each of these compiles a kernel, so they are few and small.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"
#include "lacuna/engine/engine.h"
#include "lacuna/support/environment.h"

namespace lacuna::assignment_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class AssignmentTest : public ::testing::Test {
 protected:
  AssignmentTest() : a("A", {2, 3}, csr_format()), x("x", {3}, dense_format(1)), i("i"), j("j") {
    a.insert({0, 1}, 2.0);
    a.insert({1, 2}, 3.0);
    for (std::int64_t k = 0; k < 3; ++k) x.insert({k}, static_cast<double>(k + 1));
  }
  template <typename F>
  static std::string error_of(F&& f) {
    try {
      f();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  Tensor<double> a;
  Tensor<double> x;
  IndexVar i;
  IndexVar j;
};

TEST_F(AssignmentTest, ComputesWhenFirstRead) {
  Tensor<double> y;

  y(i) = a(i, j) * x(j);

  EXPECT_THAT(y.dimensions(), ElementsAre(2));
  EXPECT_EQ(y.at({0}), 4.0);
  EXPECT_EQ(y.at({1}), 9.0);
}

TEST_F(AssignmentTest, NumbersTensorsWithoutNamesApartFromWhatHasThatName) {
  Tensor<double> y, matrix({2, 3}, csr_format()), vector({3}), named("unnamed_1", {3}, dense_format(1));
  const IndexVar named_too("unnamed_3");
  y(i) = matrix(i, named_too) * vector(named_too) * named(named_too);
  EXPECT_THAT(y.explain(), HasSubstr("unnamed_2(i) = unnamed_4(i,unnamed_3) * unnamed_5(unnamed_3) * "
                                     "unnamed_1(unnamed_3)"));
}

TEST_F(AssignmentTest, NumbersTensorsWithoutNamesInMessages) {
  Tensor<double> y, vector({4});
  const std::string message = error_of([&] { y(i) = a(i, j) * vector(j); });
  EXPECT_THAT(message, HasSubstr("3 by mode 1 of A but 4 by mode 0 of unnamed_2"));
}

TEST_F(AssignmentTest, SeesTheOperandsAsTheyWere) {
  Tensor<double> y;
  y(i) = a(i, j) * x(j);

  x.insert({1}, 100.0);
  a = Tensor<double>();

  EXPECT_EQ(y.at({0}), 4.0);
}

TEST_F(AssignmentTest, CopiesTensorToTensor) {
  Tensor<double> y;
  Tensor<double> z({3});

  y(i) = x(i);
  z(j) = x(j);

  EXPECT_TRUE(y.equals(x));
  EXPECT_TRUE(z.equals(x));
}

TEST_F(AssignmentTest, AddsToTheOldValues) {
  Tensor<double> y({2});
  y.insert({0}, 10.0);

  y(i) += a(i, j) * x(j);
  y(i) = 2 * y(i);

  EXPECT_EQ(y.at({0}), 28.0);
  EXPECT_EQ(y.at({1}), 18.0);
}

TEST_F(AssignmentTest, ComputesScalars) {
  Tensor<double> s;
  const Tensor<double> alpha(2.0);

  s() = alpha() * x(i) * x(i);

  EXPECT_EQ(s.value(), 28.0);
}

TEST_F(AssignmentTest, KeepsTheDeclaredFormatAndType) {
  Tensor<float> c({2, 3}, csr_format());

  c(i, j) = a(i, j) + a(i, j);

  EXPECT_EQ(c.format(), csr_format());
  EXPECT_EQ(c.stored(), 2);
  EXPECT_EQ(c.at({1, 2}), 6.0F);
}

TEST_F(AssignmentTest, ChainsUnevaluatedTensors) {
  Tensor<double> y;
  Tensor<double> s;
  y(i) = a(i, j) * x(j);
  s() = y(i) * y(i);

  EXPECT_EQ(s.value(), 97.0);
}

/// As of steps of time of which only the last one is read.
TEST_F(AssignmentTest, ChainsVeryManyStatements) {
  Tensor<double> sum("sum", {3}, dense_format(1));
  for (int step = 0; step < 20'000; ++step) sum(i) += x(i);
  EXPECT_EQ(sum.at({2}), 60'000.0);
  for (int step = 0; step < 100'000; ++step) sum(i) = sum(i) + x(i);  // never read
}

TEST_F(AssignmentTest, ReadsACopyOfWhatIsWritten) {
  Tensor<double> square("S", {3, 3}, csr_format()), rows;
  square.insert({0, 1}, 2.0);
  rows(i) = square(i, j);  // reads it, before the copy
  const Tensor<double> copy = square;
  square(i, j) = copy(j, i);
  EXPECT_EQ(square.at({1, 0}), 2.0);
  EXPECT_EQ(square.at({0, 1}), 0.0);
}

TEST_F(AssignmentTest, TellsApartTensorsOfOneName) {
  const Tensor<double> other("x", {3}, dense_format(1));
  Tensor<double> s;

  s() = x(i) * other(i);

  EXPECT_EQ(s.value(), 0.0);
}

TEST_F(AssignmentTest, RunsOnAnEngineOfYours) {
  JitOptions jit = jit_options(read_environment());
  Engine engine(jit);
  Tensor<double> y;
  y(i) = a(i, j) * x(j);

  y.evaluate({.engine = &engine, .threads = 1});

  EXPECT_EQ(y.at({1}), 9.0);
}

TEST_F(AssignmentTest, FindsTheKernelAgainThoughVariablesAreNew) {
  const auto product = [&] {
    const IndexVar r;
    const IndexVar c;
    Tensor<double> y;
    y(r) = a(r, c) * x(c);
    return y.evaluate();
  };
  product();

  EXPECT_TRUE(product().from_memory);
}

TEST_F(AssignmentTest, ShowsItsCode) {
  Tensor<double> y;
  y(i) = a(i, j) * x(j);

  EXPECT_THAT(y.explain(), HasSubstr("src/lacuna/schedule"));
  EXPECT_THAT(y.c_code(), HasSubstr("for ("));
  y.evaluate();
  EXPECT_THAT(y.c_code(), HasSubstr("for ("));
  EXPECT_THAT(error_of([&] { y.explain(); }), HasSubstr("before reading"));
  EXPECT_THAT(error_of([&] { x.c_code(); }), HasSubstr("nothing was assigned"));
}

TEST_F(AssignmentTest, UsesFunctionsAndIndexValues) {
  Tensor<double> y;

  y(i) = max(sqrt(x(i) * x(i)), 2.0) + i + call("hypot", {x(i), 0});

  EXPECT_EQ(y.at({0}), 3.0);
  EXPECT_EQ(y.at({2}), 8.0);
}

/// What was moved from is as a tensor that nothing was said of.
TEST_F(AssignmentTest, AssignsToWhatWasMovedFrom) {
  Tensor<double> from = x;
  const Tensor<double> to = std::move(from);
  EXPECT_THAT(error_of([&] { from.at({0}); }), HasSubstr("holds nothing yet"));  // NOLINT(bugprone-use-after-move)
  from(j) = a(i, j) * 2.0;
  EXPECT_EQ(from.at({1}), 4.0);
  EXPECT_EQ(to.at({1}), 2.0);
}

TEST_F(AssignmentTest, SaysWhatIsWrongWhereItIsWritten) {
  Tensor<double> y({5});
  Tensor<double> undeclared;
  const IndexVar twin("i");

  EXPECT_THAT(error_of([&] { y(i) = a(i, j) * x(j); }), HasSubstr("size"));
  EXPECT_THAT(error_of([&] { y(i, j) = a(i, j); }), HasSubstr("1 mode(s)"));
  EXPECT_THAT(error_of([&] { y(i) = a(i) * 2; }), HasSubstr("A has 2 dimension(s)"));
  EXPECT_THAT(error_of([&] { undeclared(i) += x(i); }), HasSubstr("no dimensions yet"));
  EXPECT_THAT(error_of([&] { undeclared(i) = a(i, twin) * x(twin); }), HasSubstr("two different index variables"));
  EXPECT_THAT(error_of([&] { undeclared(i) = call("sqroot", {x(i)}); }), HasSubstr("sqroot"));
  EXPECT_THAT(error_of([&] { undeclared(i) = call("sqrt", {x(i), x(i)}); }), Not("no error"));
}

TEST(DynamicLevels, AreFormatsOfTensorsLikeOthers) {
  Tensor<double> a("A", {3, 4}, parse_format("bst,ctree", 2));
  EXPECT_EQ(a.stored(), 0);
  a.insert({0, 1}, 2.0);
  a.insert({2, 3}, 3.0);
  a.insert({0, 1}, 4.0);
  EXPECT_EQ(a.format(), parse_format("bst,ctree", 2));
  EXPECT_EQ(a.stored(), 2);
  EXPECT_EQ(a.at({0, 1}), 6.0);
  EXPECT_EQ(a.at({1, 1}), 0.0);
  double sum = 0;
  for (const auto& entry : a) sum += entry.value;
  EXPECT_EQ(sum, 9.0);

  const Tensor<double> rows = a.to(csr_format());
  EXPECT_EQ(rows.at({2, 3}), 3.0);
  EXPECT_EQ(rows.to(parse_format("dense,btree", 2)).at({2, 3}), 3.0);
  const Tensor<float> narrow = a.as<float>();
  EXPECT_EQ(narrow.format(), a.format());
  EXPECT_EQ(narrow.at({0, 1}), 6.0F);
}

TEST(DynamicLevels, AreFilledByStatements) {
  const IndexVar i, j;
  Tensor<double> b("B", {3, 4}, csr_format());
  b.insert({1, 2}, 5.0);
  b.insert({2, 0}, 7.0);
  Tensor<double> a("A", {3, 4}, parse_format("dense,blist", 2));
  a(i, j) = 2.0 * b(i, j);
  EXPECT_EQ(a.format(), parse_format("dense,blist", 2));
  EXPECT_EQ(a.stored(), 2);
  EXPECT_EQ(a.at({2, 0}), 14.0);
}

}  // namespace
}  // namespace lacuna::assignment_test
