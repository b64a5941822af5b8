// What `show --stage schedule` prints of an automatic schedule, given back by hand, makes the same loops.

#include <gtest/gtest.h>

#include "lacuna/compile/plan/plan.h"
#include "support/random_request.h"
#include "support/round_trip.h"

namespace lacuna::round_trip_test {
namespace {

constexpr int sampled = 90;  // combinations of formats a statement

std::vector<std::string> formats_of(int order) {
  if (order == 0) return {"dense"};
  if (order == 1) return {"dense", "compressed", "coo", "bitmap", "hashed"};
  if (order == 2) return {"dense", "csr", "csc", "dcsr", "coo", "bitmap", "hashed"};
  return {"dense", "csf", "coo", "bitmap", "hashed", "compressed,compressed,compressed:2,0,1"};
}

class RoundTrip : public testing::TestWithParam<const char*> {
 protected:
  /// The n-th choice of a format for each tensor, the result's last.
  static Request request(const std::string& text, int n) {
    const Statement statement = parse_statement(text);
    const std::map<std::string, std::int64_t> extents = {{"i", 7}, {"j", 6}, {"k", 5}, {"l", 4}};
    std::map<std::string, RandomOperand> operands;
    std::vector<Access> all = accesses(statement.rhs);
    if (statement.accumulate) all.push_back(statement.lhs);
    const auto next = [&](int order) {
      const std::vector<std::string> formats = formats_of(order);
      const std::string chosen = formats[static_cast<std::size_t>(n) % formats.size()];
      n /= static_cast<int>(formats.size());
      return chosen;
    };
    for (const Access& a : all) {
      if (operands.count(a.tensor.name()) > 0) continue;
      std::int64_t entries = 1;
      for (const IndexVar& v : a.indices) entries *= extents.at(v.name());
      const std::string format = next(a.tensor.order());
      operands[a.tensor.name()] = {format, format == "dense" ? -1 : (entries + 2) / 3};
    }
    const std::string result = statement.accumulate ? "" : next(statement.lhs.tensor.order());
    return random_request(text, operands, extents, result);
  }
};

TEST_P(RoundTrip, MakesTheSameLoops) {
  int several = 0;
  for (int n = 0; n < sampled; ++n)
    for (const int threads : {1, 2}) {
      Options options;
      options.target.threads = threads;
      const Request asked = request(GetParam(), n * 7919);
      const CheckedRequest checked = check_request(asked, options);
      const Scheduled automatic = schedule_as_asked(checked.problem, {});

      const auto difference = round_trip_difference(checked.problem, automatic);

      EXPECT_FALSE(difference) << GetParam() << ", " << threads << " threads, choice " << n << ": " << *difference;
      several += automatic.schedule.directives.size() > 1 ? 1 : 0;
    }
  EXPECT_GT(several, 0) << "nothing was said that could be lost";
}
INSTANTIATE_TEST_SUITE_P(
    Statements, RoundTrip,
    testing::Values("B(i,j) = A(i,j)", "B(i,j) = A(j,i)", "C(i,j) = A(i,j) + B(i,j)", "C(i,j) = A(i,j) * B(i,j)",
                    "y(i) = A(i,j) * x(j)", "y(i) = A(j,i) * x(j) + b(i)", "C(i,j) = A(i,k) * B(k,j)",
                    "C(i,j) += A(i,k) * B(k,j)", "S(i,j) = A(i,j) * C(i,k) * D(j,k)", "Y(i,j) = T(i,j,k) * x(k)",
                    "M(i,l) = T(i,j,k) * C(j,l) * D(k,l)", "E(i,l) = A(i,j) * B(j,k) * D(k,l)",
                    "E(i,j) = A(i,k) * B(k,j) + C(i,k) * D(k,j)", "s = A(i,j) * B(j,i)",
                    "C(i,j) = 2 * A(i,k) * B(k,j) - D(i,j)", "y(i) = sum(k, A(i,k) * x(k)) * sum(j, B(i,j))"));

}  // namespace
}  // namespace lacuna::round_trip_test
