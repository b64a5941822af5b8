// What drawn machines, placements and schedules found wrong (test/fuzz/machine), one by one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/distribute/simulate/simulate.h"
#include "lacuna/tensor/convert.h"
#include "support/message_of.h"

namespace lacuna::corner_cases_test {
namespace {

using testing::HasSubstr;

const std::map<std::string, std::int64_t> extents = {{"i", 5}, {"j", 6}, {"k", 4}};
const RandomOperand full{"dense", -1};

std::string refusal(const DistributedRequest& request) {
  return message_of([&] { plan_distributed(request); });
}

TEST(CornerCases, PositionsOfDenseLevelsAreCutAboveThem) {
  for (const char* format : {"dense", "dense:1,0", "compressed,dense", "csr", "bitmap"}) {
    const bool by_columns = std::string(format) == "dense:1,0";
    const std::string order = by_columns ? "j,i" : "i,j";
    const Request request = random_request("s = B(i,j)", {{"B", {format, -1}}}, extents);
    EXPECT_EQ(run_and_compare(on_machine(request, "Grid(3)", {},
                                         fmt::format("reorder({0}), fuse({0},f), pos(f,fp,B(i,j)), divide(fp,fpo,fpi,"
                                                     "M.x), distribute(fpo)",
                                                     order))),
              "")
        << format;
    const char* counted = by_columns ? "xy -> ~(yx)" : "xy -> ~(xy)";
    EXPECT_EQ(run_and_compare(on_machine(request, "Grid(3)", {{"B", counted}}, "")), "") << format;
  }
}

TEST(CornerCases, ProcessorsThatHaveNothingOfASumSendNothing) {
  std::map<std::string, std::int64_t> two_rows = extents;
  two_rows["i"] = 2;
  const Request all = random_request("s = B(i,j)", {{"B", full}}, two_rows);
  DistributedReport report;
  EXPECT_EQ(run_and_compare(on_machine(all, "Grid(8)", {{"B", "xy -> x"}}, ""), &report), "");
  EXPECT_EQ(report.reductions.messages, 1);
  // The term that is not summed counts on one of them.
  const Request with_another = random_request("y(j) = c(j) + sum(i, B(i,j))", {{"B", full}, {"c", full}}, two_rows);
  EXPECT_EQ(
      run_and_compare(on_machine(with_another, "Grid(8)", {{"B", "xy -> x"}}, "distribute({i},{io},{ii},M)"), &report),
      "");
}

/// Where other terms do not count, the rest is still computed in the type of all.
TEST(CornerCases, TermsKeepTheTypeOfTheStatement) {
  const auto with_unsigned = [](const std::string& text, const std::string& others) {
    std::map<std::string, RandomOperand> operands{{"B", full}};
    for (const char name : others) operands[{name}] = full;
    Request request = random_request(text, operands, extents);
    Storage& B = request.operands.at("B");
    B = convert_type(B, Type::UInt32);
    return request;
  };
  EXPECT_EQ(run_and_compare(on_machine(with_unsigned("s = a(i) - B(i,j)", "a"), "Grid(1,3)", {{"B", "xy -> xy"}}, "")),
            "");
  EXPECT_EQ(run_and_compare(on_machine(with_unsigned("s = -0.5 - B(i,j)", ""), "Grid(3)", {}, "")), "");
  EXPECT_EQ(run_and_compare(on_machine(with_unsigned("y(i) += 1 - B(i,j)", "y"), "Grid(2)", {}, "")), "");
}

/// The sum wraps in its own type before it is converted; parts of it would wrap each for itself.
TEST(CornerCases, SumsThatAreConvertedAfterwardsStayWhole) {
  Request request = random_request("s = sum(j, B(i,j)) + a(i)", {{"B", full}, {"a", full}}, extents);
  request.operands["B"] = convert_type(request.operands.at("B"), Type::UInt64);
  EXPECT_THAT(refusal(on_machine(request, "Grid(2)", {}, "distribute({j},{jo},{ji},M)")),
              HasSubstr("values of j cannot be partitioned"));
  EXPECT_EQ(run_and_compare(on_machine(request, "Grid(2)", {}, "distribute({i},{io},{ii},M)")), "");
}

TEST(CornerCases, LoopsOverNothingStillComputeWhatIsNotSummed) {
  std::map<std::string, std::int64_t> nothing = extents;
  nothing["i"] = 0;
  for (const char* schedule :
       {"split(i,io,ii,4), distribute(io)", "distribute(i)",
        "divide(i,io,ii,M.x), distribute(io), split(ii,iis,iit,4), rotate(iis,{io},iisr), communicate(B,iisr)"})
    EXPECT_EQ(
        run_and_compare(on_machine(random_request("s = B(i,j) + 2", {{"B", full}}, nothing), "Grid(2)", {}, schedule)),
        "")
        << schedule;
}

/// Directives for each processor are about what is left of its loops, be it cut again.
TEST(CornerCases, WhatIsLeftOfALoopIsCutAgainInside) {
  const std::map<std::string, RandomOperand> operands = {{"B", {"csr", 12}}, {"c", full}};
  for (const char* schedule : {"distribute({i},{io},{ii},M), split(ii,i1,i2,2)",
                               "distribute({i},{io},{ii},M), split(ii,i1,i2,1), reorder(i1,i2,j)",
                               "distribute({j},{jo},{ji},M), divide(i,i1,i2,2)"})
    EXPECT_EQ(
        run_and_compare(on_machine(random_request("a(i) = B(i,j) * c(j)", operands, extents), "Grid(2)", {}, schedule)),
        "")
        << schedule;
}

TEST(CornerCases, ResultsArePlacedByWhatTheyStore) {
  for (const char* format : {"dcsr", "csr", "dense"}) {
    const RandomOperand stored{format, std::string(format) == "dense" ? -1 : 9};
    const Request request = random_request("A(i,j) = B(i,j)", {{"B", stored}}, extents);
    for (const char* placed : {"xy -> ~(xy)", "xy -> ~x"})
      EXPECT_EQ(run_and_compare(on_machine(request, "Grid(2)", {{"A", placed}}, "")), "") << format << " " << placed;
  }
}

TEST(CornerCases, WithoutAMachineNothingIsNamedAfterIt) {
  const Request request = random_request("a(i) = B(i,j)", {{"B", {"csr", 9}}}, extents);
  for (const char* schedule : {"distribute({i},{io},{ii},M)", "divide(i,io,ii,M.x), distribute(io)"})
    EXPECT_THAT(refusal(on_machine(request, "", {}, schedule)), HasSubstr("there is none; give one")) << schedule;
}

/// Which entries become 0 in the result's type is known only when all is added up.
TEST(CornerCases, SparseResultsOfAnotherTypeAreRefused) {
  Request request = random_request("y(i) += b(i)", {{"y", {"compressed", 2}}, {"b", full}}, extents, "compressed");
  request.operands["y"] = convert_type(request.operands.at("y"), Type::UInt16);
  EXPECT_THAT(refusal(on_machine(request, "Grid(2)", {}, "")), HasSubstr("compressed of uint16"));
  request.result_type = Type::Float64;
  request.operands["y"] = convert_type(request.operands.at("y"), Type::Float64);
  EXPECT_EQ(run_and_compare(on_machine(request, "Grid(2)", {}, "")), "");
}

TEST(CornerCases, EntriesOfOneCoordinateStayTogetherWhereTheirTypeMatters) {
  Request request = random_request("s = B(i,j)", {{"B", {"coo", 9}}}, extents);
  const CoordinateList once = coordinates_of(request.operands.at("B"));
  const std::vector<std::int8_t> hundreds = {100, 100};
  const std::vector<std::int64_t> zeros = {0, 0};
  const Array values = Array::of<std::int8_t>(hundreds), origin = Array::of<std::int64_t>(zeros);
  request.operands["B"] =
      build({once.dimensions, {origin, origin}, values}, parse_format("compressed(nonunique),singleton(nonunique)", 2));
  EXPECT_THAT(
      refusal(on_machine(request, "Grid(2)", {}, "fuse(i,j,f), pos(f,fp,B), divide(fp,fpo,fpi,2), distribute(fpo)")),
      HasSubstr("B may store one coordinate several times"));
  EXPECT_EQ(run_and_compare(on_machine(request, "Grid(2)", {{"B", "xy -> ~(xy)"}}, "")), "");
}

/// Where nothing is stored in B, it is c that decides whether there is an entry.
TEST(CornerCases, PatternsThatValuesDecideAreRefused) {
  Request request =
      random_request("a(i) = max(B(i,j), C(i,j))", {{"B", {"csr", 9}}, {"C", full}}, extents, "compressed");
  EXPECT_THAT(refusal(on_machine(request, "Grid(2)", {}, "distribute({j},{jo},{ji},M)")),
              HasSubstr("known only at the end"));
}

CoordinateList one_a_row_of_four(std::int64_t columns) {
  CoordinateList list{{4, columns}, {}, Array::of<double>(std::vector<double>{1, 2, 3, 4})};
  list.coordinates.push_back(Array::of<std::int32_t>(std::vector<std::int32_t>{0, 1, 2, 3}));
  list.coordinates.push_back(Array::of<std::int32_t>(std::vector<std::int32_t>{2, 0, 1, 0}));
  return list;
}

/// Only rank 0 gets the result in one piece: on the others its format would have to be without entries.
TEST(CornerCases, ResultsMayHaveToHaveEntries) {
  Request request = random_request("y(i,j) = y(i,j) * 2", {{"y", {"csr", 0}}}, {{"i", 4}, {"j", 3}}, "dense,singleton");
  request.operands["y"] = build(one_a_row_of_four(3), *request.result_format);
  EXPECT_EQ(run_and_compare(on_machine(request, "Grid(3)", {}, "distribute({i},{io},{ii},M)")), "");
}

/// A part that was put together has integers of its own, which go on to the next.
TEST(CornerCases, PartsThatGoOnAreCountedAsTheyAre) {
  Request request = random_request("y(l) = A(i)", {{"A", {"compressed", 2}}}, {{"i", 5}, {"l", 4}});
  request.sizes["l"] = 4;
  LevelStorage& level = request.operands.at("A").levels[0];
  std::vector<std::int64_t> wide;
  for (std::int64_t e = 0; e < level.crd.size(); ++e) wide.push_back(level.crd.integer(e));
  level.crd = Array::of<std::int64_t>(wide);
  const DistributedRequest on_two =
      on_machine(request, "Grid(2)", {{"A", "x -> ~x"}},
                 "distribute({l},{lo},{li},M), split(i,is,it,2), rotate(is,{lo},isr), communicate({y},isr)");
  DistributedReport report;
  EXPECT_EQ(run_and_compare(on_two, &report), "");
  EXPECT_GT(report.fetches.messages, 0);
  EXPECT_EQ(report.fetches.bytes, simulate(on_two, {}).fetches.bytes);
}

/// Pieces of k compute the term that has no k once, also where another loop is over positions.
TEST(CornerCases, TermsWithoutAVariableCountOnceBesidePositions) {
  const Request request =
      random_request("y(i) = A(i) + A(i) * B(k,i)", {{"A", {"compressed", 4}}, {"B", full}}, {{"i", 6}, {"k", 5}});
  EXPECT_EQ(run_and_compare(on_machine(request, "Grid(2,3)", {},
                                       "pos(i,fp,A(i)), divide(fp,fpo,fpi,M.x), divide(k,ko,ki,M.y), "
                                       "reorder(fpo,ko,fpi,ki), distribute(fpo,ko)")),
            "");
}

/// The result of a kept plan's first run, beside the definition.
std::string kept_and_compared(const DistributedRequest& request) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  PreparedOnMachine prepared;
  const DistributedTensor result = prepared.run(engine, request, *test_ranks(), options);
  const Storage got = gathered(result, *test_ranks(), Recipients::First);
  if (test_ranks()->rank() != 0) return "";
  return wrong(request.request, stored_as(engine, got, result.format(), options)).value_or("");
}

/// A kept plan computes with what lies here first, where it can cut an operand there.
TEST(CornerCases, SingletonsBelowDenseLevelsAreNotCutInTwo) {
  Request request = random_request("y(i) = B(j) * A(i,j)", {{"A", {"csr", 0}}, {"B", full}}, {{"i", 4}, {"j", 6}});
  request.operands["A"] = build(one_a_row_of_four(6), parse_format("dense,singleton", 2));
  EXPECT_EQ(kept_and_compared(on_machine(request, "Grid(2)", {{"B", "x -> x%2"}, {"y", "x -> x"}}, "")), "");
}

/// Nor are they left with fewer values of a variable, of which another operand stores few (found by fuzzing).
TEST(CornerCases, SingletonsBelowDenseLevelsKeepTheirValues) {
  Request request = random_request("y(i) = E(i,j) * A(i,j) * B(j)", {{"A", {"csr", 0}}, {"B", full}, {"E", {"csr", 0}}},
                                   {{"i", 4}, {"j", 12}});
  request.operands["A"] = build(one_a_row_of_four(12), parse_format("dense,singleton", 2));
  CoordinateList few{{4, 12}, {}, Array::of<double>(std::vector<double>{1, 2, 3})};
  few.coordinates.push_back(Array::of<std::int32_t>(std::vector<std::int32_t>{0, 1, 2}));
  few.coordinates.push_back(Array::of<std::int32_t>(std::vector<std::int32_t>{2, 7, 2}));
  request.operands["E"] = build(few, csr_format());
  const DistributedRequest on_two =
      on_machine(request, "Grid(2)", {{"A", "xy -> x"}, {"B", "x -> x"}, {"E", "xy -> x"}, {"y", "x -> x"}}, "");
  EXPECT_EQ(kept_and_compared(on_two), "");
  EXPECT_EQ(run_by_parts_and_compare(on_two), "");
}

}  // namespace
}  // namespace lacuna::corner_cases_test
