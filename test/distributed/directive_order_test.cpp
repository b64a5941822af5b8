// Directives about a loop that is dealt out later: the same plan as where they come after.

#include <gtest/gtest.h>

#include "distributed/on_machine.h"

namespace lacuna::directive_order_test {
namespace {

struct Case {
  std::string statement, result_format, machine, before, after;
};

DistributedRequest request_of(const Case& c, const std::string& schedule) {
  return on_machine(random_request(c.statement, {{"B", {"csr", 30}}, {"D", {"dense", -1}}, {"E", {"dense", -1}}},
                                   {{"i", 9}, {"j", 8}, {"l", 7}}, c.result_format),
                    c.machine, {}, schedule);
}

const std::vector<Case> cases = {
    // The csc result needs i inside: what was left of i was forgotten.
    {"A(i,l) = B(i,j) * D(j,l)", "csc", "Grid(2)", "reorder(i,j,l), distribute({i},{io},{ii},M)",
     "distribute({i},{io},{ii},M), reorder(ii,j,l)"},
    {"A(i,l) = B(i,j) * D(j,l)", "csr", "Grid(2)", "reorder(i,j,l), divide(i,io,ii,2), distribute(io)",
     "divide(i,io,ii,2), distribute(io), reorder(ii,j,l)"},
    {"A(i,l) = E(i,j) * D(j,l)", "dense", "Grid(2)", "reorder(l,j,i), distribute({j},{jo},{ji},M)",
     "distribute({j},{jo},{ji},M), reorder(l,ji,i)"},
    {"A(i,l) = E(i,j) * D(j,l)", "dense", "Grid(2,3)", "reorder(j,l,i), distribute({i,l},{io,lo},{ii,li},M)",
     "distribute({i,l},{io,lo},{ii,li},M), reorder(j,li,ii)"},
    {"A(i,l) = E(i,j) * D(j,l)", "dense", "Grid(2)",
     "reorder(l,i,j), split(i,i0,i1,3), reorder(l,i1,i0,j), distribute({l},{lo},{ll},M)",
     "distribute({l},{lo},{ll},M), reorder(ll,i,j), split(i,i0,i1,3), reorder(ll,i1,i0,j)"},
    {"A(i,l) = E(i,j) * D(j,l)", "dense", "Grid(2)", "parallelize(i,CPUThread), distribute({i},{io},{ii},M)",
     "distribute({i},{io},{ii},M), parallelize(ii,CPUThread)"},
    {"A(i,l) = E(i,j) * D(j,l)", "dense", "Grid(2)", "reorder(i,j,l), unroll(l,2), distribute({l},{lo},{li},M)",
     "distribute({l},{lo},{li},M), reorder(i,j,li), unroll(li,2)"},
    {"A(i,l) = E(i,j) * D(j,l)", "dense", "Grid(2)",
     "reorder(i,j,l), substitute({i,l,j},BLAS.gemm), distribute({i},{io},{ii},M)",
     "distribute({i},{io},{ii},M), reorder(ii,j,l), substitute({ii,l,j},BLAS.gemm)"},
};

TEST(DirectiveOrder, BeforeALoopIsDealtOutOrAfterIsTheSamePlan) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.before);
    const LaunchPlan before = plan_distributed(request_of(c, c.before));
    const LaunchPlan after = plan_distributed(request_of(c, c.after));
    EXPECT_EQ(to_string(before.launch.local_schedule), to_string(after.launch.local_schedule));
    EXPECT_EQ(before.to_string(), after.to_string());
  }
}

TEST(DirectiveOrder, BeforeALoopIsDealtOutOrAfterIsTheSameResult) {
  for (const Case& c : cases) {
    EXPECT_EQ(run_and_compare(request_of(c, c.before)), "") << c.before;
    EXPECT_EQ(run_and_compare(request_of(c, c.after)), "") << c.after;
  }
}

/// The loops over stored entries that are dealt out are made anew inside where they are used.
TEST(DirectiveOrder, OfFusedLoopsIsKeptWherePositionsAreUsedInside) {
  const Case c{"A(i,l) = B(i,j) * D(j,l)", "dense", "Grid(3)", "", ""};
  const std::string dealt = "reorder(i,j,l), fuse(i,j,f), pos(f,fp,B(i,j)), divide(fp,fpo,fpi,3), distribute(fpo)";
  for (const std::string more : {"", ", split(fpi,a,b,4)", ", reorder(fpi,l)"})
    EXPECT_EQ(run_and_compare(request_of(c, dealt + more)), "") << more;
}

}  // namespace
}  // namespace lacuna::directive_order_test
