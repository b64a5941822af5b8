// Plans that are run again ask for no memory. This program has its own operator new, which counts.

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "bench/distributed/allocations.h"
#include "distributed/on_machine.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/support/environment.h"

namespace lacuna::allocations_test {
namespace {

/// What the last of some runs allocates, with two values of what changes, which take turns.
std::int64_t allocated(const Request& request, const std::map<std::string, std::string>& placed,
                       const std::string& changing, const std::string& schedule = "") {
  const std::unique_ptr<Communicator> ranks = alone();
  test_ranks() = ranks.get();
  Engine engine(jit_options(read_environment()));
  const DistributedRequest first = by_parts(on_machine(request, "Grid(3)", placed, schedule));
  DistributedRequest second = first;
  const auto copy = std::make_shared<DistributedTensor>(first.held.at(changing)->layout(), *ranks);
  for (const auto& [number, part] : first.held.at(changing)->parts()) {
    LocalPart other = part;
    other.storage.values = Array::of(part.storage.values.view<double>());
    copy->set_part(number, std::move(other));
  }
  copy->count_stored(*ranks);
  second.held[changing] = copy;
  PreparedOnMachine prepared;
  std::optional<DistributedTensor> result;
  const Options options;
  for (int n = 0; n < 4; ++n) prepared.run_into(result, engine, n % 2 == 0 ? first : second, *ranks, options);
  const std::int64_t before = contest::allocations();
  prepared.run_into(result, engine, first, *ranks, options);
  const std::int64_t after = contest::allocations();
  DistributedReport report;
  prepared.run_into(result, engine, second, *ranks, options, &report);
  EXPECT_EQ(report.plans, 0);
  EXPECT_EQ(report.steps > 1, schedule.find("communicate") != std::string::npos);
  EXPECT_EQ(wrong(request, gathered(*result, *ranks, Recipients::All)).value_or(""), "");
  return after - before;
}

TEST(Allocations, AreCounted) {
  const std::int64_t before = contest::allocations();
  const std::vector<double> some(100, 1.0);
  EXPECT_EQ(contest::allocations() - before, some.empty() ? 0 : 1);
}

TEST(Allocations, ARunOfAKeptPlanNeedsNone) {
  const std::map<std::string, std::int64_t> extents = {{"i", 40}, {"j", 40}, {"k", 4}};
  const Request spmv = random_request("y(i) = A(i,j) * x(j)", {{"A", {"csr", 200}}, {"x", {"dense", -1}}}, extents);
  EXPECT_EQ(allocated(spmv, {{"y", "x -> x"}, {"A", "xy -> x"}, {"x", "x -> x"}}, "x"), 0);
  const Request spmm = random_request("Y(i,k) = A(i,j) * X(j,k)", {{"A", {"csr", 200}}, {"X", {"dense", -1}}}, extents);
  EXPECT_EQ(allocated(spmm, {{"Y", "xy -> x"}, {"A", "xy -> x"}, {"X", "xy -> x%4"}}, "X"), 0);
  // The pattern of a result that is an operand's.
  Request sddmm = random_request("A(i,j) = B(i,j) * C(i,k) * D(k,j)",
                                 {{"B", {"csr", 200}}, {"C", {"dense", -1}}, {"D", {"dense", -1}}}, extents);
  sddmm.result_format = csr_format();
  EXPECT_EQ(allocated(sddmm, {{"A", "xy -> x"}, {"B", "xy -> x"}, {"C", "xy -> x"}, {"D", "xy -> *"}}, "C"), 0);
  // One that the kernel finds.
  Request sum = random_request("A(i,j) = B(i,j) + C(i,j) + D(i,j)",
                               {{"B", {"csr", 200}}, {"C", {"csr", 150}}, {"D", {"csr", 100}}}, extents);
  sum.result_format = csr_format();
  EXPECT_EQ(allocated(sum, {{"A", "xy -> x"}, {"B", "xy -> x"}, {"C", "xy -> x"}, {"D", "xy -> x"}}, "C"), 0);
  EXPECT_EQ(allocated(sum, {{"A", "xy -> y"}, {"B", "xy -> x"}, {"C", "xy -> x"}, {"D", "xy -> x"}}, "C"), 0);
  Request product = random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"csr", 100}}, {"C", {"csr", 50}}}, extents);
  product.result_format = csr_format();
  EXPECT_EQ(allocated(product, {{"A", "xy -> x"}, {"B", "xy -> x"}, {"C", "xy -> *"}}, "B"), 0);
  // Results that move.
  EXPECT_EQ(allocated(spmv, {{"y", "x -> *"}, {"A", "xy -> x"}, {"x", "x -> x"}}, "x"), 0);
  EXPECT_EQ(allocated(spmv, {{"y", "x -> x"}, {"A", "xy -> y"}, {"x", "x -> x"}}, "x", "distribute({j},{jo},{ji},M)"),
            0);
  const Request scaled =
      random_request("y(i) = x(i) * z(i) + x(i)", {{"x", {"dense", -1}}, {"z", {"dense", -1}}}, extents);
  EXPECT_EQ(allocated(scaled, {{"y", "x -> x"}, {"x", "x -> x"}, {"z", "x -> *"}}, "x"), 0);
}

/// SpDISTAL's kernels, by rows and by non-zeros.
TEST(Allocations, ARunOfAKernelNeedsNone) {
  const std::map<std::string, std::int64_t> extents = {{"i", 40}, {"j", 30}, {"k", 20}, {"l", 4}};
  const RandomOperand csr{"csr", 200}, csf{"csf", 300}, full{"dense", -1};
  struct Case {
    std::string statement;
    std::map<std::string, RandomOperand> operands;
    std::string order;  // of the loops
  };
  const std::vector<Case> cases = {
      {"a(i) = B(i,j) * C(j)", {{"B", csr}, {"C", full}}, "i,j"},
      {"A(i,l) = B(i,j) * C(j,l)", {{"B", csr}, {"C", full}}, "i,j,l"},
      {"A(i,j) = B(i,j) * C(i,k) * D(k,j)", {{"B", csr}, {"C", full}, {"D", full}}, "i,j,k"},
      {"A(i,j) = B(i,j,k) * C(k)", {{"B", csf}, {"C", full}}, "i,j,k"},
      {"A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", {{"B", csf}, {"C", full}, {"D", full}}, "i,j,k,l"},
  };
  for (const Case& each : cases) {
    const Request request = random_request(each.statement, each.operands, extents);
    const std::string modes = each.operands.at("B").format == "csf" ? "xyz" : "xy";
    std::map<std::string, std::string> placed = {{"B", modes + " -> x"}};
    for (const auto& [name, operand] : request.operands)
      if (name != "B") placed[name] = (operand.order() == 1 ? "x" : "xy") + std::string(" -> *");
    EXPECT_EQ(allocated(request, placed, "C"), 0) << each.statement;
    placed["B"] = fmt::format("{} -> ~({})", modes, modes);
    EXPECT_EQ(allocated(request, placed, "C",
                        fmt::format("reorder({}), fuse(i,j,f), pos(f,fp,B), divide(fp,fpo,fpi,M.x), distribute(fpo)",
                                    each.order)),
              0)
        << each.statement << " by non-zeros";
  }
}

/// Operands that move from step to step, beside others that stay.
TEST(Allocations, ARunOfAPlanOfSeveralStepsNeedsNone) {
  const std::map<std::string, std::int64_t> extents = {{"i", 40}, {"j", 40}, {"k", 41}};
  const std::map<std::string, std::string> tiles = {{"A", "xy -> x"}, {"B", "xy -> x"}, {"C", "xy -> x"}};
  const Request gemm =
      random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"dense", -1}}}, extents);
  const std::string by_turns =
                        "distribute({i},{io},{ii},M), divide(k,ko,ki,M.x), reorder(ko,ii,ki), rotate(ko,{io},kos)",
                    in_chunks = "distribute({i},{io},{ii},M), split(k,ko,ki,4), reorder(ko,ii,ki)";
  for (const char* changing : {"B", "C"}) {
    EXPECT_EQ(allocated(gemm, tiles, changing, by_turns + ", communicate({B,C},kos)"), 0) << changing;
    EXPECT_EQ(allocated(gemm, tiles, changing, by_turns + ", communicate(B,io), communicate(C,kos)"), 0) << changing;
    EXPECT_EQ(allocated(gemm, tiles, changing, in_chunks + ", communicate({B,C},ko)"), 0) << changing;
  }
  const Request spmm = random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"csr", 200}}, {"C", {"dense", -1}}}, extents);
  for (const char* changing : {"B", "C"})
    EXPECT_EQ(allocated(spmm, tiles, changing, by_turns + ", communicate(B,io), communicate(C,kos)"), 0) << changing;
  // Blocks of the result that are brought as steps end.
  const std::map<std::string, std::string> along_k = {{"A", "xy -> x"}, {"B", "xy -> y"}, {"C", "xy -> x"}};
  for (const char* rows : {"5", "7"})
    EXPECT_EQ(allocated(gemm, along_k, "B",
                        fmt::format("distribute({{k}},{{ko}},{{ki}},M), split(i,io,ii,{}), reorder(ko,io,ii,j,ki), "
                                    "communicate({{A,B}},io)",
                                    rows)),
              0)
        << rows;
  // A sparse operand that goes round.
  Request of_sparse = random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"csr", 200}}}, extents);
  of_sparse.result_format = dense_format(2);
  for (const char* changing : {"B", "C"})
    EXPECT_EQ(allocated(of_sparse, tiles, changing, by_turns + ", communicate(B,io), communicate(C,kos)"), 0)
        << changing;
  // One that comes in pieces of its parts, that are cut once.
  of_sparse = random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"csr", 200}}},
                             {{"i", 40}, {"j", 40}, {"k", 42}});
  of_sparse.result_format = dense_format(2);
  for (const char* changing : {"B", "C"})
    EXPECT_EQ(allocated(of_sparse, tiles, changing,
                        "distribute({i},{io},{ii},M), split(k,ko,ki,7), reorder(ko,ii,ki), communicate({B,C},ko)"),
              0)
        << changing;
  // Sparse results, merged from step to step, or of the pattern of an operand.
  Request product = random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"csr", 150}}, {"C", {"csr", 150}}}, extents);
  product.result_format = csr_format();
  for (const char* changing : {"B", "C"})
    EXPECT_EQ(allocated(product, tiles, changing, by_turns + ", communicate(B,io), communicate(C,kos)"), 0) << changing;
  Request sampled = random_request("A(i,j) = B(i,j) * C(i,k) * D(k,j)",
                                   {{"B", {"csr", 200}}, {"C", {"dense", -1}}, {"D", {"dense", -1}}}, extents);
  sampled.result_format = csr_format();
  std::map<std::string, std::string> with_samples = tiles;
  with_samples["D"] = "xy -> x";
  for (const char* changing : {"B", "C", "D"})
    EXPECT_EQ(allocated(sampled, with_samples, changing, by_turns + ", communicate({B,C},io), communicate(D,kos)"), 0)
        << changing;
}

}  // namespace
}  // namespace lacuna::allocations_test
