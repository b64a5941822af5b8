// What the benchmarks of SparseLNR (section 6.2) cost in one nest and in branches: trips of the innermost loops as the
// checking interpreter counts them.

#include <gtest/gtest.h>

#include <set>

#include "lacuna/engine/engine.h"
#include "lacuna/tensor/convert.h"
#include "support/random_request.h"
#include "support/reference_check.h"
#include "unit/compile/interpreted.h"

namespace lacuna::loopfuse_counts_test {
namespace {

using Extents = std::map<std::string, std::int64_t>;
using Trips = std::map<std::string, std::int64_t>;

constexpr std::int64_t I = 9, J = 8, K = 7, L = 5, M = 6;
constexpr std::int64_t nnz = 30;  // of B

Request request_of(const std::string& text, const std::string& B, const std::string& result) {
  const Extents extents = {{"i", I}, {"j", J}, {"k", K}, {"l", L}, {"m", M}};
  std::map<std::string, RandomOperand> operands = {{"B", {B, nnz}}};
  for (const char* name : {"C", "D", "E", "F", "W"}) operands[name].format = "dense";
  return random_request(text, operands, extents, result);
}

/// Runs a schedule in the interpreter, compares the result with the definition, and hands back the trips.
Trips trips_of(Request request, const std::string& schedule) {
  request.schedule = parse_schedule(schedule);
  Report report;
  const Storage got = Engine(JitOptions{"cc", default_c_flags(), "", ""}).run(request, interpreted(), &report);
  EXPECT_EQ(wrong(request, got).value_or(""), "") << schedule;
  return report.counters.trips;
}

/// In how many different places B stores something, by its first modes.
std::int64_t stored_over(const Request& request, std::size_t modes) {
  const CoordinateList entries = coordinates_of(request.operands.at("B"));
  std::set<std::vector<std::int64_t>> places;
  for (std::int64_t k = 0; k < entries.size(); ++k) {
    std::vector<std::int64_t> place;
    for (std::size_t m = 0; m < modes; ++m) place.push_back(entries.coordinates[m].integer(k));
    places.insert(place);
  }
  return static_cast<std::int64_t>(places.size());
}

TEST(LoopFuseCosts, SampledProductThenSparseTimesDense) {
  const Request r = request_of("A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)", "csr", "dense");
  EXPECT_EQ(trips_of(r, "reorder(i,j,k,l)").at("l"), nnz * K * L);
  Trips branched = trips_of(r, "reorder(i,j,k,l), loopfuse(1)");
  EXPECT_EQ(branched["k"], nnz * K);
  EXPECT_EQ(branched["l"], nnz * L);
  EXPECT_EQ(branched["k"] + branched["l"], nnz * (K + L));
}

TEST(LoopFuseCosts, SampledProductOfATransposedOperand) {
  const Request r = request_of("A(i,l) = B(i,j) * C(i,k) * D(k,j) * E(j,l)", "csr", "dense");
  Trips scalar = trips_of(r, "reorder(i,j,k,l), loopfuse(1)");
  EXPECT_EQ(scalar["k"] + scalar["l"], nnz * (K + L));
  EXPECT_EQ(trips_of(r, "reorder(i,k,j,l), loopfuse(1)")["pB2"], nnz * K);  // the loop over jw
}

TEST(LoopFuseCosts, SparseTimesDenseThenDenseProduct) {
  const Request r = request_of("A(i,l) = B(i,j) * C(j,k) * D(k,l)", "csr", "dense");
  EXPECT_EQ(trips_of(r, "reorder(i,j,k,l)").at("l"), nnz * K * L);
  ASSERT_EQ(stored_over(r, 1), I);
  Trips branched = trips_of(r, "reorder(i,j,k,l), loopfuse(1)");
  EXPECT_EQ(branched["kw"], nnz * K);
  EXPECT_EQ(branched["l"], I * K * L);
}

TEST(LoopFuseCosts, SparseTimesHadamardThenDenseProduct) {
  const Request r = request_of("A(i,l) = B(i,k) * C(k,j) * D(k,j) * E(j,l)", "csr", "dense");
  EXPECT_EQ(trips_of(r, "reorder(i,k,j,l)").at("l"), nnz * J * L);
  ASSERT_EQ(stored_over(r, 1), I);
  Trips branched = trips_of(r, "reorder(i,k,j,l), loopfuse(1)");
  EXPECT_EQ(branched["jw"], nnz * J);
  EXPECT_EQ(branched["l"], I * J * L);
}

TEST(LoopFuseCosts, ThreeKernels) {
  const Request r = request_of("A(i,m) = B(i,j) * C(i,k) * D(j,k) * F(j,l) * W(l,m)", "csr", "dense");
  EXPECT_EQ(trips_of(r, "reorder(i,j,k,l,m)").at("m"), nnz * K * L * M);
  ASSERT_EQ(stored_over(r, 1), I);
  Trips branched = trips_of(r, "reorder(i,j,k,l,m), loopfuse(2)");
  EXPECT_EQ(branched["k"], nnz * K);
  EXPECT_EQ(branched["lw"], nnz * L);
  EXPECT_EQ(branched["m"], I * L * M);
}

TEST(LoopFuseCosts, TensorTimesKhatriRaoThenDenseProduct) {
  const Request r = request_of("A(i,m) = B(i,k,l) * C(l,j) * D(k,j) * E(j,m)", "dense,compressed,compressed", "dense");
  EXPECT_EQ(trips_of(r, "reorder(i,k,l,j,m)").at("m"), nnz * J * M);
  ASSERT_EQ(stored_over(r, 1), I);
  Trips branched = trips_of(r, "reorder(i,k,l,j,m), loopfuse(1)");
  EXPECT_EQ(branched["jw"], nnz * J);
  EXPECT_EQ(branched["m"], I * J * M);
}

TEST(LoopFuseCosts, TwoTensorTimesMatrix) {
  const Request r = request_of("A(i,j,m) = B(i,j,k) * C(k,l) * D(l,m)", "csf", "");
  EXPECT_EQ(trips_of(r, "reorder(i,j,k,l,m)").at("m"), nnz * L * M);
  Trips branched = trips_of(r, "reorder(i,j,k,l,m), loopfuse(1)");
  EXPECT_EQ(branched["lw"], nnz * L);
  EXPECT_EQ(branched["m"], stored_over(r, 2) * L * M);
  // The two dense operands first, as two kernels would.
  Trips dense_first = trips_of(r, "reorder(i,j,k,l,m), loopfuse({C,D},left)");
  EXPECT_EQ(dense_first["mw"], K * L * M);
  EXPECT_EQ(dense_first["m"], nnz * M);
}

}  // namespace
}  // namespace lacuna::loopfuse_counts_test
