#include "golden/results.h"

#include "lacuna/compile/run/run_plan.h"
#include "support/reference_check.h"

namespace lacuna::golden {

std::string wrong_result(const Kernel& kernel, const Plan& plan) {
  Report report;
  const std::vector<Storage> results =
      run_plan(plan, check_request(kernel.request, {}), kernel.request.operands, {}, report);
  Request alone = kernel.request;
  alone.further.clear();
  for (std::size_t n = 0; n < results.size(); ++n) {
    if (n > 0) alone.statement = kernel.request.further[n - 1].statement;
    if (const auto found = wrong(alone, results[n])) return *found;
  }
  return "";
}

}  // namespace lacuna::golden
