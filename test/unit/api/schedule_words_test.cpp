// Whatever text can say of a schedule, the builder can: every directive, every word, every option. What it builds
// prints, reads back equal, and no word of the language is left out.

#include <gtest/gtest.h>

#include <set>

#include "lacuna/api/lacuna.h"
#include "lacuna/schedule/language/words.h"
#include "unit/schedule/same.h"

namespace lacuna::schedule_words_test {
namespace {

struct ScheduleWordsTest : ::testing::Test {
  static constexpr concrete::Unit units[] = {NotParallel, CPUThread, CPUVector, GPUBlock, GPUWarp, GPUThread};
  static constexpr concrete::Race races[] = {NoRaces, IgnoreRaces, Atomics, Temporary, ParallelReduction};
  static constexpr concrete::Merge merges[] = {TwoFinger, Gallop};
  static constexpr BoundKind bounds[] = {BoundKind::Min, BoundKind::Max, BoundKind::Exact};
  static constexpr directive::Assemble::Strategy strategies[] = {Append, Insert};
  static constexpr directive::LoopFuse::Side sides[] = {Left, Right};

  Tensor<double> A{"A", {2, 3}, csr_format()}, T{"T", {2, 3, 4}, csf_format(3)};
  Tensor<double> x{"x", {3}, dense_format(1)};
  IndexVar i{"i"}, j{"j"}, k{"k"}, io{"io"}, ii{"ii"}, f{"f"}, fp{"fp"}, iw{"iw"}, jw{"jw"};

  /// Every directive in every form.
  Schedule everything() const {
    ScheduleBuilder s = schedule();
    s.split(i, io, ii, 1).split(i, io, ii, std::int64_t{1} << 62).divide(i, io, ii, 7);
    s.reorder(i, j).reorder(k, i, j).reorder(std::vector<IndexVar>{j, k});
    s.fuse(i, j, f).pos(f, fp, A).pos(f, fp, A(i, j)).pos(i, ii, x(i));
    for (const BoundKind kind : bounds) s.bound(i, ii, 9, kind);
    s.unroll(i, 1).unroll(i, 1024).prefetch(i, 8).vectorize(i).parallelize(i, CPUThread);
    s.substitute({i, k, j}, BLAS::gemm).substitute({i, k}, BLAS::gemv).substitute({i, j}, BLAS::ger);
    s.substitute({k}, BLAS::dot).substitute({j}, BLAS::axpy);
    for (const concrete::Unit unit : units) {
      for (const concrete::Race race : races) s.parallelize(i, unit, race);
    }
    s.precompute(A(i, j) * x(j), {j}, {jw}).precompute(A(i, j) * x(j), {i, j}, {iw, jw});
    s.precompute(sum(j, max(A(i, j), 2.5) - 1), {i}, {i}, {.name = "w"});
    s.precompute(A(i, j) * i, {i, j}, {iw, j}, {.format = csc_format()});
    s.precompute(-sqrt(A(i, j)), {i, j}, {iw, jw}, {.name = "rows", .format = hashed_format(2)});
    s.loopfuse(1).loopfuse({A(i, j), x(j)}, Left);
    for (const directive::LoopFuse::Side side : sides)
      s.loopfuse(2, side).loopfuse(3, side, {.path = {Producer, Consumer, term(2)}, .loops = 0});
    for (const directive::Assemble::Strategy strategy : strategies) s.assemble(A, strategy);
    for (const concrete::Merge merge : merges) s.mergeby(i, merge);
    s.divide(i, io, ii, Machine(Grid(4, 2)).x).distribute({io}).distribute({i, j}, {io, k}, {ii, f}, Grid(2, 3));
    s.communicate(A, io).communicate({A, x, T}, io).rotate(k, {io, ii}, f);
    s.transpose(A, {1, 0}).transpose(T, {2, 0, 1}).transpose(x, {0});
    return s;
  }
};

TEST_F(ScheduleWordsTest, WhatIsBuiltPrintsAndReadsBackEqual) {
  const Schedule built = everything();
  const Schedule read = parse_schedule(to_string(built));

  EXPECT_TRUE(same(read, built)) << to_string(built);
  EXPECT_EQ(to_string(read), to_string(built));
}

TEST_F(ScheduleWordsTest, EveryDirectiveOfTheLanguageCanBeBuilt) {
  std::set<std::string_view> built;
  for (const Directive& d : everything().directives) built.insert(name_of(d));

  for (const DirectiveHelp& help : directive_help()) EXPECT_EQ(built.count(help.name), 1U) << help.name;
}

/// The values that words stand for, each once.
template <typename Value>
std::set<Value> values_of(std::span<const ScheduleWord<Value>> words) {
  std::set<Value> values;
  for (const ScheduleWord<Value>& word : words) values.insert(word.value);
  return values;
}

TEST_F(ScheduleWordsTest, EveryWordOfTheLanguageHasANameInCpp) {
  EXPECT_EQ(values_of(unit_words()), std::set(std::begin(units), std::end(units)));
  EXPECT_EQ(values_of(race_words()), std::set(std::begin(races), std::end(races)));
  EXPECT_EQ(values_of(merge_words()), std::set(std::begin(merges), std::end(merges)));
  EXPECT_EQ(values_of(bound_words()), std::set(std::begin(bounds), std::end(bounds)));
  EXPECT_EQ(values_of(side_words()), std::set(std::begin(sides), std::end(sides)));
  EXPECT_EQ(values_of(step_words()), (std::set{Producer.kind, Consumer.kind}));
  EXPECT_EQ(values_of(assembly_words()), std::set(std::begin(strategies), std::end(strategies)));
}

}  // namespace
}  // namespace lacuna::schedule_words_test
