// The forms of assignment: +=, the diagonal on the left, the result on the right, sizes that no operand tells.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/compile/interpreted.h"

namespace lacuna::assignment_test {
namespace {

const Storage A = tensor<double>("csr", {3, 4}, {{{0, 1}, 2}, {{0, 3}, 3}, {{2, 0}, 4}});
const Storage square = tensor<double>("csr", {3, 3}, {{{0, 0}, 2}, {{0, 2}, 3}, {{1, 0}, 4}, {{2, 2}, 5}});
const Storage x = dense<double>({1, 10, 100, 1000});
const Storage y = dense<double>({5, 6, 7});

TEST(AddTo, KeepsWhatIsThere) {
  Storage result;
  EXPECT_EQ(run_and_compare(request_for("y(i) += A(i,j) * x(j)", {{"A", A}, {"x", x}, {"y", y}}), &result), "");
  EXPECT_EQ(result.values.view<double>()[1], 6);
}

TEST(AddTo, KeepsFormatAndType) {
  const Storage old = tensor<float>("dcsr", {3, 4}, {{{0, 1}, 1}, {{1, 1}, 7}});
  Storage result;
  EXPECT_EQ(run_and_compare(request_for("C(i,j) += A(i,j)", {{"A", A}, {"C", old}}), &result), "");
  EXPECT_EQ(result.format, dcsr_format());
  EXPECT_EQ(result.type, Type::Float32);
  EXPECT_EQ(result.stored(), 4);
}

TEST(Diagonal, OnTheRightReadsTheDiagonal) {
  EXPECT_EQ(run_and_compare(request_for("d(i) = B(i,i)", {{"B", square}})), "");
  EXPECT_EQ(run_and_compare(request_for("t = B(i,i)", {{"B", square}})), "");
}

TEST(Diagonal, OnTheLeftDefinesTheDiagonalOnly) {
  for (const char* format : {"dense", "csr", "coo", "bitmap", "hashed"})
    EXPECT_EQ(run_and_compare(request_for("C(i,i) = y(i)", {{"y", y}}, format)), "") << format;
}

TEST(Diagonal, AddedToLeavesTheRestAsItWas) {
  for (const char* format : {"", "dense", "csc"}) {
    Storage result;
    const Request request = request_for("B(i,i) += y(i)", {{"y", y}, {"B", square}}, format);
    EXPECT_EQ(run_and_compare(request, &result), "") << format;
    const std::vector<std::int64_t> beside{1, 0};
    EXPECT_EQ(value_at(result, beside).as<double>(), 4) << format;
  }
}

TEST(ResultOnTheRight, IsReadBeforeItIsWritten) {
  EXPECT_EQ(run_and_compare(request_for("y(i) = 2 * y(i) + A(i,j) * x(j)", {{"A", A}, {"x", x}, {"y", y}})), "");
  EXPECT_EQ(run_and_compare(request_for("B(i,j) = B(i,j) * B(i,j)", {{"B", square}}, "csr")), "");
}

TEST(Sizes, ComeFromTheRequestWhereNoOperandTells) {
  Request request = request_for("s(i,j) = y(i) + 0 * j", {{"y", y}});
  request.sizes["j"] = 5;
  Storage result;
  EXPECT_EQ(run_and_compare(request, &result), "");
  EXPECT_EQ(result.dimensions, (std::vector<std::int64_t>{3, 5}));
}

TEST(Sizes, OfAnExplicitSumAreThoseOfTheRun) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  for (const std::int64_t n : {5, 6, 7}) {
    Request request = request_for("s(i) = y(i) * sum(k, k)", {{"y", y}});
    request.sizes["k"] = n;
    EXPECT_EQ(wrong(request, engine.run(request, interpreted())).value_or(""), "") << n;
  }
}

TEST(Sizes, MayBeZero) {
  const Storage none = tensor<double>("csr", {0, 4}, {});
  EXPECT_EQ(run_and_compare(request_for("y(i) = A(i,j) * x(j)", {{"A", none}, {"x", x}})), "");
  EXPECT_EQ(run_and_compare(request_for("C(i,k) = A(j,i) * A(j,k)", {{"A", none}}, "csr")), "");
}

}  // namespace
}  // namespace lacuna::assignment_test
