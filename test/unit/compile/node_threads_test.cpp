// Results in nodes whose loops run on threads: these append to arrays, which one thread puts into nodes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/compile/plan/plan.h"
#include "support/random_request.h"
#include "unit/compile/interpreted.h"

namespace lacuna::node_threads_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

class NodeThreads : public testing::Test {
 protected:
  /// A tensor in nodes is filled by a kernel of its own.
  Storage in_nodes(const Storage& arrays, const std::string& format) {
    return stored_as(engine_, arrays, parse_format(format, arrays.order()), interpreted());
  }

  void check(Request request, const std::string& format, const std::string& schedule, bool compiled) {
    request.result_format = parse_format(format, request.statement.lhs.tensor.order());
    request.schedule = parse_schedule(schedule);
    for (const int threads : {1, 2, 3}) {
      Options options = compiled ? Options{} : interpreted();
      options.target.threads = threads;
      Report report;
      const Storage result = engine_.run(request, options, &report);
      const std::string what = fmt::format("{} in {} on {} threads", request.statement.text, format, threads);
      EXPECT_EQ(result.format, *request.result_format) << what;
      EXPECT_NO_THROW(validate(result, "the result")) << what;
      EXPECT_EQ(wrong(request, result, 1e-12).value_or(""), "") << what;
      EXPECT_THAT(report.notes, Contains(HasSubstr("by threads, then put into the nodes of"))) << what;
    }
  }

  /// What the automatic schedule says of two threads.
  std::vector<std::string> notes(const Request& request) {
    Options options;
    options.target.threads = 2;
    options.stop_before_code = true;
    return engine_.prepare(request, options).compile_report().notes;
  }

  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
};

constexpr const char* rows_on_threads = "parallelize(i,CPUThread,NoRaces)";

TEST_F(NodeThreads, MakeResultsOfEveryKindOfLevel) {
  const Storage a = build(generate_uniform({60, 30}, 200, 1), csr_format());
  const Storage b = build(generate_uniform({60, 30}, 150, 2), csr_format());
  const Storage x = build(generate_uniform({30}, 30, 3), dense_format(1));
  for (const std::string level : {"bst", "blist", "ctree", "vblist", "llist", "btree", "blist_unsorted"}) {
    const bool ordered = level != "blist_unsorted";
    const std::string rows = ordered ? level : "bst";
    const Storage nodes = in_nodes(a, rows + "," + level);
    // Two rows that meet nowhere leave nothing in the result.
    const Request products =
        request_for("y(i) = A(i,j) * B(i,j) * x(j)", {{"A", ordered ? nodes : a}, {"B", b}, {"x", x}});
    check(products, level, rows_on_threads, level == "bst");
    const Request sum = request_for("C(i,j) = A(i,j) + B(i,j)", {{"A", ordered ? nodes : a}, {"B", b}});
    check(sum, rows + "," + level, rows_on_threads, level == "btree");
    check(sum, "dense," + level, rows_on_threads, false);
  }
}

TEST_F(NodeThreads, MakeResultsWithArrayLevelsAmongNodes) {
  const std::map<std::string, RandomOperand> operands = {{"A", {"csr", 120}}, {"B", {"csr", 90}}, {"X", {"dense"}}};
  const std::map<std::string, std::int64_t> extents = {{"i", 25}, {"j", 20}, {"k", 15}};
  for (const char* format : {"bst,dense", "bst,compressed", "compressed,bst", "dense,btree", "ctree,blist"}) {
    check(random_request("C(i,k) = A(i,j) * B(j,k)", operands, extents), format, rows_on_threads, false);
    check(random_request("C(i,j) = A(i,j) * X(i,j)", operands, extents), format, rows_on_threads, false);
    check(random_request("C(i,k) = A(i,j) * X(j,k)", operands, extents), format, rows_on_threads, false);
  }
  const Request third =
      random_request("C(i,j,k) = A(i,j,k) + B(i,j,k)", {{"A", {"csf", 60}}, {"B", {"csf", 60}}}, extents);
  for (const char* format :
       {"bst,dense,bst", "dense,bst,bst", "bst,bst,dense", "dense,dense,bst", "bst,compressed,bst"})
    check(third, format, rows_on_threads, false);
}

TEST_F(NodeThreads, AreAskedForByOtherDirectivesToo) {
  const Request sum =
      random_request("C(i,j) = A(i,j) + B(i,j)", {{"A", {"csr", 300}}, {"B", {"csr", 200}}}, {{"i", 50}, {"j", 40}});
  check(sum, "dense,bst", "split(i,io,ii,8), parallelize(io,CPUThread,NoRaces)", false);
  check(sum, "dense,bst", "parallelize(i,CPUThread,NoRaces), assemble(C,Insert)", false);
  check(sum, "bst,bst", "parallelize(i,CPUThread,NoRaces), assemble(C,Append)", false);
}

TEST_F(NodeThreads, AreTakenUnaskedWhereTheyAreExpectedToSaveTime) {
  const Storage x = build(generate_uniform({4000}, 4000, 3), dense_format(1));
  const Storage a = build(generate_uniform({4000, 4000}, 400'000, 1), dcsr_format());
  const Request sums = request_for("y(i) = A(i,j) * B(i,j) * x(j)", {{"A", a}, {"B", a}, {"x", x}}, "bst");
  EXPECT_THAT(notes(sums),
              Contains("y is made in compressed by threads, then put into the nodes of bst by one thread"));
  // Nothing is computed that threads could share.
  EXPECT_THAT(notes(request_for("C(i,j) = A(i,j)", {{"A", a}}, "bst,bst")),
              Contains("C is put into nodes by one thread"));
}

}  // namespace
}  // namespace lacuna::node_threads_test
