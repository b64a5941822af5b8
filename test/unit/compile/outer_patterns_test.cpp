// Results that have the coordinates of an operand's first levels, where these are nodes or lie above nodes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/dynamic/update/incremental_result.h"
#include "lacuna/dynamic/update/updated_tensor.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"
#include "unit/compile/interpreted.h"

namespace lacuna::outer_patterns_test {
namespace {

using concrete::Assembly;

class OuterPatterns : public testing::Test {
 protected:
  Storage stored(const Storage& arrays, const std::string& format) {
    return stored_as(engine_, arrays, parse_format(format, arrays.order()), Options{});
  }

  /// Runs a request on several numbers of threads; each result is right, and has the coordinates of A's first levels.
  void check(const Request& request, const std::string& schedule = {}, bool also_compiled = true) {
    for (const bool compiled : {false, true}) {
      if (compiled && !also_compiled) continue;
      for (const int threads : {1, 2, 3}) {
        Options options = compiled ? Options{} : interpreted();
        options.target.threads = threads;
        Request asked = request;
        asked.schedule = parse_schedule(schedule);
        Prepared prepared = engine_.prepare(asked, options);
        const std::string what = fmt::format("{} of {} on {} threads", request.statement.text,
                                             request.operands.at("A").format.to_string(), threads);
        const concrete::Tensor& made = prepared.plan().scheduled.program.result();
        EXPECT_EQ(made.assembly, Assembly::SharedPattern) << what;
        EXPECT_TRUE(prepared.plan().scheduled.copies.empty()) << what;
        const Storage result = prepared.run();
        EXPECT_EQ(result.format, *request.result_format) << what;
        EXPECT_NO_THROW(validate(result, "the result")) << what;
        // The sums' order is that of the nodes.
        const double tolerance = result.type == Type::Float32 ? 1e-6 : 1e-12;
        EXPECT_EQ(wrong(request, result, tolerance).value_or(""), "") << what;
      }
    }
  }

  Assembly assembly(const Request& request) {
    return engine_.prepare(request, Options{}).plan().scheduled.program.result().assembly;
  }

  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
};

const Storage x = build(generate_uniform({30}, 30, 3), dense_format(1));

Request row_sums(const Storage& a, const std::string& result, const std::string& text = "y(i) = A(i,j) * x(j)") {
  return request_for(text, {{"A", a}, {"x", x}}, result);
}

Storage matrix() { return build(generate_uniform({60, 30}, 200, 1), csr_format()); }

TEST_F(OuterPatterns, AreCopiedOfEveryKindOfNodes) {
  for (const char* level : {"bst", "blist", "blist_unsorted", "ctree", "vblist", "llist", "btree", "rbtree", "ttree"})
    for (const char* below : {"{0},{0}", "{0},compressed", "{0},dense", "{0},bst"}) {
      const Storage a = stored(matrix(), fmt::format(fmt::runtime(below), level));
      check(row_sums(a, level), {}, std::string_view(below) == "{0},{0}");
    }
}

TEST_F(OuterPatterns, AreSharedOfArraysAboveNodes) {
  check(row_sums(stored(matrix(), "compressed,bst"), "compressed"));
  check(row_sums(stored(matrix(), "compressed,compressed"), "compressed"));
}

TEST_F(OuterPatterns, AreThoseOfSeveralLevels) {
  const Storage b = build(generate_uniform({9, 12, 30}, 150, 2), csf_format(3));
  for (const char* formats : {"dense,bst,bst dense,bst", "bst,bst,bst bst,bst", "bst,blist,compressed bst,blist",
                              "dense,ctree,dense dense,ctree", "compressed,btree,blist compressed,btree"}) {
    const std::string text = formats;
    const std::size_t space = text.find(' ');
    const Storage a = stored(b, text.substr(0, space));
    check(request_for("Y(i,j) = A(i,j,k) * x(k)", {{"A", a}, {"x", x}}, text.substr(space + 1)));
  }
  check(request_for("y(i) = A(i,j,k) * x(k)", {{"A", stored(b, "bst,bst,bst")}, {"x", x}}, "bst"));
}

TEST_F(OuterPatterns, HoldValuesOfAnyType) {
  for (const Type type : {Type::Int8, Type::Int32, Type::Int64, Type::Float32, Type::Complex128})
    for (const char* level : {"bst", "btree", "vblist"}) {
      const Storage a =
          stored(build(generate_uniform({40, 30}, 90, 4, type), csr_format()), fmt::format("{0},{0}", level));
      Request request = request_for("y(i) = A(i,j)", {{"A", a}}, level);
      request.result_type = type;
      check(request, {}, false);
    }
  // The same levels, with values of another type.
  Request wider = request_for("C(i,j) = A(i,j)", {{"A", stored(matrix(), "bst,ctree")}}, "bst,ctree");
  wider.result_type = Type::Float32;
  check(wider);
}

TEST_F(OuterPatterns, AreFilledUnderDirectives) {
  const Storage a = stored(matrix(), "bst,bst");
  check(row_sums(a, "bst"), "parallelize(i,CPUThread,NoRaces)");
  check(row_sums(a, "bst"), "split(i,io,ii,8), parallelize(io,CPUThread,NoRaces)");
  check(row_sums(a, "bst"), "split(i,io,ii,8)");
}

TEST_F(OuterPatterns, AreNotThoseOfLevelsThatMayBeEmpty) {
  const Storage a = stored(matrix(), "bst,bst");
  Storage unknown = a;
  unknown.levels[1].nonempty = false;
  EXPECT_EQ(assembly(row_sums(unknown, "bst")), Assembly::Append);
  EXPECT_EQ(wrong(row_sums(unknown, "bst"), engine_.run(row_sums(unknown, "bst")), 1e-12).value_or(""), "");
  // The coordinates of A and B together, or of both, are those of neither; nor are those of a sparse vector.
  const Storage b = stored(build(generate_uniform({60, 30}, 90, 7), csr_format()), "bst,bst");
  const Storage few = build(generate_uniform({30}, 5, 8), parse_format("compressed", 1));
  for (const char* text : {"y(i) = A(i,j) + B(i,j)", "y(i) = A(i,j) * B(i,j)", "y(i) = A(i,j) * v(j)"}) {
    Request request = request_for(text, {{"A", a}, {"B", b}, {"v", few}}, "bst");
    for (const char* name : {"B", "v"})
      if (std::string(text).find(name) == std::string::npos) request.operands.erase(name);
    EXPECT_EQ(assembly(request), Assembly::Append) << text;
    EXPECT_EQ(wrong(request, engine_.run(request), 1e-12).value_or(""), "") << text;
  }
  // Dense rows have no entries of their own.
  EXPECT_NE(assembly(row_sums(stored(matrix(), "dense,bst"), "compressed")), Assembly::SharedPattern);
}

TEST_F(OuterPatterns, HaveNoEntryOfARowThatAnUpdateEmptied) {
  const Storage arrays = tensor<double>("csr", {60, 30}, {{{2, 1}, 1}, {{5, 0}, 2}, {{5, 7}, 3}, {{9, 9}, 4}});
  UpdatedTensor changing(engine_, stored(arrays, "bst,bst"), Options{});
  changing.update(UpdateOperation::Add, std::vector<std::int64_t>{30, 4}, Scalar(1.5));
  const Request grown = row_sums(changing.storage(), "bst");
  check(grown);
  EXPECT_EQ(engine_.run(grown).stored(), 4);
  changing.update(UpdateOperation::Erase, std::vector<std::int64_t>{2, 1}, {});
  const Request emptied = row_sums(changing.storage(), "bst");
  const Storage result = engine_.run(emptied);
  EXPECT_EQ(result.stored(), 3);
  EXPECT_EQ(wrong(emptied, result, 1e-12).value_or(""), "");
}

TEST_F(OuterPatterns, AreNotTakenForGrantedOfOtherOperands) {
  const Storage arrays = tensor<double>("csr", {60, 30}, {{{2, 1}, 1}, {{5, 0}, 2}, {{5, 7}, 3}});
  const Request request = row_sums(stored(arrays, "bst,bst"), "bst");
  UpdatedTensor changing(engine_, request.operands.at("A"), Options{});
  IncrementalResult result(engine_, request, "A", Options{}, 1);
  changing.update(UpdateOperation::Erase, std::vector<std::int64_t>{2, 1}, {});
  EXPECT_EQ(result.evaluate(changing.storage(), false).stored(), 1);
  Prepared prepared = engine_.prepare(request, Options{});
  EXPECT_TRUE(prepared.holds_for(request.operands));
  std::map<std::string, Storage> others = request.operands;
  others.at("A") = changing.storage();
  EXPECT_FALSE(prepared.holds_for(others));
  EXPECT_THROW(prepared.run(others), InternalError);
}

/// What was given back in the operand is not used again in the copy.
TEST_F(OuterPatterns, CanBeChangedAfterwards) {
  for (const char* level : {"bst", "blist", "ctree", "btree", "vblist"}) {
    Storage a = stored(matrix(), fmt::format("{0},{0}", level));
    UpdatedTensor grown(engine_, a, Options{});
    for (std::int64_t i = 0; i < 60; i += 7)
      grown.update(UpdateOperation::Assign, std::vector<std::int64_t>{i, 3}, Scalar(2.0));
    const Request request = row_sums(grown.storage(), level);
    EXPECT_EQ(assembly(request), Assembly::SharedPattern);
    UpdatedTensor y(engine_, engine_.run(request), Options{});
    const CoordinateList before = coordinates_of(y.storage());
    for (std::int64_t i = 0; i < 60; ++i)
      y.update(UpdateOperation::Assign, std::vector<std::int64_t>{i}, Scalar(static_cast<double>(i)));
    EXPECT_NO_THROW(validate(y.storage(), level));
    const CoordinateList after = coordinates_of(y.storage());
    EXPECT_EQ(after.size(), 60) << level << " had " << before.size();
    for (std::int64_t i = 0; i < 60; ++i)
      EXPECT_EQ(after.values.view<double>()[static_cast<std::size_t>(i)], static_cast<double>(i)) << level;
  }
}

}  // namespace
}  // namespace lacuna::outer_patterns_test
