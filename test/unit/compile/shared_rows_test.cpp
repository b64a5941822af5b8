// Workspaces that threads share while a mark for each row says what is there.

#include <gtest/gtest.h>

#include "support/random_request.h"
#include "unit/compile/interpreted.h"

namespace lacuna::shared_rows_test {
namespace {

/// How the result differs from the definition. The interpreter also finds what two threads would store at once.
std::string wrong_under(Request request, const std::string& schedule, double tolerance = 0) {
  request.schedule = parse_schedule(schedule);
  Options options = interpreted();
  options.target.threads = 2;
  const Storage got = Engine(JitOptions{"cc", default_c_flags(), "", ""}).run(request, options);
  return wrong(request, got, tolerance).value_or("");
}

/// y(k,i) is the same for every i.
Request sums_of_columns() {
  Request r = random_request("y(k,i) = A(j,k)", {{"A", {"hashed,dense", 12}}}, {{"j", 4}, {"k", 3}});
  r.sizes = {{"i", 5}};
  return r;
}

TEST(SharedRows, AreNotMarkedByThreadsThatEachAddToAPartOfThem) {
  const Request sums = sums_of_columns();
  EXPECT_EQ(wrong_under(sums, "parallelize(i,CPUThread,NoRaces), precompute(y(k,i),{k,i},{v,i},dense)"), "");
}

TEST(SharedRows, AreNotMarkedByThreadsThatEachStoreAPartOfThem) {
  const Request added =
      random_request("y(i,j) += 1", {{"y", {"compressed,dense", 6}}}, {{"i", 4}, {"j", 3}}, "compressed,dense");
  EXPECT_EQ(wrong_under(added, "precompute(y_old(i,j),{j,i},{v,w},dense), parallelize(v,CPUThread,NoRaces)"), "");
}

TEST(SharedRows, AreMarkedByTheThreadThatHasTheRow) {
  const Request sums = sums_of_columns();
  EXPECT_EQ(wrong_under(sums, "reorder(k,i), parallelize(k,CPUThread,NoRaces), precompute(y(k,i),{k,i},{k,i},dense)"),
            "");
}

/// The loop over l is all that is done with the sum over j, and not with what was collected before the threads began.
TEST(SharedRows, AreNotEmptiedByThreadsThatReadThem) {
  Request nested = random_request("y(k,l) = D(k,l) * C(l,i) * (B(j,k) * A(l,k))",
                                  {{"A", {"compressed,bitmap:1,0", 9}},
                                   {"B", {"dense:1,0", 12}},
                                   {"C", {"csr", 5}},
                                   {"D", {"compressed,dense", 9}}},
                                  {{"i", 2}, {"j", 3}, {"k", 4}, {"l", 3}}, "dcsr");
  EXPECT_EQ(wrong_under(nested,
                        "transpose(C,1,0), reorder(k,i,l,j), loopfuse({C(l,i)},left,{},0), reorder(k,l,j), "
                        "loopfuse({B(j,k)},left,{consumer},1), parallelize(k,CPUThread,NoRaces)",
                        1e-12),  // whose sums are in another order
            "");
}

}  // namespace
}  // namespace lacuna::shared_rows_test
