// Loops that are cut as a tensor is, and run where its parts are.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/on_machine.h"
#include "lacuna/format/format.h"
#include "lacuna/tensor/convert.h"
#include "support/message_of.h"

namespace lacuna::own_partition_test {
namespace {

using testing::HasSubstr;

const std::map<std::string, std::int64_t> extents = {{"i", 14}, {"j", 11}, {"k", 9}};

Request spmv() { return random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 60}}, {"c", {"dense", -1}}}, extents); }

/// Runs it on operands in whole and by parts; returns what was fetched.
Traffic fetched(const DistributedRequest& request) {
  DistributedReport whole, parts;
  EXPECT_EQ(run_and_compare(request, &whole), "");
  EXPECT_EQ(run_by_parts_and_compare(request, &parts), "");
  EXPECT_EQ(whole.fetches.bytes, parts.fetches.bytes);
  return whole.fetches;
}

/// Where a tensor is the only operand that is cut, nothing moves.
TEST(OwnPartition, RunsWhereTheTensorLies) {
  for (const char* placed : {"xy -> x", "xy -> x%2", "xy -> x[3,4,10]", "xy -> x[0,20,20]"}) {
    SCOPED_TRACE(placed);
    EXPECT_EQ(fetched(on_machine(spmv(), "Grid(4)", {{"B", placed}}, "distribute({i},{io},{ii},B)")).messages, 0);
  }
  for (const char* placed : {"xy -> *x", "xy -> 1x", "xy -> x0", "xy -> x[2]*", "xy -> x%3 1"}) {
    SCOPED_TRACE(placed);
    EXPECT_EQ(fetched(on_machine(spmv(), "Grid(2,2)", {{"B", placed}}, "distribute({i},{io},{ii},B)")).messages, 0);
  }
  for (const char* placed : {"xy -> xy", "xy -> yx", "xy -> y%2 x[5]", "xy -> x%1 y%1"}) {
    SCOPED_TRACE(placed);
    for (const char* schedule : {"distribute({i,j},{io,jo},{ii,ji},B)", "distribute({j,i},{jo,io},{ji,ii},B)"})
      EXPECT_EQ(fetched(on_machine(spmv(), "Grid(2,2)", {{"B", placed}}, schedule)).messages, 0);
  }
}

TEST(OwnPartition, OfTheMachineDealsOutOtherwise) {
  EXPECT_GT(fetched(on_machine(spmv(), "Grid(4)", {{"B", "xy -> x%2"}}, "distribute({i},{io},{ii},M)")).messages, 0);
  EXPECT_GT(fetched(on_machine(spmv(), "Grid(2,2)", {{"B", "xy -> *x"}}, "distribute({i},{io},{ii},Grid(2))")).messages,
            0);
}

/// Levels within cut what the level around them left, whose blocks may be of several lengths.
TEST(OwnPartition, OfEachLevelOfAMachine) {
  for (const char* placed :
       {"xy -> x; zw -> z", "xy -> x[3,4]; zw -> z%2", "xy -> x%3; zw -> w", "xy -> x; zw -> z[1]"}) {
    SCOPED_TRACE(placed);
    const bool columns = std::string(placed).back() == 'w';
    const std::string inner = columns ? "distribute({j},{jo},{ji},B[1])" : "distribute({ii},{iio},{iii},B[1])";
    const DistributedRequest request =
        on_machine(spmv(), "Grid(3),Grid(2)", {{"B", placed}}, "distribute({i},{io},{ii},B), " + inner);
    EXPECT_EQ(fetched(request).messages, 0);
  }
}

/// All of it may be on a face of the levels around.
TEST(OwnPartition, OfALevelWithinAFace) {
  for (const char* placed : {"xy -> 1; zw -> z", "xy -> 2; zw -> z%2"})
    EXPECT_EQ(
        fetched(on_machine(spmv(), "Grid(3),Grid(2)", {{"B", placed}}, "distribute({i},{io},{ii},B[1])")).messages, 0);
}

/// Of the result: then nothing has to be brought to its owners. And without a schedule.
TEST(OwnPartition, OfTheResult) {
  for (const char* schedule : {"distribute({i},{io},{ii},a)", ""}) {
    DistributedReport report;
    const DistributedRequest request =
        on_machine(spmv(), "Grid(3)", {{"a", "x -> x[4,9]"}, {"B", "xy -> x[4,9]"}, {"c", "x -> x%2"}}, schedule);
    EXPECT_EQ(run_and_compare(request, &report), "");
    EXPECT_EQ(report.reductions.messages, 0);
    EXPECT_LE(report.fetches.messages, 6);  // of c
  }
}

TEST(OwnPartition, IsCutFurtherInSteps) {
  const Request product =
      random_request("A(i,k) = B(i,j) * C(j,k)", {{"B", {"csr", 60}}, {"C", {"dense", -1}}}, extents);
  for (const char* steps : {"divide(j,jo,ji,3), reorder(io,jo), rotate(jo,{io},jr), communicate({C},jr)",
                            "split(ii,iio,iii,2), reorder(io,iio), communicate({C},iio)"})
    EXPECT_GT(fetched(on_machine(product, "Grid(3)", {{"B", "xy -> x%2"}, {"C", "xy -> x[1,8]"}},
                                 std::string("distribute({i},{io},{ii},B), ") + steps))
                  .messages,
              0);
}

/// By what it stores: a loop over that is cut as the tensor is, and nothing of the tensor moves.
TEST(OwnPartition, OfWhatIsStored) {
  const auto none_of_B = [](const char* format, const char* machine, const char* placed, const char* schedule) {
    SCOPED_TRACE(fmt::format("{} {} {}", format, placed, schedule));
    Request request = spmv();
    request.operands["B"] = convert(request.operands.at("B"), parse_format(format, 2));
    EXPECT_EQ(fetched(on_machine(request, machine, {{"B", placed}}, schedule)).messages, 0);
  };
  const char* const stored = "fuse(i,j,f), pos(f,p,B(i,j)), distribute({p},{po},{pi},B)";
  for (const char* format : {"csr", "dcsr", "coo", "hashed", "dense,hashed"}) {
    none_of_B(format, "Grid(4)", "xy -> ~(xy)", stored);
    none_of_B(format, "Grid(2),Grid(2)", "xy -> ~(xy); zw -> *", stored);
    none_of_B(format, "Grid(2),Grid(2)", "xy -> *; zw -> ~(zw)",
              "fuse(i,j,f), pos(f,p,B(i,j)), distribute({p},{po},{pi},B[1])");
    none_of_B(format, "Grid(2,2)", "xy -> ~(xy) *", stored);
    none_of_B(format, "Grid(2,2)", "xy -> 1 ~(xy)", stored);
  }
  for (const char* format : {"dcsr", "coo", "hashed"})
    none_of_B(format, "Grid(3)", "xy -> ~x", "pos(i,p,B(i,j)), distribute({p},{po},{pi},B)");
  none_of_B("csr", "Grid(3)", "xy -> ~x", "distribute({i},{io},{ii},B)");  // all rows are stored
  none_of_B("csr", "Grid(4)", "xy -> ~(xy)",
            "fuse(i,j,f), pos(f,p,B(i,j)), distribute({p},{po},{pi},B), parallelize(pi,CPUThread)");
}

/// A tensor on both sides is cut as the operand stores it.
TEST(OwnPartition, OfAnOperandThatIsTheResultToo) {
  Request request = random_request("C(i,j) = C(i,j) * B(i,j)", {{"C", {"csr", 60}}, {"B", {"dcsr", 60}}}, extents);
  const std::map<std::string, std::string> placed = {{"C", "xy -> ~(xy)"}, {"B", "xy -> *"}};
  const char* const stored = "fuse(i,j,f), pos(f,p,C(i,j)), distribute({p},{po},{pi},C)";
  for (const char* format : {"csr", "dcsr", "hashed"}) {
    request.operands["C"] = convert(request.operands.at("C"), parse_format(format, 2));
    for (const char* result : {"dense", "dcsr", "csc"}) {
      SCOPED_TRACE(fmt::format("{} into {}", format, result));
      request.result_format = parse_format(result, 2);
      DistributedRequest distributed = on_machine(request, "Grid(3)", placed, stored);
      if (std::string(result) != "csc") EXPECT_EQ(fetched(distributed).messages, 0);
      else EXPECT_THROW(fetched(distributed), Error);  // ~(xy) does not fit it
    }
  }
  request.operands["C"] = convert(request.operands.at("C"), parse_format("csc", 2));
  request.result_format = parse_format("dcsr", 2);
  fetched(on_machine(request, "Grid(3)", {}, "fuse(j,i,f), pos(f,p,C(i,j)), divide(p,po,pi,3), distribute(po)"));
}

TEST(OwnPartition, RefusesWhatIsNotCutSo) {
  const auto refusal = [](const std::string& machine, const std::map<std::string, std::string>& placed,
                          const std::string& schedule) {
    return message_of([&] { plan_distributed(on_machine(spmv(), machine, placed, schedule)); });
  };
  const std::string rows = "distribute({i},{io},{ii},B)";
  EXPECT_THAT(message_of([&] {
                Request request = spmv();
                request.result_format = parse_format("compressed", 1);
                plan_distributed(on_machine(request, "Grid(2)", {{"a", "x -> ~x"}}, "distribute({i},{io},{ii},a)"));
              }),
              HasSubstr("a is cut by what it stores, x -> ~x, which nobody knows yet; name an operand"));
  EXPECT_THAT(refusal("Grid(2)", {{"B", "xy -> ~(xy)"}}, rows),
              HasSubstr("B is cut by what it stores, xy -> ~(xy); distribute its positions instead: fuse(i,j,ij), "
                        "pos(ij,ijp,B(i,j)), "
                        "distribute({ijp},{ijpo},{ijpi},B)"));
  EXPECT_THAT(refusal("Grid(2)", {{"B", "xy -> x"}}, "fuse(i,j,f), pos(f,p,B(i,j)), distribute({p},{po},{pi},B)"),
              HasSubstr("p runs over stored entries, and B is cut by coordinates, xy -> x; distribute i"));
  for (const char* piece : {"divide(p,po,pi,2)", "split(p,po,pi,2)"})
    EXPECT_THAT(refusal("Grid(2)", {{"B", "xy -> x"}},
                        fmt::format("pos(i,p,B(i,j)), {}, distribute({{pi}},{{pio}},{{pii}},B)", piece)),
                HasSubstr("pi runs over stored entries, and B is cut by coordinates, xy -> x; distribute i"));
  EXPECT_THAT(refusal("Grid(2),Grid(2)", {{"B", "xy -> x; zw -> ~(zw)"}},
                      "fuse(i,j,f), pos(f,p,B(i,j)), distribute({p},{po},{pi},B[1])"),
              HasSubstr("B is cut by what it stores within what others leave it"));
  EXPECT_THAT(refusal("Grid(2)", {{"B", "xyz -> z"}}, rows), HasSubstr("it is for 3 dimensions, but the tensor has 2"));
  EXPECT_THAT(refusal("Grid(2)", {{"B", "xy -> y"}}, rows),
              HasSubstr("i is not partitioned by the distribution of B, xy -> y on Grid(2)"));
  EXPECT_THAT(refusal("Grid(2)", {{"c", "x -> x"}}, rows), HasSubstr("B has no distribution; place it"));
  EXPECT_THAT(refusal("Grid(2)", {{"B", "xy -> x"}}, "distribute({i},{io},{ii},D)"),
              HasSubstr("D is no tensor of the statement"));
  EXPECT_THAT(refusal("Grid(2)", {{"B", "xy -> x"}}, "distribute({i},{io},{ii},B[1])"),
              HasSubstr("B is placed on Grid(2), which has no level [1]"));
  EXPECT_THAT(refusal("Grid(2)", {{"B", "xy -> x"}}, "distribute({i},{io},{ii},B[x])"), HasSubstr("is no machine"));
  EXPECT_THAT(refusal("Grid(2)", {{"B", "xy -> x"}}, "distribute({q},{io},{ii},B)"), HasSubstr("q has no loop"));
}

}  // namespace
}  // namespace lacuna::own_partition_test
