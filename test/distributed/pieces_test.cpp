// Tasks of plans that are kept: what a processor has is used where it lies, what comes from others apart from it.

#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/run/pieces.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/tensor/build.h"

namespace lacuna::pieces_test {
namespace {

using Kind = OperandSource::Kind;

constexpr std::int64_t n = 24;
const std::map<std::string, std::int64_t> extents = {{"i", n}, {"j", n}, {"k", 3}};

/// A band of width 5, with few entries outside of a processor's rows.
Storage band(std::uint64_t seed) { return build(generate_banded(n, n, 2, seed), csr_format()); }

DistributedRequest request_of(const std::string& statement, const std::map<std::string, RandomOperand>& operands) {
  Request request = random_request(statement, operands, extents);
  request.operands["B"] = band(1);
  std::map<std::string, std::string> placed;
  for (const auto& [name, operand] : operands)
    placed[name] = request.operands.at(name).order() == 1 ? "x -> x" : "xy -> x";
  placed[request.statement.lhs.tensor.name()] = request.statement.lhs.indices.size() == 1 ? "x -> x" : "xy -> x";
  return on_machine(std::move(request), "Grid(3)", placed, "");
}

TaskPieces pieces_of_middle(const DistributedRequest& request, const InPlace& in_place = {}) {
  const std::unique_ptr<Communicator> here = alone();
  const PreparedLaunch launch = prepare_launch(request, *here);
  return pieces_of(launch, 1, in_place);
}

TEST(Pieces, AreWhatLiesHereAndWhatIsFetched) {
  for (const char* statement :
       {"a(i) = B(i,j) * c(j)", "a(i) = c(j) * B(i,j) * d(j) * 2", "a(i,k) = B(i,j) * c(j,k)"}) {
    SCOPED_TRACE(statement);
    std::map<std::string, RandomOperand> operands = {{"B", {"csr", 30}}, {"c", {"dense", -1}}};
    if (std::string(statement).find("d(") != std::string::npos) operands["d"] = {"dense", -1};
    const TaskPieces task = pieces_of_middle(request_of(statement, operands));
    ASSERT_EQ(task.pieces.size(), 2);
    const Piece &own = task.pieces[0], &fetched = task.pieces[1];
    EXPECT_EQ(own.task.narrowed.at("j"), IndexSet::range(8, 16));
    EXPECT_EQ(fetched.task.narrowed.at("j"), IndexSet::of_coordinates({6, 7, 16, 17}));
    EXPECT_EQ(fetched.task.narrowed.at("i"), IndexSet::of_coordinates({8, 9, 14, 15}));
    for (std::size_t o = 0; o < own.sources.size(); ++o) {
      EXPECT_EQ(own.sources[o].kind, Kind::Part);
      EXPECT_EQ(task.brought.count(o) != 0, fetched.sources[o].kind == Kind::Brought);
    }
  }
}

/// Results that not every piece may add to, sums that are not all of a term, and operands that are cut otherwise.
TEST(Pieces, AreOneWhereSumsCannotBeTakenApart) {
  const std::map<std::string, RandomOperand> two = {{"B", {"csr", 30}}, {"c", {"dense", -1}}};
  EXPECT_EQ(pieces_of_middle(request_of("a(i) = B(i,j) * c(j) + 1", two)).pieces.size(), 1);
  EXPECT_EQ(pieces_of_middle(request_of("a(i) = exp(sum(j, B(i,j) * c(j)))", two)).pieces.size(), 1);
  EXPECT_EQ(pieces_of_middle(request_of("a(i,j) = B(i,j) * c(j)", two)).pieces.size(), 1);
  DistributedRequest narrow = request_of("a(i) = B(i,j) * c(j)", two);
  narrow.request.result_type = Type::Float32;
  EXPECT_EQ(pieces_of_middle(narrow).pieces.size(), 1);
}

DistributedRequest broadcast(const std::string& statement, const std::string& place, const std::string& result) {
  const Request request = random_request(statement, {{"c", {"dense", -1}}, {"d", {"dense", -1}}}, extents);
  return on_machine(request, "Grid(3)", {{"a", result}, {"c", place}, {"d", result}}, "");
}

/// Rows of a copy that is all of a tensor, but not columns.
TEST(Pieces, UseStretchesOfDensePartsWhereTheyLie) {
  const auto kind = [](const DistributedRequest& request) {
    const TaskPieces task = pieces_of_middle(request);
    EXPECT_EQ(task.pieces.size(), 1);
    const Kind of_c = task.pieces[0].sources[0].kind;
    EXPECT_EQ(task.brought.size(), of_c == Kind::Brought ? 1 : 0);
    return of_c;
  };
  EXPECT_EQ(kind(broadcast("a(i) = c(i) * d(i)", "x -> *", "x -> x")), Kind::Part);
  EXPECT_EQ(kind(broadcast("a(i,k) = c(i,k) + d(i,k)", "xy -> *", "xy -> x")), Kind::Part);
  EXPECT_EQ(kind(broadcast("a(i,k) = c(k,i) + d(i,k)", "xy -> *", "xy -> x")), Kind::Brought);
}

TEST(Pieces, UseWhatAPartHasInTheNextRun) {
  for (const auto& [statement, place, result] : {std::tuple("a(i) = c(i) * d(i)", "x -> *", "x -> x"),
                                                 std::tuple("a(i,k) = c(i,k) + d(i,k)", "xy -> *", "xy -> x"),
                                                 std::tuple("a(i,k) = c(k,i) + d(i,k)", "xy -> *", "xy -> x")}) {
    SCOPED_TRACE(statement);
    Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
    Options options;
    options.target.backend = Target::Backend::Interpreter;
    PreparedOnMachine prepared;
    DistributedRequest request = broadcast(statement, place, result);
    for (int run = 0; run < 5; ++run) {
      Storage& c = request.request.operands.at("c");
      if (run != 3) c = generate_dense(c.dimensions, static_cast<std::uint64_t>(run + 1));
      DistributedReport report;
      const DistributedTensor a = prepared.run(engine, by_parts(request), *test_ranks(), options, &report);
      EXPECT_EQ(report.plans, run == 0 ? 1 : 0);
      EXPECT_EQ(report.fetches.messages, 0);
      const Storage got = gathered(a, *test_ranks(), Recipients::First);
      if (test_ranks()->rank() == 0) {
        EXPECT_EQ(wrong(request.request, got).value_or(""), "") << "run " << run;
      }
    }
  }
}

/// On ranks of one computer: what they need much of, in blocks along the outermost dimension.
TEST(Pieces, ReadInPlaceWhatOtherRanksHave) {
  const auto is_in_place = [](const DistributedRequest& request, const InPlace& in_place) {
    const TaskPieces task = pieces_of_middle(request, in_place);
    const bool is = reads_in_place(task, 1);
    if (is) {
      EXPECT_EQ(task.pieces.size(), 1);
      EXPECT_EQ(task.pieces[0].task.narrowed.at("j"), IndexSet::range(0, n));
      EXPECT_EQ(task.brought.count(1), 0);
    }
    return is;
  };
  const auto product = [](const std::string& place, int entries) {
    Request request = random_request("a(i,k) = B(i,j) * c(j,k)", {{"B", {"csr", entries}}, {"c", {"dense", -1}}},
                                     {{"i", n}, {"j", n}, {"k", 8}});
    return on_machine(std::move(request), "Grid(3)", {{"a", "xy -> x"}, {"B", "xy -> x"}, {"c", place}}, "");
  };
  EXPECT_TRUE(is_in_place(product("xy -> x", 200), InPlace(3, 1)));
  EXPECT_TRUE(is_in_place(product("xy -> x[3,20]", 200), InPlace(3, 1)));
  EXPECT_TRUE(is_in_place(product("xy -> 0", 200), InPlace(3, 1)));
  EXPECT_FALSE(is_in_place(product("xy -> x", 200), InPlace()));
  EXPECT_FALSE(is_in_place(product("xy -> x", 200), InPlace(1, 1)));          // all of it is on this rank
  EXPECT_FALSE(is_in_place(product("xy -> x", 200), InPlace(3, 1'000'000)));  // little is needed
  EXPECT_FALSE(is_in_place(product("xy -> y", 200), InPlace(3, 1)));          // not in blocks of rows
  EXPECT_FALSE(is_in_place(product("xy -> x%2", 200), InPlace(3, 1)));
  EXPECT_FALSE(is_in_place(product("xy -> x", 6), InPlace(3, 1)));  // of the parts, a small share is needed
}

/// What others have is read where it was brought in the run before, and what is here where it lies.
TEST(Pieces, AddUpToTheResultRunAfterRun) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  PreparedOnMachine prepared;
  DistributedRequest request = request_of("a(i,k) = B(i,j) * c(j,k)", {{"B", {"csr", 30}}, {"c", {"dense", -1}}});
  std::optional<DistributedTensor> last;  // as a program has it that keeps its result
  for (int run = 0; run < 5; ++run) {
    DistributedRequest now = request;
    if (run != 3) now.request.operands["c"] = generate_dense({n, 3}, static_cast<std::uint64_t>(run + 1));
    else now.request.operands["B"] = band(9);
    DistributedReport report;
    DistributedTensor result = prepared.run(engine, by_parts(now), *test_ranks(), options, &report);
    EXPECT_EQ(report.plans, run == 0 ? 1 : 0);
    const Storage got = gathered(result, *test_ranks(), Recipients::First);
    if (test_ranks()->rank() == 0) {
      EXPECT_EQ(wrong(now.request, got).value_or(""), "") << "run " << run;
    }
    last = std::move(result);
  }
}

/// A band in which nearly all rows of a processor need only what it has.
constexpr std::int64_t many = 240;

Storage long_band(std::uint64_t seed, const Format& format) {
  return build(generate_banded(many, many, 1, seed), format);
}

DistributedRequest long_band(const std::string& statement, const std::string& format) {
  Request request =
      random_request(statement, {{"B", {format, 30}}, {"c", {"dense", -1}}}, {{"i", many}, {"j", many}, {"k", 3}});
  request.operands["B"] = long_band(1, parse_format(format, 2));
  const int order = static_cast<int>(request.statement.lhs.indices.size());
  request.result_format = dense_format(order);
  const std::string cut = order == 1 ? "x -> x" : "xy -> x";
  return on_machine(std::move(request), "Grid(3)", {{"a", cut}, {"B", "xy -> x"}, {"c", cut}}, "");
}

TEST(Pieces, AreRowsWhereNearlyAllNeedOnlyWhatLiesHere) {
  for (const char* format : {"csr", "dcsr"}) {
    SCOPED_TRACE(format);
    const DistributedRequest request = long_band("a(i) = B(i,j) * c(j)", format);
    const std::unique_ptr<Communicator> here = alone();
    const PreparedLaunch launch = prepare_launch(request, *here);
    const TaskPieces task = pieces_of(launch, 1);
    ASSERT_EQ(task.pieces.size(), 2);
    const Piece &own = task.pieces[0], &fetched = task.pieces[1];
    ASSERT_EQ(own.rows.count(0), 1);
    EXPECT_EQ(own.rows.at(0).others(), IndexSet::of_coordinates({80, 159}));
    EXPECT_EQ(fetched.task.narrowed.at("i"), IndexSet::of_coordinates({80, 159}));
    EXPECT_EQ(fetched.task.narrowed.at("j"), IndexSet::of_coordinates({79, 80, 81, 158, 159, 160}));
    EXPECT_EQ(task.brought.at(1)[0], fetched.task.narrowed.at("j"));
    EXPECT_TRUE(fetched.rows.empty());
  }
  // Other operands would have to be cut by rows, too; and these are no rows of this operand.
  Request two =
      random_request("a(i) = B(i,j) * c(j) * d(i)", {{"B", {"csr", 3}}, {"c", {"dense", -1}}, {"d", {"dense", -1}}},
                     {{"i", many}, {"j", many}});
  two.operands["B"] = long_band(1, csr_format());
  const std::map<std::string, std::string> placed = {
      {"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}, {"d", "x -> x"}};
  EXPECT_TRUE(pieces_of_middle(on_machine(std::move(two), "Grid(3)", placed, "")).pieces[0].rows.empty());
  EXPECT_TRUE(pieces_of_middle(long_band("a(i) = B(i,j) * c(j)", "csc")).pieces[0].rows.empty());
}

/// Positions and coordinates as a program may bring them.
Storage with_wide_integers(Storage tensor) {
  for (LevelStorage& level : tensor.levels) {
    for (Array* array : {&level.pos, &level.crd}) {
      std::vector<std::int64_t> all;
      for (std::int64_t k = 0; k < array->size(); ++k) all.push_back(array->integer(k));
      if (!all.empty()) *array = Array::of<std::int64_t>(all);
    }
  }
  return tensor;
}

/// Runs a statement again and again with other values of `B`, of `c`, and of both.
void expect_right_runs(DistributedRequest now, bool is_wide = false) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  PreparedOnMachine prepared;
  const Format format = now.request.operands.at("B").format;
  for (int run = 0; run < 6; ++run) {
    std::map<std::string, Storage>& operands = now.request.operands;
    const auto seed = static_cast<std::uint64_t>(run + 1);
    if (run % 3 != 1) operands["c"] = generate_dense(operands["c"].dimensions, seed);
    if (run % 3 != 0) operands["B"] = long_band(seed, format);
    if (is_wide) operands["B"] = with_wide_integers(operands["B"]);
    DistributedReport report;
    const DistributedTensor a = prepared.run(engine, by_parts(now), *test_ranks(), options, &report);
    EXPECT_EQ(report.plans, run == 0 ? 1 : 0);
    const Storage got = gathered(a, *test_ranks(), Recipients::First);
    if (test_ranks()->rank() == 0) {
      EXPECT_EQ(wrong(now.request, got).value_or(""), "") << "run " << run;
    }
  }
}

/// Values of B are read where they lie, whoever brings others.
TEST(Pieces, OfRowsHaveTheValuesOfEachRun) {
  for (const auto& [statement, format, is_wide] :
       {std::tuple("a(i) = B(i,j) * c(j)", "csr", false), std::tuple("a(i) = B(i,j) * c(j)", "csr", true),
        std::tuple("a(i) = -B(i,j) * c(j) / 3", "dcsr", false), std::tuple("a(i,k) = B(i,j) * c(j,k)", "csr", false)}) {
    SCOPED_TRACE(statement);
    const DistributedRequest request = long_band(statement, format);
    EXPECT_EQ(pieces_of_middle(request).pieces[0].rows.size(), 1);
    expect_right_runs(request, is_wide);
  }
}

/// What a row does not store may count, too, and what is summed over rows first has to be there in whole.
TEST(Pieces, AreNoRowsWhereOtherRowsCount) {
  const std::map<std::string, RandomOperand> two = {{"B", {"csr", 30}}, {"c", {"dense", -1}}};
  std::map<std::string, RandomOperand> three = two;
  three["d"] = {"dense", -1};
  for (const auto& [statement, operands] :
       {std::pair("a(i) = exp(B(i,j)) * c(j)", two), std::pair("a(i) = max(B(i,j), c(j))", two),
        std::pair("a(i) = (B(i,j) + c(j)) * c(j)", two), std::pair("a = exp(B(i,j)) * c(j)", two),
        std::pair("a(k) = d(k,j) * sqrt(sum(i, B(i,j) * B(i,j))) * c(j)", three),
        std::pair("a = sum(i, B(i,j)) * sum(i, B(i,j)) * c(j)", two)}) {
    SCOPED_TRACE(statement);
    Request request = random_request(statement, operands, {{"i", many}, {"j", many}, {"k", 3}});
    request.operands["B"] = long_band(1, csr_format());
    const std::size_t order = request.statement.lhs.indices.size();
    request.result_format = dense_format(static_cast<int>(order));
    std::map<std::string, std::string> placed = {{"B", "xy -> x"}, {"c", "x -> x"}};
    if (operands.count("d") != 0) placed["d"] = "xy -> y";
    if (order > 0) placed["a"] = "x -> x";
    const DistributedRequest on = on_machine(std::move(request), "Grid(3)", placed, "");
    for (const Piece& piece : pieces_of_middle(on).pieces) EXPECT_TRUE(piece.rows.empty());
    expect_right_runs(on);
  }
}

/// Another operand may leave values of the variable unused, all of which are here, while rows have others beside.
TEST(Pieces, AreRowsThatOtherOperandsLeaveSomethingOf) {
  for (const bool has_gap : {false, true}) {
    Request request = random_request("a(i,k) = c(j) * D(j,k) * B(i,j)",
                                     {{"B", {"csr", 30}}, {"c", {"dense", -1}}, {"D", {"csr", 30}}},
                                     {{"i", many}, {"j", many}, {"k", 3}});
    request.operands["B"] = long_band(1, csr_format());
    request.result_format = dense_format(2);
    CoordinateList list{{many, 3},
                        {Array::allocate(Type::Int32, 60, false), Array::allocate(Type::Int32, 60, false)},
                        Array::allocate(Type::Float64, 60, false)};
    for (std::size_t k = 0; k < 60; ++k) {  // those of the second processor
      const std::size_t j = k == 59 && has_gap ? 79 : k == 0 ? 0 : k + 10;
      list.coordinates[0].mutable_view<std::int32_t>()[k] = static_cast<std::int32_t>(80 + j);
      list.coordinates[1].mutable_view<std::int32_t>()[k] = static_cast<std::int32_t>(k % 3);
      list.values.mutable_view<double>()[k] = static_cast<double>(k + 1);
    }
    request.operands["D"] = build(list, csr_format());
    expect_right_runs(on_machine(std::move(request), "Grid(3)",
                                 {{"a", "xy -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}, {"D", "xy -> *"}}, ""));
  }
}

}  // namespace
}  // namespace lacuna::pieces_test
