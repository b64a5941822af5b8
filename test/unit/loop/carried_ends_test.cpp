#include "unit/loop/harness.h"

namespace lacuna::loop::carried_ends_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct CarriedEnds : testing::Test {
  Var i{"i", int64_type}, p{"p", int64_type}, n{"n", int64_type}, m{"m", int64_type},
      t{"t", scalar_type(Type::Float64)};
  Var pos{"A2_pos", array_type(Type::Int32)}, wide{"B2_pos", array_type(Type::Int64)};
  Var v{"v", array_type(Type::Float64)}, w{"w", array_type(Type::Float64)};

  Expr at(const Var& array, const Expr& index) const { return convert(load(array, index), Type::Int64); }
  Stmt segment(const Var& array, const Expr& from, const Expr& to) const {
    return for_loop(p, at(array, from), at(array, to), assign(t, Expr(t) + load(v, p)));
  }
  /// Sums of the segments of an array.
  Stmt sums(const Var& array) const {
    return block({declare(t, 0.0), segment(array, i, Expr(i) + Expr(1)), store(w, i, t)});
  }
  Module module_of(Stmt body, const Expr& low = 0, LoopOptions options = {}) const {
    return kernel({updated(w), input(pos), input(wide), input(v), input(n), input(m)},
                  {for_loop(i, low, n, std::move(body), std::move(options))});
  }
  std::string after(Stmt body, const Expr& low = 0, LoopOptions options = {}) const {
    const Module carried = carry_ends(module_of(std::move(body), low, std::move(options)));
    verify(carried);
    return to_string(carried.body);
  }
};

TEST_F(CarriedEnds, AreWhereTheNextSegmentsBegin) {
  const std::string text = after(sums(pos));
  EXPECT_THAT(text, HasSubstr("A2_end = int64(A2_pos[0])"));
  EXPECT_THAT(text, HasSubstr("A2_begin = A2_end"));
  EXPECT_THAT(text, HasSubstr("A2_end = int64(A2_pos[i + 1])"));
  EXPECT_THAT(text, HasSubstr("p = A2_begin; p < A2_end"));
  EXPECT_THAT(after(sums(wide)), HasSubstr("p = B2_begin; p < B2_end"));
}

TEST_F(CarriedEnds, AreReadFirstWhereThereIsAnIteration) {
  EXPECT_THAT(after(sums(pos), m), HasSubstr("m < n ? int64(A2_pos[m]) : 0"));
}

TEST_F(CarriedEnds, GiveTheSameSums) {
  for (const std::int64_t first : {0, 1, 3, 4}) {
    SCOPED_TRACE(first);
    const auto result = [&](const Module& module) {
      std::vector<std::int32_t> segments = {0, 2, 2, 5, 6};
      std::vector<std::int64_t> others = {0};
      std::vector<double> values = {1, 2, 4, 8, 16, 32}, out = {-1, -1, -1, -1};
      run(module, {bound(out), bound(segments), bound(others), bound(values), bound(Scalar(std::int64_t{4})),
                   bound(Scalar(first))});
      return out;
    };
    const Module module = module_of(sums(pos), m);
    EXPECT_EQ(result(carry_ends(module)), result(module));
  }
}

TEST_F(CarriedEnds, StayWhereSegmentsDoNotFollowEachOther) {
  EXPECT_THAT(after(block({declare(t, 0.0), segment(pos, i, Expr(i) + Expr(2))})), Not(HasSubstr("A2_begin")));
  EXPECT_THAT(after(block({declare(t, 0.0), segment(pos, m, Expr(m) + Expr(1))})), Not(HasSubstr("A2_begin")));
  EXPECT_THAT(after(for_loop(p, at(pos, i), at(wide, Expr(i) + Expr(1)), store(w, p, 1.0))),
              Not(HasSubstr("A2_begin")));
  LoopOptions in_steps;
  in_steps.step = 2;
  EXPECT_THAT(after(sums(pos), 0, in_steps), Not(HasSubstr("A2_begin")));
  LoopOptions parallel;
  parallel.mode = LoopMode::Parallel;
  EXPECT_THAT(after(sums(pos), 0, parallel), Not(HasSubstr("A2_begin")));
}

TEST_F(CarriedEnds, StayWhereNotEveryIterationHasASegment) {
  EXPECT_THAT(after(if_then(Expr(i) < Expr(m), sums(pos))), Not(HasSubstr("A2_begin")));
  EXPECT_THAT(after(block({if_then(Expr(i) > Expr(m), break_loop()), sums(pos)})), Not(HasSubstr("A2_begin")));
}

TEST_F(CarriedEnds, StayWhereTheLoopIsOverASegmentItself) {
  EXPECT_THAT(after(sums(pos), at(wide, m)), Not(HasSubstr("A2_begin")));
}

TEST_F(CarriedEnds, StayWhereIterationsAreLong) {
  const Var k("k", int64_type);
  const auto rows = [&](Stmt body) {
    return after(for_loop(p, at(pos, i), at(pos, Expr(i) + Expr(1)), std::move(body)));
  };
  EXPECT_THAT(rows(store(w, p, load(v, p))), HasSubstr("A2_begin"));
  EXPECT_THAT(rows(for_loop(k, 0, m, store(w, k, load(v, p)))), Not(HasSubstr("A2_begin")));
  EXPECT_THAT(rows(store(w, lower_bound(wide, 0, m, p), 1.0)), Not(HasSubstr("A2_begin")));
}

/// Segments that the kernel writes may change while they are gone through.
TEST_F(CarriedEnds, StayWhereTheArrayIsWritten) {
  const Module module = kernel({updated(w), updated(pos), input(v), input(n)}, {for_loop(i, 0, n, sums(pos))});
  EXPECT_THAT(to_string(carry_ends(module).body), Not(HasSubstr("A2_begin")));
}

}  // namespace
}  // namespace lacuna::loop::carried_ends_test
