#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"

namespace lacuna::schedule_test {
namespace {

using ::testing::HasSubstr;

class ScheduleBuilderTest : public ::testing::Test {
 protected:
  template <typename F>
  static std::string error_of(F&& f) {
    try {
      f();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  Tensor<double> A{"A", {2, 3}, csr_format()};
  const Tensor<double> x{"x", {3}, dense_format(1)};
  const Tensor<double> nameless{3};
  IndexVar i{"i"}, j{"j"}, io{"io"}, ii{"ii"}, f{"f"}, fp{"fp"}, jw{"jw"};
};

TEST_F(ScheduleBuilderTest, WritesWhatTheTextSays) {
  const Schedule s = schedule()
                         .split(i, io, ii, 32)
                         .divide(j, f, fp, 4)
                         .reorder(io, j, ii)
                         .fuse(i, j, f)
                         .pos(f, fp, A)
                         .pos(f, fp, A(i, j))
                         .bound(i, io, 8, BoundKind::Max)
                         .unroll(i, 4)
                         .vectorize(j)
                         .parallelize(io, CPUThread)
                         .parallelize(io, CPUThread, Atomics)
                         .precompute(A(i, j) * x(j), {j}, {jw})
                         .precompute(A(i, j) * 2, {i, j}, {i, jw}, {.name = "w", .format = hashed_format(2)})
                         .loopfuse(2)
                         .loopfuse(3, Left)
                         .loopfuse({A(i, j), x(j)}, Right, {.path = {Producer, term(2), Consumer}, .loops = 1})
                         .substitute({i, j, f}, BLAS::gemm)
                         .assemble(A, Append)
                         .assemble(A, Insert)
                         .mergeby(i, Gallop)
                         .transpose(A, {1, 0});

  EXPECT_EQ(to_string(s),
            "split(i,io,ii,32), divide(j,f,fp,4), reorder(io,j,ii), fuse(i,j,f), pos(f,fp,A), pos(f,fp,A(i,j)), "
            "bound(i,io,8,max), unroll(i,4), vectorize(j), parallelize(io,CPUThread,NoRaces), "
            "parallelize(io,CPUThread,Atomics), precompute(A(i,j) * x(j),{j},{jw}), "
            "precompute(A(i,j) * 2,{i,j},{i,jw},w,hashed), loopfuse(2), loopfuse(3,left), "
            "loopfuse({A(i,j),x(j)},right,{producer,2,consumer},1), substitute({i,j,f},BLAS.gemm), assemble(A,Append), "
            "assemble(A,Insert), "
            "mergeby(i,Gallop), "
            "transpose(A,1,0)");
}

TEST_F(ScheduleBuilderTest, KnowsTheTextAndPlaceOfEachDirective) {
  const Schedule s = schedule().unroll(i, 2).unroll(j, 3);

  EXPECT_EQ(s.text, "unroll(i,2), unroll(j,3)");
  EXPECT_EQ(s.text.substr(s.directives[1].where.begin), "unroll(j,3)");
  EXPECT_EQ(s.directives[0].where.end, 11U);
}

TEST_F(ScheduleBuilderTest, StartsEmpty) {
  const Schedule s = schedule();
  EXPECT_TRUE(s.empty());
}

TEST_F(ScheduleBuilderTest, RefusesWhatTheTextIsRefusedFor) {
  EXPECT_THAT(error_of([&] { schedule().split(i, io, ii, 0); }), HasSubstr("at least 1, not '0'"));
  EXPECT_THAT(error_of([&] { schedule().reorder(i); }), HasSubstr("at least 2 variables"));
  EXPECT_THAT(error_of([&] { schedule().fuse(i, j, i); }), HasSubstr("names i twice"));
  EXPECT_THAT(error_of([&] { schedule().transpose(A, {1, 1}); }), HasSubstr("the mode 1 twice"));
  EXPECT_THAT(error_of([&] { schedule().precompute(x(j), {i, j}, {jw}); }), HasSubstr("equally long"));
  EXPECT_THAT(error_of([&] { schedule().precompute(x(j), {j}, {jw}, {.name = "w", .format = csr_format()}); }),
              HasSubstr("the format of the workspace"));
  EXPECT_THAT(error_of([&] { schedule().loopfuse(0); }), HasSubstr("at least 1, not '0'"));
  EXPECT_THAT(error_of([&] { schedule().loopfuse(std::vector<Expression>{}, Left); }),
              HasSubstr("at least one operand"));
}

TEST_F(ScheduleBuilderTest, NeedsNames) {
  const IndexVar fresh;
  const IndexVar odd("i,j");

  EXPECT_THAT(error_of([&] { schedule().unroll(fresh, 2); }), HasSubstr("index variables by name"));
  EXPECT_THAT(error_of([&] { schedule().unroll(odd, 2); }), HasSubstr("cannot be the name of an index variable"));
  EXPECT_THAT(error_of([&] { schedule().transpose(nameless, {0}); }), HasSubstr("transpose refers to tensors by name"));
  EXPECT_THAT(error_of([&] { schedule().precompute(nameless(j), {j}, {jw}); }), HasSubstr("precompute refers to"));
  EXPECT_THAT(error_of([&] { schedule().precompute(sum(fresh, x(fresh)), {j}, {jw}); }), HasSubstr("by name"));
  EXPECT_THAT(error_of([&] { schedule().precompute(x(j), {j}, {jw}, {.name = "w)"}); }), HasSubstr("a workspace"));
  EXPECT_THAT(error_of([&] { schedule().precompute(x(j), {j}, {jw}, {.name = "hashed"}); }),
              HasSubstr("a name of formats"));
}

TEST_F(ScheduleBuilderTest, TravelsInTheOptionsOfAnEvaluation) {
  Tensor<double> y;
  y(i) = A(i, j) * x(j);

  // The statement has no variable f, which only somebody who looks at the schedule can tell.
  EXPECT_NE(error_of([&] { y.evaluate({.threads = 1, .schedule = schedule().unroll(f, 4)}); }), "no error");
  EXPECT_EQ(error_of([&] { y.evaluate({.threads = 1, .schedule = schedule()}); }), "no error");
}

}  // namespace
}  // namespace lacuna::schedule_test
