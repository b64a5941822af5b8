// Several statements in one kernel: their loops are joined where they come to the same, and each result is what its
// statement alone gives.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"
#include "unit/compile/interpreted.h"

namespace lacuna::together_test {
namespace {

using testing::HasSubstr;

using Formats = std::map<std::string, std::string>;

class TogetherTest : public testing::Test {
 protected:
  Storage stored(const std::string& format, const std::vector<std::int64_t>& dimensions, std::uint64_t seed) {
    std::int64_t count = 1;
    for (const std::int64_t extent : dimensions) count *= extent;
    const CoordinateList entries = generate_uniform(dimensions, count / 3, seed);
    const int order = static_cast<int>(dimensions.size());
    return stored_as(engine_, build(entries, coo_format(order)), format_of(format, order));
  }

  Format format_of(const std::string& text, int order) const { return parse_format(text, order, folders_); }

  Request request(const std::vector<std::string>& statements, const Operands& operands, const Formats& results = {}) {
    Request r;
    r.operands = operands;
    const auto format = [&](const Statement& s) -> std::optional<Format> {
      const auto found = results.find(s.lhs.tensor.name());
      if (found == results.end()) return std::nullopt;
      return format_of(found->second, s.lhs.tensor.order());
    };
    r.statement = parse_statement(statements.front());
    r.result_format = format(r.statement);
    for (std::size_t n = 1; n < statements.size(); ++n) {
      const Statement s = parse_statement(statements[n]);
      r.further.push_back({s, format(s)});
    }
    return r;
  }

  /// Each result, interpreted and compiled, on one thread and on two, against the definition of its statement alone.
  void check(const Request& r, bool compiled = true) {
    for (const bool compile : compiled ? std::vector{false, true} : std::vector{false})
      for (const int threads : {1, 2}) {
        Options options = compile ? Options() : interpreted();
        options.target.threads = threads;
        const std::vector<Storage> results = engine_.prepare(r, options).run_all();
        ASSERT_EQ(results.size(), 1 + r.further.size());
        for (std::size_t n = 0; n < results.size(); ++n) {
          Request alone = r;
          alone.further.clear();
          if (n > 0) alone.statement = r.further[n - 1].statement;
          EXPECT_EQ(wrong(alone, results[n], 1e-12).value_or(""), "")
              << to_string(alone.statement) << " " << compile << " " << threads;
        }
      }
  }

  std::string error_of(const Request& r) {
    try {
      engine_.prepare(r, interpreted());
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }

  /// How often loops over a variable turn, all together.
  std::int64_t trips(const Request& r, const std::string& variable) {
    Report report;
    engine_.prepare(r, interpreted()).run_all(&report);
    return report.counters.trips[variable];
  }

  std::string concrete_of(const Request& r) {
    std::string text;
    Options options = interpreted();
    options.stop_before_code = true;
    options.on_stage = [&](const Stage& stage) {
      if (stage.name == "concrete") text = stage.text.substr(0, stage.text.find("//"));
    };
    engine_.prepare(r, options);
    return text;
  }

  std::vector<std::filesystem::path> folders_ = {LACUNA_LEVELS_FOLDER};
  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
};

TEST_F(TogetherTest, MergesOperandsOnceForTwoResults) {
  const Operands operands{{"B", stored("csr", {20, 30}, 1)}, {"C", stored("csr", {20, 30}, 2)}};
  const Request r =
      request({"A(i,j) = B(i,j) + C(i,j)", "D(i,j) = B(i,j) * C(i,j)"}, operands, {{"A", "csr"}, {"D", "dense,btree"}});
  EXPECT_EQ(concrete_of(r),
            "forall i\n  forall j\n    A(i,j) = B(i,j) + C(i,j)\n    ;\n    D(i,j) = B(i,j) * C(i,j)\n");
  check(r);
}

TEST_F(TogetherTest, MakesEveryPairOfResultFormats) {
  const Operands operands{{"B", stored("csr", {12, 15}, 1)}, {"C", stored("bst,ctree", {12, 15}, 2)}};
  const std::vector<std::string> formats = {
      "dense", "csr", "dcsr", "coo", "bst,ctree", "dense,btree", "ttree,llist", "compressed,rbtree", "btree,dense"};
  for (const std::string& a : formats)
    for (const std::string& d : formats) {
      SCOPED_TRACE(a + " " + d);
      check(request({"A(i,j) = B(i,j) + C(i,j)", "D(i,j) = B(i,j) * C(i,j)"}, operands, {{"A", a}, {"D", d}}), false);
    }
}

TEST_F(TogetherTest, JoinsSumsOverOneOperand) {
  const Operands operands{
      {"A", stored("dense,blist", {25, 18}, 1)}, {"x", stored("dense", {18}, 2)}, {"w", stored("dense", {25}, 3)}};
  const Request r = request({"y(i) = A(i,j) * x(j)", "s = A(i,j) * A(i,j)", "z(j) = A(i,j) * w(i)", "n(i) = A(i,j)"},
                            operands, {{"y", "bst"}, {"z", "llist"}});
  check(r);
  Request alone = r;
  alone.further.clear();
  EXPECT_LT(trips(r, "i"), 4 * trips(alone, "i"));
}

TEST_F(TogetherTest, RunsLoopsThatDifferOneAfterTheOther) {
  const Operands operands{{"A", stored("csr", {8, 9}, 1)},
                          {"B", stored("csr", {8, 9}, 2)},
                          {"C", stored("csr", {7, 8}, 3)},
                          {"x", stored("dense", {9}, 4)}};
  // The rows are come to together, what is in them is not.
  const Request r = request({"y(i) = A(i,j) * x(j)", "z(i) = B(i,j) * x(j)"}, operands);
  const std::string text = concrete_of(r);
  EXPECT_EQ(text.find("forall i"), text.rfind("forall i")) << text;
  EXPECT_NE(text.find("forall j"), text.rfind("forall j")) << text;
  check(r);
  // One name, two extents: two variables.
  check(request({"y(i) = A(i,j) * x(j)", "t(i) = C(i,j)"}, operands));
}

TEST_F(TogetherTest, CopiesNodesForSeveralResults) {
  const Operands operands{{"B", stored("bst,ctree", {14, 16}, 1)}, {"c", stored("dense", {14}, 2)}};
  check(request({"A(i,j) = B(i,j) * c(i)", "D(i,j) = 2 * B(i,j)"}, operands, {{"A", "bst,ctree"}, {"D", "bst,ctree"}}));
}

TEST_F(TogetherTest, ReadsCopiesThatStatementsAskForDifferently) {
  const Operands operands{{"B", stored("csr", {10, 11}, 1)}, {"C", stored("csr", {11, 10}, 2)}};
  check(request({"A(i,j) = B(i,j) + C(j,i)", "D(j,i) = B(i,j) * C(j,i)", "E(i,j) = B(i,k) * C(k,j)"}, operands,
                {{"A", "csr"}, {"D", "csr"}, {"E", "csr"}}));
}

TEST_F(TogetherTest, AddsToWhatIsThere) {
  const Operands operands{
      {"A", stored("csr", {9, 9}, 1)}, {"x", stored("dense", {9}, 2)}, {"y", stored("dense", {9}, 3)}};
  check(request({"y(i) += A(i,j) * x(j)", "z(i) = A(i,j)"}, operands));
}

TEST_F(TogetherTest, AppliesTheScheduleToEachStatement) {
  const Operands operands{{"A", stored("csr", {40, 30}, 1)}, {"x", stored("dense", {30}, 2)}};
  Request r = request({"y(i) = A(i,j) * x(j)", "z(i) = A(i,j) * 2"}, operands);
  r.schedule = parse_schedule("split(i,io,ii,8), parallelize(io,CPUThread,NoRaces)");
  const std::string text = concrete_of(r);
  EXPECT_EQ(text.find("forall io"), text.rfind("forall io")) << text;
  EXPECT_THAT(text, HasSubstr("threads"));
  check(r);
  Request other = request({"y(i) = A(i,j) * x(j)", "z(i) = A(i,k) * 2"}, operands);
  other.schedule = parse_schedule("split(j,jo,ji,8)");
  EXPECT_THAT(error_of(other), HasSubstr("split: there is no loop over j"));
}

TEST_F(TogetherTest, SharesAppendedRowsBetweenThreads) {
  const Operands operands{{"B", stored("csr", {300, 40}, 1)}, {"C", stored("csr", {300, 40}, 2)}};
  Request r = request({"A(i,j) = B(i,j) + C(i,j)", "D(i,j) = B(i,j) * C(i,j)"}, operands, {{"A", "csr"}, {"D", "coo"}});
  r.schedule = parse_schedule("parallelize(i,CPUThread)");
  EXPECT_THAT(concrete_of(r), HasSubstr("threads"));
  check(r);
}

TEST_F(TogetherTest, SaysWhatCannotShareAKernel) {
  const Operands operands{{"A", stored("csr", {6, 6}, 1)}, {"x", stored("dense", {6}, 2)}};
  EXPECT_THAT(error_of(request({"y(i) = A(i,j) * x(j)", "y(i) = A(i,j)"}, operands)), HasSubstr("two statements"));
  Operands with_y = operands;
  with_y["y"] = operands.at("x");
  EXPECT_THAT(error_of(request({"y(i) = A(i,j) * x(j)", "z(i) = A(i,j) * y(j)"}, with_y)),
              HasSubstr("reads y, which the same kernel makes"));
  EXPECT_THAT(error_of(request({"A(i,i) += x(i)", "z(i) = x(i)"}, operands)), HasSubstr("evaluate it alone"));
  Request inserted = request({"B(i,j) = A(i,j)", "C(i,j) = A(i,j) * x(j)"}, operands, {{"B", "csr"}, {"C", "csr"}});
  inserted.schedule = parse_schedule("assemble(B,Append)");
  EXPECT_THAT(error_of(inserted), HasSubstr("assemble"));
}

TEST_F(TogetherTest, IsPlannedOnce) {
  const Operands operands{{"A", stored("csr", {6, 6}, 1)}, {"x", stored("dense", {6}, 2)}};
  const Request both = request({"y(i) = A(i,j) * x(j)", "z(i) = A(i,j)"}, operands);
  EXPECT_FALSE(engine_.prepare(both, interpreted()).compile_report().from_memory);
  EXPECT_TRUE(engine_.prepare(both, interpreted()).compile_report().from_memory);
  Request one = both;
  one.further.clear();
  EXPECT_FALSE(engine_.prepare(one, interpreted()).compile_report().from_memory);
}

}  // namespace
}  // namespace lacuna::together_test
