// Estimates beside what the checking interpreter counts: the same for dense operands, within a stated factor for
// operands whose entries are spread evenly.

#include "lacuna/schedule/cost/estimate.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/cost/counted.h"

namespace lacuna::estimate_test {
namespace {

const std::map<std::string, std::int64_t> extents{{"i", 120}, {"j", 100}, {"k", 80}, {"l", 16}, {"n", 100000}};

struct Case {
  const char* name;
  std::string statement;
  std::map<std::string, RandomOperand> operands;
  std::string result = {};
  std::string schedule = {};
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.statement << " " << c.schedule; }

const RandomOperand dense{"dense"};

class DenseTest : public testing::TestWithParam<Case> {};

TEST_P(DenseTest, IsCountedExactly) {
  const Case& c = GetParam();

  const Compared both = compare_counts(random_request(c.statement, c.operands, extents, c.result), c.schedule);

  EXPECT_DOUBLE_EQ(both.expected_trips, both.counted_trips);
  EXPECT_DOUBLE_EQ(both.expected.total.operations, static_cast<double>(both.counted.operations));
  EXPECT_DOUBLE_EQ(both.expected.total.bytes_read, static_cast<double>(both.counted.bytes_loaded));
  EXPECT_DOUBLE_EQ(both.expected.total.bytes_written, static_cast<double>(both.counted.bytes_stored));
}

INSTANTIATE_TEST_SUITE_P(
    Cost, DenseTest,
    testing::Values(
        Case{"MatrixVector", "y(i) = A(i,j) * x(j)", {{"A", dense}, {"x", dense}}},
        Case{"MatrixProduct", "C(i,k) = A(i,j) * B(j,k)", {{"A", dense}, {"B", dense}}},
        Case{"Sum", "C(i,j) = A(i,j) + B(i,j)*2 - D(i,j)", {{"A", dense}, {"B", dense}, {"D", dense}}},
        Case{"Residual", "y(i) = sin(b(i)) - A(i,j)*x(j)", {{"A", dense}, {"x", dense}, {"b", dense}}},
        Case{"AddsToTheOld", "y(i) += A(i,j) * x(j)", {{"A", dense}, {"x", dense}, {"y", dense}}},
        Case{"Inner", "s = A(i,j) * B(i,j)", {{"A", dense}, {"B", dense}}},
        Case{"Transpose", "B(j,i) = A(i,j)", {{"A", dense}}},
        Case{"Split",
             "C(i,k) = A(i,j) * B(j,k)",
             {{"A", dense}, {"B", dense}},
             "dense",
             "split(i,io,ii,7), split(k,ko,ki,8), reorder(io,ko,ii,ki)"},
        Case{"Strided",
             "C(i,k) = A(i,j) * B(j,k)",
             {{"A", dense}, {"B", dense}},
             "dense",
             "split(i,io,ii,8), reorder(ii,io)"},
        Case{"Fused", "C(i,k) = A(i,j) * B(j,k)", {{"A", dense}, {"B", dense}}, "dense", "fuse(i,k,f)"},
        Case{
            "Gemm", "C(i,k) = A(i,j) * B(j,k)", {{"A", dense}, {"B", dense}}, "dense", "substitute({i,j,k},BLAS.gemm)"},
        Case{"Gemv", "y(i) = A(i,j) * x(j)", {{"A", dense}, {"x", dense}}, "dense", "substitute({i,j},BLAS.gemv)"},
        Case{"Ger", "C(i,j) = x(i) * y(j)", {{"x", dense}, {"y", dense}}, "dense", "substitute({i,j},BLAS.ger)"},
        Case{"Dot", "s = A(i,j) * B(i,j)", {{"A", dense}, {"B", dense}}, "", "substitute({i,j},BLAS.dot)"},
        Case{"DotOfRows",
             "y(i) = c(i) * A(i,j) * B(i,j)",
             {{"A", dense}, {"B", dense}, {"c", dense}},
             "dense",
             "substitute(j,BLAS.dot)"},
        Case{"Axpy",
             "C(i,k) = A(i,j) * B(j,k)",
             {{"A", dense}, {"B", dense}},
             "dense",
             "reorder(i,j,k), substitute(k,BLAS.axpy)"}),
    [](const auto& each) { return std::string(each.param.name); });

class UniformTest : public testing::TestWithParam<Case> {};

/// Expected over counted, where enough was counted for chance to even out.
double ratio(double expected, double counted) { return counted < 500 ? 1 : expected / counted; }

constexpr double most = 1.25;

TEST_P(UniformTest, IsNearWhatIsCounted) {
  const Case& c = GetParam();

  const Compared both = compare_counts(random_request(c.statement, c.operands, extents, c.result), c.schedule);

  const auto near = testing::AllOf(testing::Ge(1 / most), testing::Le(most));
  EXPECT_THAT(ratio(both.expected_trips, both.counted_trips), near);
  EXPECT_THAT(ratio(both.expected.total.operations, static_cast<double>(both.counted.operations)), near);
  EXPECT_THAT(ratio(both.expected.total.bytes_read, static_cast<double>(both.counted.bytes_loaded)), near);
  EXPECT_THAT(ratio(both.expected.total.bytes_written, static_cast<double>(both.counted.bytes_stored)), near);
}

const RandomOperand csr{"csr", 1500}, more{"csr", 4000}, csf{"csf", 6000};

const std::vector<Case> uniform = {
    {"Rows", "y(i) = A(i,j) * x(j)", {{"A", csr}, {"x", dense}}},
    {"Columns", "y(i) = A(i,j) * x(j)", {{"A", {"csc", 1500}}, {"x", dense}}},
    {"SparseVector", "y(i) = A(i,j) * x(j)", {{"A", {"csc", 6000}}, {"x", {"sparse", 30}}}, "sparse"},
    {"Coordinates", "y(i) = A(i,j) * x(j)", {{"A", {"coo", 1500}}, {"x", dense}}},
    {"StoredRows", "y(i) = A(i,j) * x(j)", {{"A", {"dcsr", 100}}, {"x", dense}}},
    {"Bitmap", "y(i) = A(i,j) * x(j)", {{"A", {"bitmap", 1500}}, {"x", dense}}},
    {"Residual", "y(i) = b(i) - A(i,j) * x(j)", {{"A", csr}, {"x", dense}, {"b", dense}}},
    {"Scaled",
     "y(i) = alpha * A(i,j) * x(j) + beta * z(i)",
     {{"A", csr}, {"x", dense}, {"z", dense}, {"alpha", dense}, {"beta", dense}}},
    {"RowsTimesRows", "C(i,k) = A(i,j) * B(j,k)", {{"A", csr}, {"B", csr}}, "csr"},
    {"IntoDense", "C(i,k) = A(i,j) * B(j,k)", {{"A", csr}, {"B", csr}}, "dense"},
    {"TimesDense", "C(i,k) = A(i,j) * B(j,k)", {{"A", csr}, {"B", dense}}},
    {"ProductAndSum", "C(i,j) = A(i,k) * B(k,j) + D(i,j)", {{"A", csr}, {"B", csr}, {"D", csr}}, "csr"},
    {"ProductOfAWorkspace",
     "A(i,l) = B(i,j) * C(j,k) * D(k,l)",
     {{"B", csr}, {"C", {"csr", 300}}, {"D", {"csr", 100}}},
     "dense",
     "loopfuse({C(j,k),D(k,l)},left,{},0)"},
    {"OuterOfRows", "A(i,j) = B(k,i) * B(k,j)", {{"B", csr}}, "csr"},
    {"Union", "A(i,j) = B(i,j) + C(i,j)", {{"B", csr}, {"C", more}}, "csr"},
    {"UnionOfThree", "A(i,j) = B(i,j) + C(i,j) + D(i,j)", {{"B", csr}, {"C", more}, {"D", csr}}, "csr"},
    {"UnionOfStoredRows", "A(i,j) = B(i,j) + C(i,j)", {{"B", {"dcsr", 150}}, {"C", {"dcsr", 100}}}, "dcsr"},
    {"Intersection", "A(i,j) = B(i,j) * C(i,j)", {{"B", more}, {"C", more}}, "csr"},
    {"IntersectionWithUnion", "A(i,j) = B(i,j) * (C(i,j) + D(i,j))", {{"B", more}, {"C", csr}, {"D", more}}, "csr"},
    {"InsertedProduct", "C(i,k) = A(i,j) * B(j,k)", {{"A", csr}, {"B", csr}}, "csr", "assemble(C,Insert)"},
    {"InsertedUnion", "A(i,j) = B(i,j) + C(i,j)", {{"B", csr}, {"C", more}}, "csr", "assemble(A,Insert)"},
    {"Gallop", "s = a(n) * b(n)", {{"a", {"sparse", 2000}}, {"b", {"sparse", 40000}}}, "", "mergeby(n,Gallop)"},
    {"SampledProduct", "A(i,j) = B(i,j) * C(i,k) * D(j,k)", {{"B", csr}, {"C", dense}, {"D", dense}}, "csr"},
    {"Mttkrp", "A(i,l) = B(i,k,j) * C(k,l) * D(j,l)", {{"B", csf}, {"C", dense}, {"D", dense}}},
    {"MttkrpOfSparse",
     "A(i,l) = B(i,k,j) * C(k,l) * D(j,l)",
     {{"B", csf}, {"C", {"csr", 300}}, {"D", {"csr", 400}}},
     "csr"},
    {"TensorTimesVector", "A(i,k) = B(i,k,j) * c(j)", {{"B", csf}, {"c", dense}}, "csr"},
    {"FollowsADenseOperand", "A(i,j) = B(i,j) + x(j)", {{"B", csr}, {"x", dense}}},
    {"Pieces", "y(i) = A(i,j) * x(j)", {{"A", csr}, {"x", dense}}, "dense", "split(i,io,ii,8)"},
    {"PiecesOfColumns", "y(i) = A(i,j) * x(j)", {{"A", more}, {"x", dense}}, "dense", "split(j,jo,ji,25)"},
    {"PiecesOfPositions",
     "y(i) = A(i,j) * x(j)",
     {{"A", csr}, {"x", dense}},
     "dense",
     "fuse(i,j,f), pos(f,fp,A), split(fp,fo,fi,64)"},
};

INSTANTIATE_TEST_SUITE_P(Cost, UniformTest, testing::ValuesIn(uniform),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Estimate, WhatThreadsAppendIsCopiedOnceMore) {
  const Request request = random_request("A(i,j) = B(i,j) + C(i,j)", {{"B", csr}, {"C", more}}, extents, "csr");

  const Compared c = compare_counts(request, "parallelize(i,CPUThread)");

  const double counted = static_cast<double>(c.counted.bytes_stored);
  EXPECT_NEAR(c.expected.total.bytes_written / counted, 1, 0.1);
  EXPECT_GT(c.expected.total.bytes_written, 1.5 * compare_counts(request).expected.total.bytes_written);
}

TEST(Estimate, CompulsoryBytesAreTheOperandsAndTheResultOnce) {
  const Request request = random_request("y(i) = A(i,j) * x(j)", {{"A", csr}, {"x", dense}}, extents);

  const Compared c = compare_counts(request);

  // As the benchmarks count them: A, x and y once.
  const double once =
      static_cast<double>(request.operands.at("A").bytes() + request.operands.at("x").bytes()) + 120 * 8;
  EXPECT_DOUBLE_EQ(c.expected.compulsory_bytes(), once);
}

TEST(Estimate, OnlyTheColumnsThatASparseVectorSelectsAreCompulsory) {
  const Request request =
      random_request("y(i) = A(i,j) * x(j)", {{"A", {"csc", 6000}}, {"x", {"sparse", 10}}}, extents, "sparse");

  const Compared c = compare_counts(request);

  EXPECT_LT(c.expected.compulsory_bytes(), 0.25 * static_cast<double>(request.operands.at("A").bytes()));
}

TEST(Estimate, BothOperandsOfAnIntersectionAreCompulsory) {
  const Request request = random_request("s = A(i,j) * B(i,j)", {{"A", csr}, {"B", more}}, extents);

  const Compared c = compare_counts(request);

  const double once = static_cast<double>(request.operands.at("A").bytes() + request.operands.at("B").bytes()) + 8;
  EXPECT_DOUBLE_EQ(c.expected.compulsory_bytes(), once);
}

TEST(Estimate, TheEntriesOfAProductAreExpected) {
  const Request request = random_request("C(i,k) = A(i,j) * B(j,k)", {{"A", csr}, {"B", csr}}, extents, "csr");

  const Compared c = compare_counts(request);

  Storage result;
  ASSERT_EQ(run_and_compare(request, &result), "");
  EXPECT_NEAR(c.expected.result_entries / static_cast<double>(result.stored()), 1, 0.03);
}

TEST(Estimate, WithoutEntriesAHandfulARowAreAssumed) {
  Request request;
  request.statement = parse_statement("y(i) = A(i,j) * x(j)");
  request.operands = {{"A", empty_tensor(Type::Float64, {1000, 500}, csr_format())},
                      {"x", empty_tensor(Type::Float64, {500}, csf_format(1))}};
  const CheckedRequest checked = check_request(request, interpreted());
  const Scheduled plan = schedule_as_asked(checked.problem, {});

  const cost::Counts counts = cost::count_operands(plan, checked.problem);

  EXPECT_TRUE(counts.at("A").assumed);
  EXPECT_DOUBLE_EQ(counts.at("A").levels[1].entries, 8000);
  EXPECT_DOUBLE_EQ(counts.at("x").levels[0].entries, 62.5);
}

}  // namespace
}  // namespace lacuna::estimate_test
