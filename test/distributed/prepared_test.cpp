// A statement that is run again: what was planned and prepared is kept, and only what changed moves.

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/on_machine.h"
#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/tensor/build.h"

namespace lacuna::prepared_test {
namespace {

const std::map<std::string, std::int64_t> extents = {{"i", 12}, {"j", 12}, {"k", 12}};
const std::map<std::string, std::string> rows = {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}};

Request spmv() { return random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 30}}, {"c", {"dense", -1}}}, extents); }

/// The same entries with other values.
Storage with_values(Storage tensor, double factor) {
  std::vector<double> values;
  for (const double v : tensor.values.view<double>()) values.push_back(v * factor + 1);
  tensor.values = Array::of<double>(values);
  return tensor;
}

/// As many small numbers of a type, others for another `n`.
Array small_numbers(Type type, std::int64_t size, int n) {
  Array array = Array::allocate(type, size, false);
  visit_type(type, [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t k = 0; k < size; ++k)
      array.mutable_view<T>()[static_cast<std::size_t>(k)] = static_cast<T>(static_cast<float>((7 * k + n) % 5));
  });
  return array;
}

class Rerun : public testing::Test {
 protected:
  Rerun() { options_.target.backend = Target::Backend::Interpreter; }

  /// Runs a request, compares its result with the definition, and says what it took.
  DistributedReport run(const DistributedRequest& request, const Request& by_definition) {
    DistributedReport report;
    const DistributedTensor result = prepared_.run(engine_, request, *test_ranks(), options_, &report);
    const Storage got = gathered(result, *test_ranks(), Recipients::First);
    if (test_ranks()->rank() == 0) {
      EXPECT_EQ(wrong(by_definition, got).value_or(""), "");
    }
    return report;
  }
  DistributedReport run(const DistributedRequest& request) { return run(request, request.request); }

  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
  Options options_;
  PreparedOnMachine prepared_;
};

TEST_F(Rerun, SendsNothingWhereNothingChanged) {
  const DistributedRequest request = on_machine(spmv(), "Grid(3)", rows, "");
  const DistributedReport first = run(request), again = run(request);
  EXPECT_EQ(first.plans, 1);
  EXPECT_GT(first.fetches.messages, 0);
  EXPECT_EQ(again.plans, 0);
  EXPECT_EQ(again.kernels, 0);
  EXPECT_EQ(again.fetches.messages, 0);
}

TEST_F(Rerun, SendsOfNewValuesWhatItSentBefore) {
  DistributedRequest request = on_machine(spmv(), "Grid(3)", rows, "");
  const DistributedReport first = run(request);
  Storage& c = request.request.operands.at("c");
  c = with_values(c, 2);
  const DistributedReport again = run(request);
  EXPECT_EQ(again.plans, 0);
  EXPECT_EQ(again.kernels, 0);
  EXPECT_EQ(again.fetches.messages, first.fetches.messages);
  EXPECT_EQ(again.fetches.bytes, first.fetches.bytes);
  // B lies where it is used: its values are cut anew, and do not move.
  Storage& B = request.request.operands.at("B");
  B = with_values(B, 3);
  const DistributedReport third = run(request);
  EXPECT_EQ(third.plans, 0);
  EXPECT_EQ(third.kernels, 0);
  EXPECT_EQ(third.fetches.messages, 0);
}

/// B lies by columns and is used by rows: its entries are put together once, to see what becomes of values, and then
/// these move without coordinates.
TEST_F(Rerun, MovesValuesAloneOnceTheirWayIsKnown) {
  DistributedRequest request = on_machine(spmv(), "Grid(3)", {{"a", "x -> x"}, {"B", "xy -> y"}, {"c", "x -> x"}},
                                          "distribute({i},{io},{ii},M)");
  const DistributedReport first = run(request);
  EXPECT_GT(first.fetches.bytes, 0);
  for (int n = 1; n < 4; ++n) {
    Storage& B = request.request.operands.at("B");
    B = with_values(B, n + 1);
    const DistributedReport again = run(request);
    EXPECT_EQ(again.plans, 0);
    EXPECT_EQ(again.fetches.messages, 6);  // of B alone
    if (n == 1) continue;
    EXPECT_LT(again.fetches.bytes, first.fetches.bytes / 2);
    EXPECT_EQ(again.fetches.bytes % 8, 0);
  }
}

/// What is computed where rows are, and lies by columns, or is added up, moves in entries until where values go is
/// known.
TEST_F(Rerun, MovesValuesOfAResultAloneOnceTheirWayIsKnown) {
  const Request sum = random_request("C(i,j) = B(i,j) + D(i,j)", {{"B", {"csr", 30}}, {"D", {"csr", 30}}}, extents);
  const Request product = random_request("C(i,j) = B(i,k) * D(k,j)", {{"B", {"csr", 30}}, {"D", {"csr", 30}}}, extents);
  for (const auto& [statement, schedule] :
       {std::pair(&sum, "distribute({i},{io},{ii},M)"), std::pair(&product, "distribute({k},{ko},{ki},M)")}) {
    for (const char* format : {"csr", "csc", "dcsr", "coo"}) {
      for (const char* placed : {"xy -> x", "xy -> y", "xy -> *", "xy -> 1"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", schedule, format, placed));
        DistributedRequest request =
            on_machine(*statement, "Grid(3)", {{"C", placed}, {"B", "xy -> x"}, {"D", "xy -> x"}}, schedule);
        request.request.result_format = parse_format(format, 2);
        prepared_ = {};
        const DistributedReport first = run(request);
        for (int n = 1; n < 5; ++n) {
          for (auto& [name, operand] : request.request.operands) operand = with_values(operand, n + 1);
          const DistributedReport again = run(request);
          EXPECT_EQ(again.plans, 0);
          EXPECT_EQ(again.reductions.messages, first.reductions.messages);
          if (n == 1) {
            EXPECT_EQ(again.reductions.bytes, first.reductions.bytes);
          } else if (first.reductions.bytes > 0) {
            EXPECT_LT(again.reductions.bytes, first.reductions.bytes);
            EXPECT_EQ(again.reductions.bytes % 8, 0);
          }
        }
      }
    }
  }
}

/// Results are made in the memory of earlier ones, but not of those that somebody has.
TEST_F(Rerun, LeavesEarlierResultsAlone) {
  const Request dense = random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 30}}, {"c", {"dense", -1}}}, extents);
  const Request sparse =
      random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 30}}, {"c", {"compressed", 9}}}, extents);
  for (const Request& statement : {dense, sparse}) {
    for (const char* placed : {"x -> x", "x -> *"}) {
      DistributedRequest request = on_machine(statement, "Grid(3)", {{"a", placed}, {"B", "xy -> y"}, {"c", "x -> x"}},
                                              "distribute({j},{jo},{ji},M)");
      if (statement.operands.at("c").format != dense_format(1))
        request.request.result_format = parse_format("compressed", 1);
      prepared_ = {};
      std::vector<DistributedTensor> all;
      std::vector<Request> asked;
      for (int n = 0; n < 6; ++n) {
        Storage& c = request.request.operands.at("c");
        c = with_values(c, n + 1);
        all.push_back(prepared_.run(engine_, request, *test_ranks(), options_));
        asked.push_back(request.request);
      }
      for (std::size_t n = 0; n < all.size(); ++n) {
        const Storage got = gathered(all[n], *test_ranks(), Recipients::First);
        if (test_ranks()->rank() == 0) {
          EXPECT_EQ(wrong(asked[n], got).value_or(""), "") << placed << ", result " << n;
        }
      }
    }
  }
}

/// Memory that is the user's may change under a tensor.
TEST_F(Rerun, SeesWhatChangedInPlace) {
  std::vector<double> values(12, 1.5);
  const auto vector = [&] {
    return adopt_dense({12}, Array::borrow(Type::Float64, values.data(), 12, nullptr), LevelMap::identity(1));
  };
  for (const char* placed : {"x -> x", "x -> *", "x -> 0"}) {
    PreparedOnMachine().run(engine_, on_machine(spmv(), "Grid(3)", rows, ""), *test_ranks(), options_);
    DistributedRequest request = on_machine(spmv(), "Grid(3)", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", placed}}, "");
    request.request.operands["c"] = vector();
    run(request);
    for (double& v : values) v += 1;
    EXPECT_EQ(run(request).plans, 0) << placed;
  }
}

TEST_F(Rerun, PlansAnewWhereThePatternIsAnother) {
  DistributedRequest request = on_machine(spmv(), "Grid(3)", rows, "");
  run(request);
  request.request.operands["B"] = build(generate_uniform({12, 12}, 25, 99), csr_format());
  EXPECT_EQ(run(request).plans, 1);
  EXPECT_EQ(run(request).plans, 0);
  DistributedRequest other = request;
  other.request.schedule = parse_schedule("distribute({j},{jo},{ji},M)");
  other.request.schedule.text = "distribute({j},{jo},{ji},M)";
  EXPECT_EQ(run(other).plans, 1);
  EXPECT_EQ(run(request).plans, 1);
}

/// What is fetched step by step has gone on by the end, and comes round again; nothing else is done twice.
TEST_F(Rerun, RotatesAgain) {
  const DistributedRequest request = on_machine(
      random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"dense", -1}}}, extents), "Grid(2,2)",
      {{"A", "xy -> xy"}, {"B", "xy -> xy"}, {"C", "xy -> xy"}},
      "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), rotate(ko,{io,jo},kos),"
      "communicate(A,jo), communicate({B,C},kos)");
  const DistributedReport first = run(request), again = run(request);
  EXPECT_EQ(again.plans, 0);
  EXPECT_EQ(again.kernels, 0);
  EXPECT_EQ(again.fetches.messages, first.fetches.messages);
}

/// Sparse operands, too: as parts that are used as they are, in any format, pieces of them, or put together of several.
TEST_F(Rerun, RotatesSparseOperandsAgain) {
  const std::string cannon =
      "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), rotate(ko,{io,jo},kos),"
      " communicate(A,jo), communicate({B,C},kos)";
  const auto in_chunks = [](int size) {
    return fmt::format(
        "distribute({{i,j}},{{io,jo}},{{ii,ji}},M), split(k,ko,ki,{}), reorder(ko,ii,ji,ki), communicate({{B,C}},ko)",
        size);
  };
  for (const char* format : {"csr", "csc", "dcsr", "coo", "bitmap", "dense,hashed"}) {
    for (const auto& [schedule, result] : std::vector<std::pair<std::string, Format>>{{cannon, dense_format(2)},
                                                                                      {in_chunks(3), dense_format(2)},
                                                                                      {in_chunks(3), csr_format()},
                                                                                      {in_chunks(4), dense_format(2)},
                                                                                      {cannon, csr_format()}}) {
      SCOPED_TRACE(fmt::format("{} {} {}", format, schedule, result.to_string()));
      DistributedRequest request =
          on_machine(random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"csr", 30}}, {"C", {"dense", -1}}}, extents),
                     "Grid(2,2)", {{"A", "xy -> xy"}, {"B", "xy -> xy"}, {"C", "xy -> xy"}}, schedule);
      request.request.result_format = result;
      Storage& B = request.request.operands.at("B");
      B = stored_as(engine_, B, parse_format(format, 2), options_);
      const DistributedReport first = run(request);
      for (int k = 0; k < 3; ++k) {
        if (k < 2) B = with_values(B, k + 2);
        const DistributedReport again = run(request);
        EXPECT_EQ(again.plans, 0);
        EXPECT_EQ(again.kernels, 0);
        EXPECT_EQ(again.fetches.messages, first.fetches.messages);
        EXPECT_EQ(again.fetches.bytes, first.fetches.bytes);
      }
    }
  }
}

/// Sparse results of several steps: what each step adds is merged, or, where the pattern is an operand's, added to its
/// values. Earlier results stay as they were.
TEST_F(Rerun, AddsUpSparseResultsOfStepsAgain) {
  const std::string turns =
      "distribute({i},{io},{ii},M), divide(k,ko,ki,M.x), reorder(ko,ii,ki), rotate(ko,{io},kos), ";
  const std::map<std::string, std::string> of_rows = {{"A", "xy -> x"}, {"B", "xy -> x"}, {"C", "xy -> x"}},
                                           moved = {{"A", "xy -> y"}, {"B", "xy -> x"}, {"C", "xy -> x"}};
  const Request product = random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"csr", 25}}, {"C", {"csr", 25}}}, extents);
  const Request into = random_request("A(i,j) += B(i,k) * C(k,j)",
                                      {{"A", {"csr", 30}}, {"B", {"csr", 25}}, {"C", {"csr", 25}}}, extents);
  const Request sampled = random_request("A(i,j) = B(i,j) * C(i,k) * D(k,j)",
                                         {{"B", {"csr", 30}}, {"C", {"dense", -1}}, {"D", {"dense", -1}}}, extents);
  // Of the pattern of an operand that moves on.
  const Request scaled = random_request("A(i,j) = B(i,j) * C(j)", {{"B", {"csr", 40}}, {"C", {"dense", -1}}}, extents);
  const Request rows_of = random_request("A(i) = B(i,k) * C(k)", {{"B", {"dcsr", 20}}, {"C", {"dense", -1}}}, extents);
  struct Case {
    const Request& statement;
    std::string schedule;
    std::map<std::string, std::string> placed;
    std::string machine = "Grid(3)";
  };
  std::map<std::string, std::string> with_samples = of_rows;
  with_samples["D"] = "xy -> x";
  const std::vector<Case> cases = {
      {product, turns + "communicate(B,io), communicate(C,kos)", of_rows},
      {product, turns + "communicate(B,io), communicate(C,kos)", moved},
      {into, turns + "communicate(B,io), communicate(C,kos)", of_rows},
      {sampled, turns + "communicate({B,C},io), communicate(D,kos)", with_samples},
      {scaled,
       "distribute({i},{io},{ii},M), divide(j,jo,ji,M.x), reorder(jo,ii,ji), communicate(B,jo)",
       {{"A", "xy -> x"}, {"B", "xy -> y"}, {"C", "x -> *"}},
       "Grid(4)"},
      {scaled,
       "distribute({i},{io},{ii},M), divide(j,jo,ji,M.x), reorder(jo,ii,ji), communicate(B,jo)",
       {{"A", "xy -> y"}, {"B", "xy -> y"}, {"C", "x -> *"}},
       "Grid(4)"},
      {rows_of,
       "distribute({i},{io},{ii},M), divide(k,ko,ki,M.x), reorder(ko,ii,ki), communicate(B,ko)",
       {{"A", "x -> x"}, {"B", "xy -> y"}, {"C", "x -> *"}},
       "Grid(4)"},
  };
  for (const auto& [statement, schedule, placed, machine] : cases) {
    const int order = statement.statement.lhs.tensor.order();
    for (const char* format : {"csr", "csc", "dcsr", "dcsc", "coo"}) {
      if (order == 1 && format != std::string("coo")) continue;
      for (const Type type : {Type::Float64, Type::Float32, Type::Int8, Type::UInt64, Type::Complex64, Type::Bool}) {
        SCOPED_TRACE(fmt::format("{} in {} of {}, {}", statement.statement.text, format, type_name(type), schedule));
        DistributedRequest request = on_machine(statement, machine, placed, schedule);
        request.request.result_format = order == 1 ? parse_format("compressed", 1) : parse_format(format, 2);
        for (auto& [name, operand] : request.request.operands) {
          if (name == "A") operand = stored_as(engine_, operand, *request.request.result_format, options_);
          operand.type = type;
          operand.values = small_numbers(type, operand.places(), 1);
          operand.fill = Scalar::zero(type);
        }
        prepared_ = {};
        DistributedReport first;
        std::vector<DistributedTensor> all;
        std::vector<Request> asked;
        for (int n = 0; n < 5; ++n) {
          DistributedReport report;
          Storage& C = request.request.operands.at("C");
          C.values = small_numbers(type, C.places(), n + 1);
          all.push_back(prepared_.run(engine_, request, *test_ranks(), options_, &report));
          asked.push_back(request.request);
          if (n == 0) first = report;
          EXPECT_EQ(report.plans, n == 0 ? 1 : 0);
          EXPECT_EQ(report.fetches.messages > 0, first.fetches.messages > 0);
          if (n > 0) {
            EXPECT_EQ(report.kernels, 0);
          }
        }
        for (std::size_t n = 0; n < all.size(); ++n) {
          const Storage got = gathered(all[n], *test_ranks(), Recipients::First);
          if (test_ranks()->rank() == 0) {
            EXPECT_EQ(wrong(asked[n], got).value_or(""), "") << "result " << n;
          }
        }
      }
    }
  }
}

/// A part may be rows of a larger matrix, whose positions do not begin at 0.
TEST_F(Rerun, RotatesRowsOfLargerMatrices) {
  DistributedRequest whole = on_machine(
      random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"csr", 40}}}, extents), "Grid(3)",
      {{"A", "xy -> x"}, {"B", "xy -> x"}, {"C", "xy -> x"}},
      "distribute({i},{io},{ii},M), divide(k,ko,ki,M.x), reorder(ko,ii,ki), rotate(ko,{io},kos), communicate(C,kos)");
  whole.request.result_format = dense_format(2);
  DistributedRequest request = by_parts(whole);
  const auto moved = std::make_shared<DistributedTensor>(request.held.at("C")->layout(), *test_ranks());
  constexpr std::int64_t before = 5;
  const auto shifted = [](const Array& array) {
    return Array::borrow(array.type(), array.data(), array.size(), array.owner(), before);
  };
  for (const auto& [number, part] : request.held.at("C")->parts()) {
    LocalPart piece = part;
    LevelStorage& columns = piece.storage.levels[1];
    std::vector<std::int64_t> pos;
    for (std::int64_t k = 0; k < columns.pos.size(); ++k) pos.push_back(columns.pos.integer(k) + before);
    columns.pos = Array::of<std::int64_t>(pos);
    columns.crd = shifted(columns.crd);
    piece.storage.values = shifted(piece.storage.values);
    moved->set_part(number, std::move(piece));
  }
  moved->count_stored(*test_ranks());
  request.held["C"] = moved;
  for (int k = 0; k < 3; ++k) run(request, whole.request);
}

/// Operands in parts, dealt positions, images, sums into what was there.
TEST_F(Rerun, KeepsPlansOfParts) {
  const Request whole = random_request("a(i) += B(i,j) * c(j) * j",
                                       {{"a", {"dense", -1}}, {"B", {"csr", 30}}, {"c", {"dense", -1}}}, extents);
  for (const char* schedule : {"", "fuse(i,j,f), pos(f,fp,B(i,j)), divide(fp,fpo,fpi,M.x), distribute(fpo)"})
    for (const char* placed : {"xy -> x", "xy -> y", "xy -> ~(xy)"}) {
      SCOPED_TRACE(fmt::format("{} {}", schedule, placed));
      Request now = whole;
      const auto request = [&] {
        return by_parts(on_machine(now, "Grid(4)", {{"a", "x -> x"}, {"B", placed}, {"c", "x -> x"}}, schedule));
      };
      EXPECT_EQ(run(request(), now).plans, 1);
      DistributedReport same = run(request(), now);
      EXPECT_EQ(same.plans, 0);
      EXPECT_EQ(same.kernels, 0);
      EXPECT_EQ(same.fetches.messages, 0);
      now.operands["c"] = with_values(now.operands.at("c"), 2);
      now.operands["B"] = with_values(now.operands.at("B"), 2);
      same = run(request(), now);
      EXPECT_EQ(same.plans, 0);
      EXPECT_EQ(same.kernels, 0);
      prepared_ = {};
    }
}

}  // namespace
}  // namespace lacuna::prepared_test
