// Numbers of C++ in statements: one kernel serves all of them, and results are those of kernels that are compiled for
// them.

#include <complex>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"
#include "lacuna/engine/engine.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "support/message_of.h"

namespace lacuna::numbers_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

bool same_bytes(const Array& a, const Array& b) {
  return a.type() == b.type() && a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0);
}

void expect_same(const Storage& a, const Storage& b) {
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.dimensions, b.dimensions);
  EXPECT_EQ(a.format, b.format);
  EXPECT_TRUE(same_bytes(a.values, b.values));
  for (std::size_t k = 0; k < a.levels.size(); ++k) {
    EXPECT_TRUE(same_bytes(a.levels[k].pos, b.levels[k].pos));
    EXPECT_TRUE(same_bytes(a.levels[k].crd, b.levels[k].crd));
  }
}

class NumbersTest : public testing::Test {
 protected:
  NumbersTest() {
    for (std::int64_t r = 0; r < 7; ++r) {
      x_.insert({r}, static_cast<double>(r) - 2.5);
      A_.insert({r, (2 * r) % 5}, 0.3 * static_cast<double>(r) - 1);
      A_.insert({r, 4}, 0.0);
    }
  }
  ~NumbersTest() override { fs::remove_all(folder_); }

  /// The kernels that were compiled so far.
  std::ptrdiff_t kernels() const {
    std::ptrdiff_t count = 0;
    if (fs::exists(folder_))
      for (const fs::directory_entry& file : fs::directory_iterator(folder_)) count += file.path().extension() == ".c";
    return count;
  }
  EvaluateOptions here() { return {.engine = &engine_, .threads = 1}; }

  using Build = std::function<Expression(const Expression&)>;

  /// Computes what is assigned to `y` of each value in turn, and compares with `text`, in which @ is the value.
  template <typename T, typename Assign>
  void check(Tensor<double>& y, const std::string& text, const std::vector<T>& values, const Assign& assign) {
    SCOPED_TRACE(text);
    const std::ptrdiff_t before = kernels();
    for (const T value : values) {
      assign(value);
      y.evaluate(here());
      EXPECT_EQ(kernels() - before, 1) << "for " << Scalar(value).to_string();
      std::string written = text;
      const std::string number = "(" + to_string(Expr(Scalar(value))) + ")";
      for (std::size_t at; (at = written.find('@')) != std::string::npos;) written.replace(at, 1, number);
      Request request{parse_statement(written), {}, y.format(), Type::Float64, {{"i", 7}}, {}};
      for (const std::string& name : operand_names(request.statement))
        request.operands.emplace(name, name == "x" ? x_.storage() : A_.storage());
      expect_same(y.storage(), literal_.run(request));
    }
  }
  template <typename T = double>
  void check_vector(const std::string& right, const Build& build, const std::vector<T>& values) {
    Tensor<double> y("y", {7}, dense_format(1));
    check(y, "y(i) = " + right, values, [&](const Expression& n) { y(i_) = build(n); });
  }
  void check_matrix(const std::string& right, const Build& build, const std::vector<double>& values) {
    Tensor<double> y("y", {7, 5}, csr_format());
    check(y, "y(i,j) = " + right, values, [&](const Expression& n) { y(i_, j_) = build(n); });
  }
  template <typename T>
  void check_type(const std::vector<T>& values) {
    check_vector(
        "@ * x(i) - (x(i) + @)", [&](const Expression& n) { return n * x_(i_) - (x_(i_) + n); }, values);
  }

  const fs::path folder_ = fs::temp_directory_path() / ("lacuna-numbers-" + std::to_string(::getpid()));
  Engine engine_{{"cc", default_c_flags(), "", folder_.string()}};
  Engine literal_{{"cc", default_c_flags(), "", ""}};
  Tensor<double> x_{"x", {7}, dense_format(1)}, A_{"A", {7, 5}, csr_format()};
  IndexVar i_{"i"}, j_{"j"};
};

constexpr double inf = std::numeric_limits<double>::infinity();

TEST_F(NumbersTest, AreFactorsAndAddends) {
  check_vector("@ * x(i)", [&](const Expression& n) { return n * x_(i_); }, {0.5, -1.0, inf});
  check_vector("x(i) + @ - x(i) / @", [&](const Expression& n) { return x_(i_) + n - x_(i_) / n; }, {0.1, -3.0});
  check_vector("@", [](const Expression& n) { return n; }, {1.0, 2.0});
}

TEST_F(NumbersTest, AreArgumentsOfFunctions) {
  check_vector("max(x(i), @) * gt(x(i) + 1.0, min(@, x(i)))",
               [&](const Expression& n) {
                 return max(x_(i_), n) * call("gt", {x_(i_) + 1.0, min(n, x_(i_))});
               },
               {-0.5, 1.5});
  // These are of the kernel.
  Tensor<double> y("y", {7}, dense_format(1));
  y(i_) = pow(x_(i_), 2) * exp(1.0);
  EXPECT_THAT(y.explain(here()), HasSubstr("y(i) = pow(x(i), 2) * exp(1.0)"));
}

TEST_F(NumbersTest, LeaveThePatternOfSparseResults) {
  check_matrix("@ * A(i,j)", [&](const Expression& n) { return n * A_(i_, j_); }, {0.5, inf});
  check_matrix("gt(A(i,j), @)", [&](const Expression& n) { return call("gt", {A_(i_, j_), n}); }, {0.25, -0.75, 9.0});
  check_matrix("A(i,j) + @ * i - @", [&](const Expression& n) { return A_(i_, j_) + n * Expression(i_) - n; },
               {2.0, 0.5});
}

TEST_F(NumbersTest, KeepTheirTypes) {
  check_type<float>({0.1F, 2.5F});
  check_type<std::int32_t>({3, -7});
  check_type<std::int64_t>({3, std::int64_t{1} << 40});
  check_type<std::uint8_t>({3, 255});
  check_type<std::complex<double>>({{1, 2}, {0.5, -1}});
  // An integer divides integers, and its type is part of the statement.
  Tensor<std::int32_t> n("n", {2}, dense_format(1)), half;
  n.insert({0}, 7);
  half(i_) = n(i_) / 2;
  EXPECT_EQ(half.at({0}), 3);
  half(i_) = n(i_) * 2.5;
  EXPECT_EQ(half.at({0}), 17);
}

TEST_F(NumbersTest, AreReadOncePerRun) {
  Tensor<double> y;
  y(i_) = 0.5 * A_(i_, j_) * x_(i_);
  EXPECT_THAT(y.c_code(here()), HasSubstr("double number_1_value = number_1_vals[0];"));
  EXPECT_THAT(y.c_code(here()), HasSubstr("+= number_1_value * A_vals[pA2]"));
}

TEST_F(NumbersTest, AreToldByExplain) {
  Tensor<double> y("y", {7}, dense_format(1));
  y(i_) = 0.5 * x_(i_) + 2.0F;
  const std::string text = y.explain(here());
  EXPECT_THAT(text, HasSubstr("y(i) = number_1 * x(i) + number_2"));
  EXPECT_THAT(text, HasSubstr("note: number_1 = 0.5\nnote: number_2 = float32(2.0)\n"));
}

TEST_F(NumbersTest, StayInMessages) {
  Tensor<double> y("y", {7}, dense_format(1));
  y(i_) = 0.5 * x_(i_) + 0.25 * x_(i_);
  const std::string message =
      message_of([&] { y.evaluate({.engine = &engine_, .schedule = schedule().loopfuse(1, Left)}); });
  EXPECT_THAT(message, Not(HasSubstr("number_")));
  EXPECT_EQ(kernels(), 0);
  EXPECT_EQ(y.at({3}), 0.375);
}

TEST_F(NumbersTest, StandWhereASchedulesExpressionsSayThem) {
  IndexVar iw("iw");
  for (const double n : {0.5, 2.0}) {
    Tensor<double> y("y", {7}, dense_format(1));
    y(i_) = n * x_(i_) + 1;
    y.evaluate({.schedule = schedule().precompute(n * x_(i_), {i_}, {iw}, {.name = "w"})});
    EXPECT_EQ(y.at({3}), n * 0.5 + 1);
  }
}

TEST_F(NumbersTest, OfSeveralStatementsAreKeptApart) {
  std::ptrdiff_t compiled = 0;
  for (const double n : {0.5, 2.0}) {
    Tensor<double> y("y", {7}, dense_format(1)), z("z", {7}, dense_format(1));
    y(i_) = n * x_(i_) + 3.0;
    z(i_) = (n + 1) * x_(i_);
    evaluate_together(here(), y, z);
    EXPECT_EQ(y.at({3}), n * 0.5 + 3);
    EXPECT_EQ(z.at({3}), (n + 1) * 0.5);
    if (compiled == 0) compiled = kernels();
    EXPECT_EQ(kernels(), compiled);
  }
}

TEST_F(NumbersTest, ChangeUnderPlansThatAreKept) {
  const Machine machine{Grid(3)};
  const DistVar v;
  const PlacedFormat blocks(dense_format(1), Distribution({v}, machine, {v}));
  Tensor<double> p("p", {9}, blocks), u("u", {9}, blocks);
  for (std::int64_t k = 0; k < 9; ++k) p.insert({k}, static_cast<double>(k));
  std::ptrdiff_t compiled = 0;
  for (const double alpha : {0.5, 2.0, -3.0}) {
    u(i_) = alpha * p(i_) + 1.0;
    const Report report = u.evaluate({.engine = &engine_});
    EXPECT_EQ(u.at({8}), alpha * 8 + 1);
    if (compiled == 0) compiled = kernels();
    else EXPECT_THAT(report.notes, Contains("plan: that of the run before"));
    EXPECT_EQ(kernels(), compiled);
  }
  u(i_) = 0.25 * p(i_);
  EXPECT_THAT(u.explain({}), HasSubstr("note: number_1 = 0.25"));
}

}  // namespace
}  // namespace lacuna::numbers_test
