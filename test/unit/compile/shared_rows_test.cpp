// Workspaces that threads share while a mark for each row says what is there.

#include <gtest/gtest.h>

#include "support/random_request.h"
#include "unit/compile/interpreted.h"

namespace lacuna::shared_rows_test {
namespace {

/// How the result differs from the definition. The interpreter also finds what two threads would store at once.
std::string wrong_under(Request request, const std::string& schedule) {
  request.schedule = parse_schedule(schedule);
  Options options = interpreted();
  options.target.threads = 2;
  const Storage got = Engine(JitOptions{"cc", default_c_flags(), "", ""}).run(request, options);
  return wrong(request, got, 0).value_or("");
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

}  // namespace
}  // namespace lacuna::shared_rows_test
