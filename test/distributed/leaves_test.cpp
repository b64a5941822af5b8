// The higher-order kernels of DISTAL (section 7.2), with calls of BLAS as what each processor runs.

#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/jit/blas.h"

namespace lacuna::leaves_test {
namespace {

const std::map<std::string, std::int64_t> sizes = {{"i", 9}, {"j", 7}, {"k", 6}, {"l", 5}};

Request request(const std::string& text) {
  std::map<std::string, RandomOperand> operands;
  for (const Access& x : accesses(parse_statement(text).rhs)) operands[x.tensor.name()] = {"dense", -1};
  return random_request(text, operands, sizes);
}

/// In the interpreter and, where there is BLAS, compiled.
void expect_equal(const Request& asked, const std::string& machine, const std::map<std::string, std::string>& placed,
                  const std::string& schedule) {
  EXPECT_EQ(run_and_compare(on_machine(asked, machine, placed, schedule)), "") << schedule;
  EXPECT_EQ(run_by_parts_and_compare(on_machine(asked, machine, placed, schedule)), "") << schedule;
  if (blas() == nullptr) return;
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  const DistributedRequest compiled = on_machine(asked, machine, placed, schedule);
  const Storage got = run_on(*test_ranks(), engine, compiled, {}, nullptr);
  if (test_ranks()->rank() == 0) {
    EXPECT_EQ(wrong(compiled.request, got).value_or(""), "") << schedule;
  }
}

TEST(DistributedLeaves, MultiplyATensorByAMatrix) {
  const Request ttm = request("A(i,j,l) = B(i,j,k) * C(k,l)");
  const std::map<std::string, std::string> placed = {{"A", "xyz -> xy"}, {"B", "xyz -> xy"}, {"C", "xy -> *x"}};
  const std::string tiles = "distribute({i,j},{io,jo},{ii,ji},M), communicate({A,B,C},jo), ";
  for (const char* leaf :
       {"reorder(ii,ji,k,l), substitute({ii,ji,k,l},BLAS.gemm)", "reorder(ii,ji,k,l), substitute({ji,k,l},BLAS.gemm)",
        "reorder(ii,ji,k,l), substitute({ji,k,l},BLAS.gemm), parallelize(ii,CPUThread)",
        "reorder(ii,ji,k,l), substitute({k,l},BLAS.gemv)"})
    expect_equal(ttm, "Grid(2,2)", placed, tiles + leaf);
  // DISTAL's: by slices, with a product of matrices each.
  expect_equal(ttm, "Grid(4)", {{"A", "xyz -> x"}, {"B", "xyz -> x"}, {"C", "xy -> *"}},
               "distribute({i},{io},{ii},M), communicate({A,B,C},io), reorder(ii,j,k,l), "
               "substitute({j,k,l},BLAS.gemm)");
}

/// The tensor stays where it is; partial results are added up (Ballard et al.).
TEST(DistributedLeaves, MultiplyATensorByAKhatriRaoProduct) {
  const Request mttkrp = request("A(i,l) = B(i,j,k) * D(k,l) * C(j,l)");
  const std::map<std::string, std::string> placed = {
      {"A", "xy -> x0"}, {"B", "xyz -> xy"}, {"C", "xy -> *x"}, {"D", "xy -> **"}};
  for (const char* leaf :
       {"reorder(ii,ji,k,l), precompute(B(i,j,k)*D(k,l),{j,l},{jw,lw}), substitute({jw,k,lw},BLAS.gemm)",
        "reorder(ii,ji,k,l), loopfuse({B,D},left,{},1), substitute({jiw,k,lw},BLAS.gemm)"})
    expect_equal(mttkrp, "Grid(2,2)", placed,
                 "distribute({i,j},{io,jo},{ii,ji},M), communicate({A,B,C,D},jo), " + std::string(leaf));
}

TEST(DistributedLeaves, MultiplyATensorByAVectorAndByATensor) {
  expect_equal(request("A(i,j) = B(i,j,k) * c(k)"), "Grid(2,2)",
               {{"A", "xy -> xy"}, {"B", "xyz -> xy"}, {"c", "x -> **"}},
               "distribute({i,j},{io,jo},{ii,ji},M), communicate({A,B,c},jo), reorder(ii,ji,k), "
               "substitute({ii,ji,k},BLAS.gemv)");
  expect_equal(request("a = B(i,j,k) * C(i,j,k)"), "Grid(2,2)", {{"B", "xyz -> xy"}, {"C", "xyz -> xy"}},
               "distribute({i,j},{io,jo},{ii,ji},M), communicate({a,B,C},jo), reorder(ii,ji,k), "
               "substitute({ii,ji,k},BLAS.dot)");
}

/// Cannon's algorithm with DISTAL's leaf (its Figure 2).
TEST(DistributedLeaves, MultiplyTilesOfMatrices) {
  const std::map<std::string, std::string> tiles = {{"A", "xy -> xy"}, {"B", "xy -> xy"}, {"C", "xy -> xy"}};
  expect_equal(request("A(i,j) = B(i,k) * C(k,j)"), "Grid(2,2)", tiles,
               "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,2), reorder(ko,ii,ji,ki), rotate(ko,{io,jo},kos), "
               "communicate(A,jo), communicate({B,C},kos), substitute({ii,ji,ki},BLAS.gemm)");
}

TEST(DistributedLeaves, AreLoopsThatAProcessorRunsByItself) {
  const Request ttm = request("A(i,j,l) = B(i,j,k) * C(k,l)");
  EXPECT_THROW(run_and_compare(on_machine(ttm, "Grid(2,2)", {},
                                          "distribute({i,j},{io,jo},{ii,ji},M), communicate({A,B,C},jo), "
                                          "reorder(ii,ji,k,l), substitute({io,ji,k,l},BLAS.gemm)")),
               Error);
}

}  // namespace
}  // namespace lacuna::leaves_test
