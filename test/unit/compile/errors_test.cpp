// Each mistake that a request can hold has a message that names it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/compile/interpreted.h"

namespace lacuna::errors_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const Storage A = tensor<double>("csr", {3, 4}, {{{0, 1}, 2}});
const Storage x = dense<double>({1, 10, 100, 1000});

std::string complaint(const Request& request) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  try {
    engine.prepare(request, interpreted());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(RequestErrors, AnOperandWithoutData) {
  EXPECT_THAT(complaint(request_for("y(i) = A(i,j) * x(j)", {{"A", A}})),
              HasSubstr("tensor x is used but has no data"));
}

TEST(RequestErrors, AnOperandOfAnotherOrder) {
  EXPECT_THAT(complaint(request_for("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", A}})),
              HasSubstr("x is used with 1 indices, but the tensor given has order 2"));
}

TEST(RequestErrors, AddingToAResultThatIsNotThere) {
  EXPECT_THAT(complaint(request_for("y(i) += A(i,j) * x(j)", {{"A", A}, {"x", x}})),
              HasSubstr("y += … adds to y, which has no data yet"));
}

TEST(RequestErrors, SizesThatDisagree) {
  EXPECT_THAT(complaint(request_for("y(j) = A(i,j) * z(i)", {{"A", A}, {"z", x}})),
              AllOf(HasSubstr("A"), HasSubstr("z"), HasSubstr("3"), HasSubstr("4")));
}

TEST(RequestErrors, ASizeThatNothingTells) {
  EXPECT_THAT(complaint(request_for("y(i,j) = x(i) + 0 * j", {{"x", x}})), HasSubstr("-d"));
}

TEST(RequestErrors, AFormatOfAnotherOrder) {
  Request request = request_for("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}});
  request.result_format = csr_format();
  EXPECT_THAT(complaint(request), HasSubstr("y has order 1, but its format csr has 2 levels"));
}

TEST(RequestErrors, DirectivesOfASchedule) {
  Request request = request_for("y(i) = A(i,j) * x(j)", {{"A", A}, {"x", x}});
  request.schedule = parse_schedule("reorder(j,i)");
  EXPECT_THAT(complaint(request), HasSubstr("transpose(A, 1, 0)"));
}

TEST(RequestErrors, ADenseResultThatNoMemoryHolds) {
  const std::int64_t huge = std::int64_t{1} << 31;
  const Storage v = sparse<double>(huge, {{{5}, 1}});
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  const Request request = request_for("C(i,j) = v(i) * v(j)", {{"v", v}}, "dense");
  try {
    engine.run(request, interpreted());
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("store it sparsely (-f C:dcsr)"));
  }
}

}  // namespace
}  // namespace lacuna::errors_test
