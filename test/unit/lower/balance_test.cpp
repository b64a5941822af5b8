// Shares of equal work: where they are cut, and that loops in shares compute what loops in one piece do.

#include "lacuna/lower/nest/balance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/loop/passes.h"
#include "lacuna/tensor/build.h"
#include "support/random_request.h"
#include "unit/compile/interpreted.h"
#include "unit/lower/hand_program.h"

namespace lacuna::balance_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Coordinates = std::vector<std::int64_t>;

Storage from(const std::vector<std::int64_t>& dimensions, const std::vector<Coordinates>& modes, const Format& format) {
  CoordinateList list{dimensions, {}, Array::of<double>(std::vector<double>(modes[0].size(), 1.5))};
  for (const Coordinates& mode : modes) list.coordinates.push_back(Array::of<std::int64_t>(mode));
  return build(list, format);
}

Storage vector_with(std::int64_t size, const Coordinates& coordinates) {
  return from({size}, {coordinates}, csf_format(1));
}

/// Row i holds rows[i] entries.
Storage matrix_with(const Coordinates& rows, std::int64_t columns, const std::string& format = "csr") {
  std::vector<Coordinates> modes(2);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::int64_t j = 0; j < rows[i]; ++j) {
      modes[0].push_back(static_cast<std::int64_t>(i));
      modes[1].push_back(j);
    }
  return from({static_cast<std::int64_t>(rows.size()), columns}, modes, parse_format(format, 2));
}

Coordinates steps(std::int64_t low, std::int64_t high, std::int64_t step = 1) {
  Coordinates all;
  for (std::int64_t i = low; i < high; i += step) all.push_back(i);
  return all;
}

/// The same tensor in arrays of 64-bit integers.
Storage widened(Storage t) {
  for (LevelStorage& level : t.levels)
    for (Array* a : {&level.pos, &level.crd}) {
      if (a->data() == nullptr) continue;
      Coordinates all;
      for (std::int64_t k = 0; k < a->size(); ++k) all.push_back(a->integer(k));
      *a = Array::of<std::int64_t>(all);
    }
  return t;
}

loop::Binding bound(const Storage& t, const Slot& slot, int threads) {
  if (slot.field == DescriptorField::Threads) return {Scalar(std::int64_t{threads}), nullptr, 0};
  const LevelStorage& level = t.levels.at(static_cast<std::size_t>(slot.level));
  if (slot.field == DescriptorField::Extent) return {Scalar(level.extent), nullptr, 0};
  const Array& a = slot.field == DescriptorField::Pos ? level.pos : level.crd;
  return {{}, const_cast<void*>(a.data()), a.size()};
}

enum class Loop : std::uint8_t { Merge, Full, Leap };

/// What loops inside the shared one do.
struct Inside {
  bool even = true;
  std::int64_t turns_an_entry = 1;
};

/// Where a loop over i, the first level of all operands of the statement, is cut for so many threads. Threads are worth
/// their start for `worth` entries; 0: always.
Coordinates cuts(const std::string& statement, const Operands& data, Loop kind, int threads, std::int64_t worth = 0,
                 const Inside& inside = {}) {
  HandProgram p(statement, data, "dense", concrete::Assembly::Random);
  concrete::Stmt body = p.assign(statement);
  if (statement.find('j') != std::string::npos) body = p.forall("j", std::move(body));
  const concrete::Program program = p.with(p.forall("i", std::move(body)));
  const iteration::Nest nest = iteration::analyze(program);
  Context context(program, nest, {worth});
  const Scope scope;
  Workload work{{}, kind == Loop::Full, inside.even, false, kind == Loop::Leap, loop::Expr(inside.turns_an_entry)};
  for (const Path& path : context.paths()) {
    const LevelAt at{path, 0, program.at(path.tensor).format.level(0)};
    work.operands.push_back({at, Handle{loop::Expr(0), {}, loop::Expr(true)}, counted_level(context, scope, at)});
  }
  const IndexVar i = all_variables(p.statement()).front();
  Statements out;
  const Shares shares = cut_by_work(context, i, {context.low(i), context.high(i)}, true, work, out);

  const loop::Var count("found_count", loop::scalar_type(Type::Int64));
  const loop::Var found("found", loop::array_type(Type::Int64)), k("at", loop::scalar_type(Type::Int64));
  const loop::Expr all = loop::Expr(shares.count) + loop::Expr(1);
  out.push_back(loop::assign(count, all));
  out.push_back(loop::allocate(found, all, false));
  out.push_back(loop::for_loop(k, loop::Expr(0), all, loop::store(found, k, loop::load(shares.cuts, k))));
  out.push_back(loop::release(shares.cuts));
  loop::Module module;
  module.name = "cuts";
  module.arguments = context.argument_names();
  module.parameters = context.take_parameters();
  module.parameters.push_back({count, "ctx->count", true, true});
  module.parameters.push_back({found, "ctx->found", true, true});
  module.body = loop::block(std::move(out));
  loop::verify(module);

  std::vector<loop::Binding> bindings;
  const Storage y = empty_tensor(Type::Float64, {program.extents.at(i)}, dense_format(1));
  for (const Slot& slot : context.take_slots()) {
    const auto operand = data.find(context.argument_names()[static_cast<std::size_t>(slot.argument)]);
    bindings.push_back(bound(operand == data.end() ? y : operand->second, slot, threads));
  }
  bindings.push_back({Scalar(std::int64_t{0}), nullptr, 0});
  bindings.push_back({});
  const loop::Interpretation ran = loop::interpret(module, bindings);
  const auto* elements = static_cast<const std::int64_t*>(ran.outputs.back().data.get());
  return {elements, elements + ran.outputs[ran.outputs.size() - 2].scalar.as<std::int64_t>()};
}

TEST(Balance, GivesEveryShareOfRowsTheSameNumberOfEntriesAndRows) {
  // A row takes as long as four entries: 32 rows of 12 entries take as long as 128 empty ones.
  Coordinates rows(160, 0);
  std::fill(rows.begin(), rows.begin() + 32, 12);
  const Storage A = matrix_with(rows, 20);
  const auto found = cuts("y(i) = A(i,j)", {{"A", A}}, Loop::Full, 1);
  EXPECT_THAT(found, ElementsAre(0, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64, 80, 96, 112, 128, 144, 160));
  EXPECT_EQ(cuts("y(i) = A(i,j)", {{"A", widened(A)}}, Loop::Full, 1), found);
}

TEST(Balance, AddsUpWhatAllOperandsStoreInARow) {
  // Together all rows are equally long.
  Coordinates up, down;
  for (std::int64_t i = 0; i < 64; ++i) {
    up.push_back(i);
    down.push_back(64 - i);
  }
  const auto found =
      cuts("y(i) = A(i,j) + B(i,j)", {{"A", matrix_with(up, 64)}, {"B", matrix_with(down, 64)}}, Loop::Full, 1);
  EXPECT_EQ(found, steps(0, 65, 4));
}

TEST(Balance, CutsAMergeByTheUnionOfItsOperands) {
  // b lies left and c right of 500, c four times as dense.
  const Operands data{{"b", vector_with(1000, steps(0, 500, 4))}, {"c", vector_with(1000, steps(500, 1000))}};
  const auto found = cuts("y(i) = b(i) + c(i)", data, Loop::Merge, 1);
  ASSERT_EQ(found.size(), 17U);
  const auto stored_before = [](std::int64_t i) {
    return (std::min<std::int64_t>(i, 500) + 3) / 4 + std::max<std::int64_t>(i - 500, 0);
  };
  for (std::int64_t k = 0; k <= 16; ++k)
    EXPECT_LE(std::abs(stored_before(found[static_cast<std::size_t>(k)]) - 625 * k / 16), 1) << k;
  EXPECT_EQ(found.back(), 1000);
}

TEST(Balance, CutsByWhatLiesBelowCompressedRows) {
  Coordinates rows(400, 0);
  for (std::size_t i = 0; i < 40; ++i) rows[10 * i] = i < 8 ? 28 : 4;
  // 8 rows of 28 entries and 32 of four, and as much again as four for every row: half of the work each.
  const auto found = cuts("y(i) = A(i,j)", {{"A", matrix_with(rows, 40, "dcsr")}}, Loop::Merge, 1);
  EXPECT_THAT(found, ElementsAre(0, 10, 20, 30, 40, 50, 60, 70, 80, 120, 160, 200, 240, 280, 320, 360, 400));
}

TEST(Balance, CutsLeapsByTheShortestOperand) {
  const Coordinates few = steps(900, 964);
  const Operands data{{"b", vector_with(1000, steps(0, 1000))}, {"c", vector_with(1000, few)}};
  const Operands swapped{{"b", data.at("c")}, {"c", data.at("b")}};
  for (const Operands& each : {data, swapped})
    EXPECT_THAT(cuts("y(i) = b(i) * c(i)", each, Loop::Leap, 1),
                ElementsAre(0, 904, 908, 912, 916, 920, 924, 928, 932, 936, 940, 944, 948, 952, 956, 960, 1000));
}

TEST(Balance, MakesNoMoreSharesThanThereIsWorkAndSomeForEachThread) {
  const Storage none = vector_with(50, {}), one = vector_with(50, {7}), two = vector_with(50, {3, 40});
  EXPECT_THAT(cuts("y(i) = b(i) + c(i)", {{"b", none}, {"c", none}}, Loop::Merge, 4), ElementsAre(50));
  EXPECT_THAT(cuts("y(i) = b(i) * c(i)", {{"b", two}, {"c", none}}, Loop::Leap, 4), ElementsAre(50));
  EXPECT_THAT(cuts("y(i) = b(i) * c(i)", {{"b", two}, {"c", one}}, Loop::Leap, 4), ElementsAre(0, 50));
  EXPECT_EQ(cuts("y(i) = b(i)", {{"b", vector_with(5000, steps(0, 5000))}}, Loop::Merge, 5).size(), 81U);
  EXPECT_EQ(cuts("y(i) = b(i)", {{"b", two}}, Loop::Merge, 5), (Coordinates{0, 40, 50}));
}

TEST(Balance, MakesAsManySharesForEachThreadAsTheirWorkIsWorth) {
  const Operands data{{"b", vector_with(50000, steps(0, 40000))}};
  const auto shares = [&](std::int64_t worth, const Inside& inside = {}) {
    return static_cast<int>(cuts("y(i) = b(i)", data, Loop::Merge, 4, worth, inside).size()) - 1;
  };
  EXPECT_EQ(shares(50000), 1);
  EXPECT_EQ(shares(40000), 4);
  EXPECT_EQ(shares(8000), 4 * 2);
  EXPECT_EQ(shares(100), 4 * 16);
  EXPECT_EQ(shares(50000, {true, 4}), 1) << "turns of a loop over a whole extent are done several at once";
  EXPECT_EQ(shares(50000, {true, 5}), 4);
  EXPECT_EQ(shares(50000, {false, 1}), 4 * 6) << "more than is counted";
  EXPECT_EQ(shares(100, {false, 1}), 4 * 32);
}

TEST(Balance, LeavesARowThatHoldsEverythingToOneShare) {
  Coordinates rows(30, 0);
  rows[11] = 500;
  const auto found = cuts("y(i) = A(i,j)", {{"A", matrix_with(rows, 500)}}, Loop::Full, 2);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  EXPECT_EQ(found.front(), 0);
  EXPECT_EQ(found.back(), 30);
  EXPECT_GT(std::count(found.begin(), found.end(), 12), 20);  // cuts inside the row lie behind it
}

/// Runs on so many threads in the interpreter, which looks for races; how the result differs from the definition.
std::string difference(Request request, int threads, const std::string& schedule = {}) {
  Options options = interpreted();
  options.target.threads = threads;
  if (!schedule.empty()) request.schedule = parse_schedule(schedule);
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  return wrong(request, engine.run(request, options), 1e-12).value_or("");
}

TEST(Balance, ChangesNoResult) {
  struct Case {
    std::string text;
    std::map<std::string, RandomOperand> operands;
    std::string result;
  };
  const std::vector<Case> cases{
      {"y(i) = A(i,j) * x(j)", {{"A", {"csr", 60}}, {"x", {"dense"}}}, "dense"},
      {"y(i) = A(i,j) * x(j)", {{"A", {"dcsr", 9}}, {"x", {"dense"}}}, "sparse"},
      {"y(i) = A(i,j) * x(j)", {{"A", {"coo", 9}}, {"x", {"dense"}}}, "sparse"},
      {"C(i,j) = A(i,j) + B(i,j)", {{"A", {"csr", 60}}, {"B", {"csr", 30}}}, "csr"},
      {"C(i,j) = A(i,j) + B(i,j)", {{"A", {"dcsr", 12}}, {"B", {"csr", 30}}}, "dcsr"},
      {"C(i,j) = A(i,j) + B(i,j)", {{"A", {"dcsr", 12}}, {"B", {"dcsr", 3}}}, "csr"},
      {"C(i,j) = A(i,j) * B(i,j)", {{"A", {"dcsr", 60}}, {"B", {"dcsr", 90}}}, "dcsr"},
      {"C(i,j) = A(i,k) * B(k,j)", {{"A", {"csr", 60}}, {"B", {"csr", 60}}}, "csr"},
      {"C(i,j) = A(i,k) * B(k,j)", {{"A", {"dcsr", 20}}, {"B", {"csr", 60}}}, "dcsr"},
      {"y(i) = b(i) + x(i)", {{"b", {"sparse", 5}}, {"x", {"dense"}}}, "dense"},
      {"y(i) = b(i) + c(i)", {{"b", {"sparse", 15}}, {"c", {"sparse", 4}}}, "sparse"},
      {"y(i) = b(i) + c(i)", {{"b", {"sparse", 15}}, {"c", {"sparse", 4}}}, "hashed"},
      {"y(i) = b(i) + c(i) + d(i)", {{"b", {"sparse", 15}}, {"c", {"sparse", 4}}, {"d", {"sparse", 9}}}, "sparse"},
      {"y(i) = b(i) * c(i)", {{"b", {"sparse", 36}}, {"c", {"sparse", 2}}}, "sparse"},
      {"y(i) = b(i) * c(i) + d(i)", {{"b", {"sparse", 36}}, {"c", {"sparse", 9}}, {"d", {"sparse", 1}}}, "bitmap"},
      {"s = A(i,j) * A(i,j)", {{"A", {"csr", 70}}}, ""},
      {"s = b(i) * c(i)", {{"b", {"sparse", 20}}, {"c", {"sparse", 25}}}, ""},
      {"T(i,j,k) = B(i,j,k) + D(i,j,k)", {{"B", {"csf", 50}}, {"D", {"csf", 40}}}, "csf"},
  };
  for (const Case& c : cases) {
    const Request request = random_request(c.text, c.operands, {{"i", 40}, {"j", 9}, {"k", 8}}, c.result);
    EXPECT_EQ(difference(request, 2), "") << c.text;
    EXPECT_EQ(difference(request, 64), "") << c.text << ", with more shares than coordinates";
    Request wide = request, empty = request;
    for (auto& [name, t] : wide.operands) t = widened(t);
    EXPECT_EQ(difference(wide, 3), "") << c.text << ", in wide arrays";
    for (auto& [name, t] : empty.operands) t = empty_tensor(t.type, t.dimensions, t.format);
    EXPECT_EQ(difference(empty, 3), "") << c.text << ", of nothing";
  }
}

TEST(Balance, ChangesNoResultOfLoopsThatGallop) {
  const auto vectors = [](std::int64_t b, std::int64_t c) {
    return random_request("y(i) = b(i) * c(i)", {{"b", {"sparse", b}}, {"c", {"sparse", c}}}, {{"i", 40}}, "sparse");
  };
  for (const auto& [b, c] : {std::pair{40, 3}, {3, 40}, {0, 9}, {9, 0}, {20, 20}})
    EXPECT_EQ(difference(vectors(b, c), 3, "parallelize(i,CPUThread), mergeby(i,Gallop)"), "") << b << " and " << c;
}

TEST(Balance, IsCutOnceForBothPassesOfAnInsertion) {
  const Request request = random_request("C(i,j) = A(i,j) + B(i,j)", {{"A", {"csr", 60}}, {"B", {"csr", 30}}},
                                         {{"i", 40}, {"j", 9}}, "csr");
  Options options = interpreted();
  options.target.threads = 2;
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  const std::string loops = loop::to_string(engine.prepare(request, options).plan().lowered.module);
  EXPECT_THAT(loops, HasSubstr("i_cuts"));
  EXPECT_THAT(loops, Not(HasSubstr("i_cuts_2")));
}

TEST(Balance, LeavesLoopsAloneThatPositionsTellNothingOf) {
  Options options = interpreted();
  options.target.threads = 2;
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  const Request request =
      random_request("C(i,j) = A(i,k) * B(k,j)", {{"A", {"dense"}}, {"B", {"dense"}}}, {{"i", 4}, {"j", 3}, {"k", 5}});
  EXPECT_THAT(loop::to_string(engine.prepare(request, options).plan().lowered.module), Not(HasSubstr("i_cuts")));
}

}  // namespace
}  // namespace lacuna::balance_test
