// Products of several operands that the automatic schedule computes in branches.

#include "lacuna/schedule/automatic/branches.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/format/format.h"
#include "lacuna/schedule/automatic/automatic.h"
#include "lacuna/schedule/automatic/bare_loops.h"
#include "lacuna/schedule/complete/apply.h"
#include "support/random_request.h"
#include "unit/compile/interpreted.h"

namespace lacuna::branches_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr std::int64_t n = 60, k = 12, stored = 300;

Request over_matrix(const std::string& text) {
  std::map<std::string, RandomOperand> operands{{"B", {"csr", stored}}};
  for (const char* name : {"C", "D", "E", "F"}) operands[name] = {"dense"};
  return random_request(text, operands, {{"i", n}, {"j", n}, {"k", k}, {"l", k}, {"m", k}});
}

Request over_tensor(const std::string& text, const std::map<std::string, std::int64_t>& extents) {
  std::map<std::string, RandomOperand> operands{{"B", {"csf", stored}}};
  for (const char* name : {"C", "D", "E"}) operands[name] = {"dense"};
  return random_request(text, operands, extents);
}

/// The automatic schedule, on this machine with BLAS or without.
Scheduled scheduled(const Request& request, int threads = 1, bool blas = false) {
  Options options;
  options.target.threads = threads;
  options.target.blas = blas;
  return schedule_automatically(check_request(request, options).problem);
}

std::string loops(const Request& request, int threads = 1, bool blas = false) {
  return concrete::to_string(scheduled(request, threads, blas).program.root);
}

/// Operations of the kernel, counted by the interpreter, which also says whether its result is right.
double operations(const Request& request) {
  Report report;
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  const Storage result = engine.run(request, interpreted(), &report);
  EXPECT_EQ(wrong(request, result).value_or(""), "");
  return static_cast<double>(report.counters.operations);
}

TEST(Branches, SampledProductsTimesDenseOnesKeepAScalar) {
  const Request r = over_matrix("A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)");
  EXPECT_EQ(loops(r),
            "forall i\n  forall lo\n    forall j  (row in registers)\n      forall l  (unroll 12)\n        A(i,l) += "
            "B(i,j) * t * E(j,l)\n"
            "      where\n        forall ko\n          forall k  (vector)\n            t += C(i,k) * D(j,k)\n");
  EXPECT_LE(operations(r), stored * (2.0 * k + 3.0 * k));
}

TEST(Branches, ChainsOfProductsKeepARow) {
  // Twice as many rows of C as of A: B * C is the smaller matrix.
  const Request r =
      random_request("A(i,l) = B(i,j) * C(j,k) * D(k,l)", {{"B", {"csr", stored}}, {"C", {"dense"}}, {"D", {"dense"}}},
                     {{"i", n}, {"j", 2 * n}, {"k", k}, {"l", k}});
  EXPECT_EQ(loops(r),
            "forall i\n  forall lo\n    forall k  (row in registers)\n      forall l  (unroll 12)\n        A(i,l) += "
            "w(k) * D(k,l)\n  where\n"
            "    forall kwo\n      forall j  (row in registers)\n        forall kw  (unroll 12)\n          w(kw) += "
            "B(i,j) * C(j,kw)\n");
  EXPECT_LE(operations(r), 2.0 * stored * k + 2.0 * n * k * k);
}

TEST(Branches, BranchesBranchAgain) {
  const Request r = over_matrix("A(i,m) = B(i,j) * C(i,k) * D(j,k) * E(j,l) * F(l,m)");
  EXPECT_THAT(loops(r), HasSubstr("A(i,m) += w(l) * F(l,m)"));
  EXPECT_THAT(loops(r), HasSubstr("t += C(i,k) * D(j,k)"));
  EXPECT_LE(operations(r), stored * (2.0 * k + 3.0 * k) + 2.0 * n * k * k);
}

TEST(Branches, TensorsTimesSeveralMatricesAreContractedOneByOne) {
  const Request mttkrp =
      over_tensor("A(i,m) = B(i,j,k) * C(j,l) * D(k,l) * E(l,m)", {{"i", n}, {"j", n}, {"k", n}, {"l", k}, {"m", k}});
  EXPECT_THAT(loops(mttkrp), HasSubstr("w(lw) += B(i,j,k) * C(j,lw) * D(k,lw)"));
  EXPECT_LE(operations(mttkrp), 3.0 * stored * k + 2.0 * n * k * k);
  const Request ttmc = over_tensor("A(l,m,n) = B(i,j,k) * C(i,l) * D(j,m) * E(k,n)",
                                   {{"i", n}, {"j", n}, {"k", n}, {"l", k}, {"m", k}, {"n", k}});
  EXPECT_LE(operations(ttmc), 0.5 * 4.0 * stored * k * k * k);
}

TEST(Branches, DenseFactorsAreMultipliedFirstWhereThatIsLess) {
  Request r = over_tensor("A(i,j,m) = B(i,j,k) * C(k,l) * D(l,m)", {{"i", n}, {"j", n}, {"k", 2}, {"l", k}, {"m", k}});
  r.result_format = parse_format("sparse,sparse,dense", 3);
  EXPECT_THAT(loops(r), HasSubstr("A(i,j,m) += B(i,j,k) * w(k,m)"));
  EXPECT_EQ(scheduled(r).program.result().assembly, concrete::Assembly::SharedPattern);
  EXPECT_LE(operations(r), 2.0 * 2 * k * k + 2.0 * stored * k);
}

TEST(Branches, ListsTheWaysThatWereLookedAt) {
  const Request r = over_matrix("A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)");
  const Scheduled s = scheduled(r);
  ASSERT_GT(s.candidates.size(), 2U);
  EXPECT_TRUE(s.candidates[0].chosen);
  EXPECT_EQ(std::count_if(s.candidates.begin(), s.candidates.end(), [](const Candidate& c) { return c.chosen; }), 1);
  EXPECT_TRUE(std::is_sorted(s.candidates.begin(), s.candidates.end(),
                             [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; }));
  EXPECT_EQ(
      std::count_if(s.candidates.begin(), s.candidates.end(), [](const Candidate& c) { return c.way == "one nest"; }),
      1);
}

TEST(Branches, BothBranchesOfANestGoToTheSameThread) {
  const Request r = over_matrix("A(i,l) = B(i,j) * C(j,k) * D(k,l)");
  EXPECT_THAT(loops(r, 2), StartsWith("forall i  (threads)\n  forall lo\n"));
}

/// Blocks of rows, so that threads can share them and what is multiplied stays in the cache.
TEST(Branches, BlasMultipliesBlocksOfRowsWhereThereIsOne) {
  std::map<std::string, RandomOperand> operands{{"B", {"csr", 2000}}};
  for (const char* name : {"C", "D"}) operands[name] = {"dense"};
  Request r =
      random_request("A(i,l) = B(i,j) * C(j,k) * D(k,l)", operands, {{"i", 1000}, {"j", 1000}, {"k", 64}, {"l", 64}});
  EXPECT_THAT(loops(r, 1, true), HasSubstr("forall io\n  forall i  (BLAS.gemm)\n"));
  EXPECT_THAT(loops(r, 2, true), StartsWith("forall io  (threads)\n  forall i  (BLAS.gemm)\n"));
  EXPECT_THAT(loops(r, 2, false), Not(HasSubstr("BLAS")));
  r = random_request("A(i,l) = B(i,j) * C(j,l)", {{"B", {"dense"}}, {"C", {"dense"}}},
                     {{"i", 200}, {"j", 100}, {"l", 100}});
  EXPECT_THAT(loops(r, 2, true), StartsWith("forall io  (threads)\n  forall j  (BLAS.gemm)\n"));
  r = random_request("A(i,l) = B(i,j) * C(j,l)", {{"B", {"dense"}}, {"C", {"dense"}}}, {{"i", 4}, {"j", 3}, {"l", 5}});
  EXPECT_THAT(loops(r, 2, true), Not(HasSubstr("BLAS")));
}

TEST(Branches, ProductsThatGainNothingStayInOneNest) {
  EXPECT_THAT(loops(over_tensor("A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", {{"i", n}, {"j", n}, {"k", n}, {"l", k}})),
              Not(HasSubstr("where")));
  const Request two = over_matrix("A(i,k) = B(i,j) * C(j,k)");
  const CheckedRequest checked = check_request(two, {});
  ScheduleTrials trials(bare_loops(checked.problem), checked.problem);
  EXPECT_THAT(branchings(trials, {}), IsEmpty());
}

TEST(Branches, ChainsOfSparseMatricesMakeNoDenseOneAmongThem) {
  for (const std::int64_t rows : {1024, 2048})
    for (const std::int64_t a_row : {2, 8, 32}) {
      const RandomOperand matrix{"csr", rows * a_row};
      const Request r =
          random_request("A(i,l) = B(i,j) * C(j,k) * D(k,l)", {{"B", matrix}, {"C", matrix}, {"D", matrix}},
                         {{"i", rows}, {"j", rows}, {"k", rows}, {"l", rows}}, "csr");
      const std::string all = loops(r);
      EXPECT_THAT(all, testing::AnyOf(HasSubstr("w(kw) += B(i,j) * C(j,kw)"), Not(HasSubstr("w(j")))) << all;
    }
}

TEST(Branches, DirectivesSayTheSameAgain) {
  for (const char* text : {"A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)", "A(i,l) = B(i,j) * C(j,k) * D(k,l)",
                           "A(i,m) = B(i,j) * C(i,k) * D(j,k) * E(j,l) * F(l,m)"}) {
    for (const bool blas : {false, true}) {
      Request r = over_matrix(text);
      const Scheduled automatic = scheduled(r, 1, blas);
      EXPECT_THAT(to_string(automatic.schedule), HasSubstr("loopfuse"));
      r.schedule = parse_schedule(to_string(automatic.schedule));
      const CheckedRequest again = check_request(r, {});
      EXPECT_EQ(concrete::to_string(schedule_as_asked(again.problem, again.schedule).program),
                concrete::to_string(automatic.program));
    }
  }
}

}  // namespace
}  // namespace lacuna::branches_test
