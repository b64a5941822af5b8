// Which loops are dealt out where nobody says it, or says it in part, and what is left of positions inside.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/generate.h"
#include "support/message_of.h"

namespace lacuna::dealing_test {
namespace {

using testing::HasSubstr;

const std::map<std::string, std::int64_t> extents = {{"i", 11}, {"j", 13}, {"k", 4}};
const RandomOperand full{"dense", -1}, csr{"csr", 40};

Request spmv() { return random_request("y(i) = A(i,j) * x(j)", {{"A", csr}, {"x", full}}, extents); }

TEST(Dealing, WithoutAScheduleGoesByWhatTheStatementAllows) {
  struct Case {
    std::string statement;
    std::map<std::string, RandomOperand> operands;
    std::map<std::string, std::string> placed;
    std::string result_format = "";
  };
  const std::vector<Case> cases = {
      // Entries of one term alone cannot be dealt out, nor those of a square.
      {"C(i,j) = A(i,j) + B(i,j)", {{"A", csr}, {"B", csr}}, {{"A", "xy -> ~(xy)"}}, "csr"},
      {"y(i) = b(i) + A(i,j) * x(j)", {{"A", csr}, {"b", full}, {"x", full}}, {{"A", "xy -> ~(xy)"}}},
      {"s = A(i,j) * A(i,j)", {{"A", csr}}, {{"A", "xy -> ~(xy)"}}},
      // A sum inside of a function is no sum of its parts.
      {"y(i) = sqrt(sum(j, A(i,j) * x(j)))", {{"A", csr}, {"x", full}}, {{"x", "x -> x"}}},
      {"y(i) = sqrt(sum(j, A(i,j) * x(j)))", {{"A", csr}, {"x", full}}, {{"A", "xy -> y"}}},
      // What of sums in pieces is 0 nobody knows before the end.
      {"y(i) = A(i,j) * x(j)", {{"A", full}, {"x", full}}, {{"A", "xy -> y"}}, "sparse"},
  };
  for (const Case& each : cases) {
    Request request = random_request(each.statement, each.operands, extents);
    for (auto& [name, operand] : request.operands)  // under the root
      for (double& v : operand.values.mutable_view<double>()) v = std::abs(v);
    if (!each.result_format.empty())
      request.result_format = parse_format(each.result_format, static_cast<int>(request.statement.lhs.indices.size()));
    for (const char* machine : {"Grid(1)", "Grid(3)", "Grid(20)"})
      EXPECT_EQ(run_by_parts_and_compare(on_machine(request, machine, each.placed, "")), "")
          << each.statement << " on " << machine;
  }
}

TEST(Dealing, GoesOnBelowPositions) {
  for (const char* placed :
       {"xy -> ~(xy); zw -> z", "xy -> ~(xy); zw -> w", "xy -> ~(xy); zw -> ~(zw)", "xy -> ~x; zw -> ~(zw)"})
    EXPECT_EQ(run_and_compare(on_machine(spmv(), "Grid(2),Grid(3)", {{"A", placed}}, "")), "") << placed;
}

/// What nobody allows is refused as the best way would be.
TEST(Dealing, SaysWhatIsWrongWithTheBestWay) {
  const Request norm = random_request("s = sqrt(sum(j, x(j) * x(j)))", {{"x", full}}, extents);
  EXPECT_THAT(message_of([&] {
                plan_distributed(on_machine(norm, "Grid(2)", {{"x", "x -> x"}}, ""));
              }),
              HasSubstr("j is summed over inside of"));
}

TEST(Dealing, TakesOuterPiecesAlongAsSteps) {
  for (const char* schedule :
       {"split(i,is,it,6), distribute({it},{io},{ii},M)", "divide(i,is,it,2), divide(it,io,ii,M.x), distribute(io)",
        "divide(j,js,jt,2), distribute({jt},{jo},{ji},M)",
        "divide(i,is,it,2), divide(is,ia,ib,2), distribute({it},{io},{ii},M)"}) {
    DistributedReport report;
    EXPECT_EQ(run_and_compare(on_machine(spmv(), "Grid(3)", {{"x", "x -> x"}}, schedule), &report), "") << schedule;
    EXPECT_GT(report.steps, 1) << schedule;
  }
}

TEST(Dealing, RefusesToMoveALoopThatThereIsNot) {
  EXPECT_THAT(message_of([&] {
                run_and_compare(on_machine(spmv(), "Grid(2)", {}, "distribute({i},{io},{ii},M), reorder(q,io,ii,j)"));
              }),
              HasSubstr("q"));
}

TEST(Dealing, RefusesPiecesOfPositionsThatAreFusedAgain) {
  const Request spmm = random_request("Y(i,k) = A(i,j) * X(j,k)", {{"A", csr}, {"X", full}}, extents);
  EXPECT_THAT(message_of([&] {
                plan_distributed(on_machine(
                    spmm, "Grid(2)", {}, "fuse(i,j,f), pos(f,fp,A), split(fp,fo,fi,7), fuse(fo,k,g), distribute(g)"));
              }),
              HasSubstr("g runs over pieces of stored entries together with another variable"));
}

/// A step would compute all positions of a processor again.
TEST(Dealing, RefusesStepsOverPositions) {
  const std::string positions = "fuse(i,j,f), pos(f,fp,A), ";
  for (const std::string& schedule :
       {positions + "divide(fp,fo,fi,M.x), divide(fi,a,b,2), distribute(fo), communicate(x,a)",
        positions + "divide(fp,fs,ft,2), divide(ft,fo,fi,2), distribute(fo)",
        positions + "divide(fp,fo,fi,M.x), divide(fi,a,b,2), rotate(a,{fo},as), distribute(fo), communicate(x,as)"})
    EXPECT_THAT(message_of([&] { plan_distributed(on_machine(spmv(), "Grid(2)", {}, schedule)); }),
                HasSubstr("a processor computes its share of positions at once"))
        << schedule;
}

/// How many pieces there are, and so how many tasks, only the data says.
TEST(Dealing, CutsPositionsIntoPiecesOfALength) {
  const Request ttv = random_request("s = T(i,j,k) * x(k)", {{"T", {"csf", 50}}, {"x", full}}, extents);
  struct Case {
    Request request;
    std::string schedule, placed;
    std::int64_t tasks;
  };
  const std::string of_matrix = "fuse(i,j,f), pos(f,fp,A), ", of_tensor = "fuse(i,j,f), pos(f,fp,T), ";
  const std::string of_all = "fuse(i,j,f), fuse(f,k,g), pos(g,gp,T), ";
  const std::int64_t nonzeros = spmv().operands.at("A").stored(), all = ttv.operands.at("T").stored();
  std::set<std::pair<std::int64_t, std::int64_t>> pairs;
  for_each(ttv.operands.at("T"), [&](const auto& at, const Scalar&) { pairs.insert({at[0], at[1]}); });
  const std::vector<Case> cases = {
      {spmv(), of_matrix + "split(fp,fo,fi,7), distribute(fo)", "A: xy -> x", (nonzeros + 6) / 7},
      {spmv(), of_matrix + "split(fp,fo,fi,7), split(fi,a,b,2), distribute(fo)", "A: xy -> y", (nonzeros + 6) / 7},
      {spmv(), of_matrix + "split(fp,fo,fi,1000), distribute(fo)", "A: xy -> ~(xy)", 1},
      {spmv(), of_matrix + "divide(fp,fo,fi,2), split(fi,a,b,6), distribute({fo,a})", "A: xy -> x",
       2 * (((nonzeros + 1) / 2 + 5) / 6)},
      {spmv(), of_matrix + "split(fp,fo,fi,10), distribute({fo},{a},{b},M)", "A: xy -> x", 3},
      {spmv(), of_matrix + "distribute(fp)", "A: xy -> y", nonzeros},
      {ttv, of_all + "split(gp,go,gi,9), distribute(go)", "T: xyz -> y", (all + 8) / 9},
      {ttv, of_tensor + "split(fp,fo,fi,9), distribute(fo)", "T: xyz -> z", (std::ssize(pairs) + 8) / 9},
  };
  for (const Case& each : cases) {
    DistributedReport report;
    EXPECT_EQ(run_and_compare(on_machine(each.request, "Grid(3)", {}, each.schedule), &report), "") << each.schedule;
    EXPECT_EQ(report.tasks, each.tasks) << each.schedule;
    const std::string tensor = each.placed.substr(0, 1), placed = each.placed.substr(3);
    EXPECT_EQ(run_by_parts_and_compare(on_machine(each.request, "Grid(3)", {{tensor, placed}}, each.schedule)), "")
        << each.schedule << " of " << each.placed;
  }
}

TEST(Dealing, LeavesPositionsThatAreCutInside) {
  const std::string dealt = "fuse(i,j,f), pos(f,fp,A), divide(fp,fo,fi,M.x), distribute(fo), ";
  for (const char* inside : {"split(fi,a,b,4)", "split(fi,a,b,4), parallelize(a,CPUThread,Atomics)",
                             "split(fi,a,b,4), split(b,c,d,2)", "unroll(fi,2)"})
    EXPECT_EQ(run_and_compare(on_machine(spmv(), "Grid(3)", {}, dealt + inside)), "") << inside;
  const Request ttv = random_request("s = T(i,j,k) * x(k)", {{"T", {"csf", 50}}, {"x", full}}, extents);
  EXPECT_EQ(run_and_compare(on_machine(ttv, "Grid(3)", {},
                                       "fuse(i,j,f), fuse(f,k,g), pos(g,gp,T), divide(gp,go,gi,M.x), distribute(go), "
                                       "split(gi,a,b,4)")),
            "");
}

TEST(Dealing, FetchesAtALoopThatIsRotatedLater) {
  const Request product = random_request("C(i,j) = A(i,k) * B(k,j)", {{"A", full}, {"B", full}}, extents);
  const std::string begin = "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,2), ";
  DistributedReport before, after;
  EXPECT_EQ(run_and_compare(on_machine(product, "Grid(2,2)", {{"A", "xy -> xy"}, {"B", "xy -> xy"}},
                                       begin + "communicate({A,B},ko), rotate(ko,{io,jo},kos)"),
                            &before),
            "");
  EXPECT_EQ(run_and_compare(on_machine(product, "Grid(2,2)", {{"A", "xy -> xy"}, {"B", "xy -> xy"}},
                                       begin + "rotate(ko,{io,jo},kos), communicate({A,B},kos)"),
                            &after),
            "");
  EXPECT_EQ(before.steps, 2);
  EXPECT_EQ(before.fetches.bytes, after.fetches.bytes);
}

/// As many coordinates as no number counts.
TEST(Dealing, HoldsTensorsOfAnySize) {
  const std::int64_t n = std::int64_t{5} << 30;
  const Request copy{parse_statement("C(i,j) = A(i,j)"),
                     {{"A", build(generate_uniform({n, n}, 50, 1), parse_format("dcsr", 2))}},
                     parse_format("dcsr", 2),
                     {},
                     {},
                     {}};
  for (const char* place : {"xy -> x", "xy -> y", "xy -> *"})
    EXPECT_EQ(run_and_compare(on_machine(copy, "Grid(3)", {{"C", place}}, "")), "") << place;
}

}  // namespace
}  // namespace lacuna::dealing_test
