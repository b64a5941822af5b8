#include "lacuna/engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_request.h"
#include "unit/compile/interpreted.h"

namespace lacuna::engine_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Request product(std::int64_t rows, std::int64_t stored) {
  return random_request("y(i) = A(i,j) * x(j)", {{"A", {"csr", stored}}, {"x", {"dense"}}}, {{"i", rows}, {"j", 20}});
}

struct EngineTest : testing::Test {
  Engine engine{JitOptions{"cc", default_c_flags(), "", ""}};
  Report report;
};

TEST_F(EngineTest, FindsAStatementThatItHasPreparedBefore) {
  engine.run(product(30, 100), interpreted(), &report);
  EXPECT_FALSE(report.from_memory);
  const Request again = product(30, 100);
  EXPECT_EQ(wrong(again, engine.run(again, interpreted(), &report)).value_or(""), "");
  EXPECT_TRUE(report.from_memory);
}

TEST_F(EngineTest, PreparesAnewForOtherFormatsAndTypes) {
  engine.run(product(30, 100), interpreted(), &report);
  Request other = product(30, 100);
  other.operands["A"] = build(generate_uniform({30, 20}, 100, 9), dcsr_format());
  EXPECT_EQ(wrong(other, engine.run(other, interpreted(), &report)).value_or(""), "");
  EXPECT_FALSE(report.from_memory);
  other.operands["A"] = build(generate_uniform({30, 20}, 100, 9, Type::Float32), dcsr_format());
  EXPECT_EQ(wrong(other, engine.run(other, interpreted(), &report), 1e-6).value_or(""), "");
  EXPECT_FALSE(report.from_memory);
}

TEST_F(EngineTest, ReusesNothingThatDependsOnSizes) {
  for (const std::int64_t rows : {30, 31, 29, 64, 65, 1}) {
    const Request request = product(rows, std::min<std::int64_t>(100, rows * 20));
    EXPECT_EQ(wrong(request, engine.run(request, interpreted())).value_or(""), "") << rows;
  }
}

TEST_F(EngineTest, LeapsUnaskedOnlyInWhatItCanSearch) {
  for (const char* format : {"coo", "compressed(unordered),dense", "csr", "bitmap", "hashed"}) {
    const Request request = random_request("A(i,l) = B(i,j,k) * C(j,l) * D(k,l)",
                                           {{"B", {"csf", 400}}, {"C", {"csr", 40}}, {"D", {format, 0}}},
                                           {{"i", 9}, {"j", 10}, {"k", 11}, {"l", 12}});
    EXPECT_EQ(wrong(request, engine.run(request, interpreted())).value_or(""), "") << format;
  }
}

TEST_F(EngineTest, DoesNotSortWhatNeedsNoOrder) {
  Request request = random_request("C(i,k) = A(i,j) * B(j,k)", {{"A", {"csr", 60}}, {"B", {"csr", 60}}},
                                   {{"i", 20}, {"j", 20}, {"k", 20}});
  for (const char* format : {"csr", "dense,compressed(unordered)", "compressed,compressed(unordered)"}) {
    request.result_format = parse_format(format, 2);
    const bool ordered = request.result_format->levels().back().ordered;
    Prepared prepared = engine.prepare(request);
    EXPECT_EQ(prepared.c_code().find("  lacuna_sort_marked_int32(") != std::string::npos, ordered) << format;
    EXPECT_EQ(wrong(request, prepared.run(&report)).value_or(""), "") << format;
    EXPECT_THAT(report.notes, ElementsAre()) << format;
  }
}

/// Of whatever sizes: which loops are cut into blocks, put into registers and asked for ahead depends on them.
TEST_F(EngineTest, SchedulesProductsOfThreeMatricesOfAllSizes) {
  Options options;
  options.stop_before_code = true;
  for (const int threads : {1, 2})
    for (const std::int64_t k : {16, 128, 512})
      for (const std::int64_t l : {16, 64, 128, 512}) {
        const Request request = random_request("A(i,l) = B(i,j) * C(j,k) * D(k,l)",
                                               {{"B", {"csr", 200'000}}, {"C", {"dense", 0}}, {"D", {"dense", 0}}},
                                               {{"i", 11'000}, {"j", 11'000}, {"k", k}, {"l", l}});
        options.target.threads = threads;
        EXPECT_NO_THROW(engine.prepare(request, options)) << k << " " << l << " on " << threads;
      }
}

TEST_F(EngineTest, APreparedStatementRunsOnOtherOperands) {
  Request request = product(30, 100);
  Prepared prepared = engine.prepare(request, interpreted());
  EXPECT_EQ(prepared.result_format(), dense_format(1));
  EXPECT_EQ(prepared.result_type(), Type::Float64);
  EXPECT_THAT(prepared.result_dimensions(), ElementsAre(30));
  request.operands["x"] = generate_dense({20}, 77);
  EXPECT_EQ(wrong(request, prepared.run(request.operands)).value_or(""), "");
}

TEST_F(EngineTest, ThreadsThatAddToTheirOwnResultsGiveTheSameBitsEachTime) {
  Request request = random_request("y(i) += A(i,j) * x(j)", {{"A", {"csc", 60000}}, {"x", {"dense"}}, {"y", {"dense"}}},
                                   {{"i", 3000}, {"j", 400}});
  request.schedule = parse_schedule("reorder(j,i), parallelize(j,CPUThread,Temporary)");
  for (const int threads : {1, 2, 5}) {
    Options options;
    options.target.threads = threads;
    Prepared prepared = engine.prepare(request, options);
    EXPECT_THAT(prepared.c_code(), HasSubstr("lacuna_add_up_float64"));
    const Storage first = prepared.run();
    EXPECT_EQ(wrong(request, first).value_or(""), "") << threads << " threads";
    const auto bits = first.values.view<double>();
    for (int run = 0; run < 20; ++run) {
      const Storage other = prepared.run();
      const auto same = other.values.view<double>();
      EXPECT_TRUE(std::equal(bits.begin(), bits.end(), same.begin(), same.end())) << threads << " threads";
    }
  }
}

TEST_F(EngineTest, RunsIntoTheMemoryOfAnEarlierResult) {
  const Request sampled =
      random_request("y(i,j) = A(i,j) * x(j)", {{"A", {"csr", 100}}, {"x", {"dense"}}}, {{"i", 30}, {"j", 20}}, "csr");
  for (const Request& request : {product(30, 100), sampled}) {
    Prepared prepared = engine.prepare(request);
    Storage result = prepared.run();
    const void* memory = result.values.data();
    prepared.run_into(result);
    EXPECT_EQ(result.values.data(), memory);
    EXPECT_EQ(wrong(request, result).value_or(""), "");
    // Somebody else holds it, or it is of another size.
    const Storage kept = result;
    prepared.run_into(result);
    EXPECT_NE(result.values.data(), kept.values.data());
    EXPECT_EQ(wrong(request, kept).value_or(""), "");
    EXPECT_EQ(wrong(request, result).value_or(""), "");
    Storage other = engine.run(product(31, 100));
    prepared.run_into(other);
    EXPECT_EQ(wrong(request, other).value_or(""), "");
  }
}

TEST_F(EngineTest, WritesOverNoOperandAndNothingThatItDidNotAllocate) {
  Request request = random_request("y(i) = 2 * z(i)", {{"z", {"dense"}}}, {{"i", 4}}, "dense");
  const Storage before = request.operands.at("z");
  Prepared prepared = engine.prepare(request);
  Storage result = request.operands.at("z");
  request.operands.clear();
  prepared.run_into(result);
  EXPECT_NE(result.values.data(), before.values.data());
  const double lent[] = {1, 2, 3, 4};
  result.values = Array::borrow(Type::Float64, lent, 4, std::make_shared<int>(0));
  prepared.run_into(result);
  EXPECT_NE(result.values.data(), lent);
  EXPECT_THAT(lent, ElementsAre(1, 2, 3, 4));
}

TEST_F(EngineTest, BothBackEndsComputeTheSame) {
  const Request request = random_request("C(i,j) = A(i,k) * B(k,j) + A(i,j)", {{"A", {"csr", 60}}, {"B", {"csc", 70}}},
                                         {{"i", 20}, {"j", 20}, {"k", 20}}, "csr");
  const Storage compiled = engine.run(request);
  CompareOptions exact;
  exact.relative = 0;
  exact.same_pattern = true;
  EXPECT_EQ(difference(compiled, engine.run(request, interpreted()), exact).value_or(""), "");
  EXPECT_EQ(wrong(request, compiled).value_or(""), "");
}

TEST_F(EngineTest, ReportsWhatItDidUnasked) {
  const Request request = random_request("C(i,j) = A(i,k) * B(k,j)", {{"A", {"csr", 60}}, {"B", {"csc", 70}}},
                                         {{"i", 40}, {"j", 40}, {"k", 40}}, "csr");
  engine.run(request, interpreted(), &report);
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("B is read from a copy in csr")));
  EXPECT_GT(report.counters.operations, 0);
}

TEST_F(EngineTest, HandsOutEveryStageInOrder) {
  Options options;
  std::vector<std::string> stages;
  options.on_stage = [&](const Stage& s) { stages.push_back(s.name); };
  options.target.backend = Target::Backend::Interpreter;
  engine.prepare(product(30, 100), options);
  EXPECT_THAT(stages, ElementsAre("notation", "schedule", "concrete", "lattice", "loops"));
}

class InferredFormat : public testing::Test {
 protected:
  std::string inferred(const std::string& text) const {
    return infer_result_format(parse_statement(text), formats_).to_string();
  }

 private:
  const std::map<std::string, Format> formats_{{"A", csr_format()},
                                               {"B", dcsr_format()},
                                               {"D", dense_format(2)},
                                               {"x", dense_format(1)},
                                               {"T", parse_format("dense,dense,compressed", 3)}};
};

TEST_F(InferredFormat, IsCompressedWhereEveryTermBindsTheVariableSparsely) {
  EXPECT_EQ(inferred("C(i,j) = A(i,j)"), "csr");
  EXPECT_EQ(inferred("C(i,j) = B(i,j)"), "dcsr");
  EXPECT_EQ(inferred("C(i,j) = A(i,j) + B(i,j)"), "csr");
  EXPECT_EQ(inferred("C(i,j) = A(i,j) * B(i,j)"), "dcsr");
  EXPECT_EQ(inferred("C(i,j) = A(i,j) + D(i,j)"), "dense");
}

TEST_F(InferredFormat, IsSparseInEveryOrderOfTheModes) {
  EXPECT_EQ(inferred("C(j,i) = A(i,j)"), "dcsr");
  EXPECT_EQ(inferred("C(k,i) = A(i,j) * A(j,k)"), "dcsr");
  EXPECT_EQ(inferred("C(i,k) = A(i,j) * A(j,k)"), "csr");
  EXPECT_EQ(inferred("C(i,j) = A(i,j) + A(j,i)"), "csr");
  EXPECT_EQ(inferred("C(i,j) = A(j,i) + A(i,j)"), "csr");
}

TEST_F(InferredFormat, KeepsDenseLevelsThatAnOperandHasAndThoseThatNothingRestricts) {
  EXPECT_EQ(inferred("C(i,j,k) = T(i,j,k)"), "dense,dense,compressed");
  EXPECT_EQ(inferred("C(i,j,k) = T(j,i,k)"), "dense,compressed,compressed");
  EXPECT_EQ(inferred("C(i,k) = A(i,j) * D(j,k)"), "dense");
  EXPECT_EQ(inferred("C(i,j,k) = A(i,j) * x(k)"), "dense,compressed,dense");
  EXPECT_EQ(inferred("C(i,k,j) = A(i,j) * A(k,j)"), "dense,compressed,compressed");
  EXPECT_EQ(inferred("y(i) = A(i,j) * x(j)"), "dense");
  EXPECT_EQ(inferred("C(i,k) = A(i,j) * x(j) * A(k,l) * x(l)"), "dense");
  EXPECT_EQ(inferred("C(i,i) = x(i)"), "csr");
}

}  // namespace
}  // namespace lacuna::engine_test
