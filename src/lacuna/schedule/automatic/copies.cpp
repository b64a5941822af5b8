#include "lacuna/schedule/automatic/copies.h"

#include <algorithm>
#include <optional>

#include "lacuna/notation/operators.h"
#include "lacuna/schedule/directives/loopfuse_site.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

/// A copy of an operand for an access whose neighbours lie apart in the innermost loop: the modes in the order in which
/// the loops come to their variables.
std::optional<directive::Transpose> copy_for(const concrete::Program& p, const loopfuse::Site& site, const Access& x) {
  const concrete::Tensor& t = p.at(x.tensor);
  if (t.role != concrete::Role::Operand || !t.format.is_dense() || t.format.order() < 2) return std::nullopt;
  const IndexVar& innermost = site.loops.back()->var;
  const std::vector<IndexVar> levels = tree::level_variables(p, x);
  if (!contains(levels, innermost) || levels.back() == innermost) return std::nullopt;
  directive::Transpose copy{x.tensor.name(), {}};
  for (const concrete::Forall* f : site.loops)
    for (std::size_t m = 0; m < x.indices.size(); ++m)
      if (x.indices[m] == f->var) copy.mode_order.push_back(static_cast<int>(m));
  if (copy.mode_order.size() != x.indices.size()) return std::nullopt;  // pieces, or one variable twice
  return copy;
}

}  // namespace

Schedule with_copies(ScheduleTrials& trials, const Schedule& schedule) {
  Schedule best = schedule;
  const auto s = trials.directed(schedule);
  if (!s) return best;
  for (const loopfuse::Site& site : loopfuse::sites_of(s->program.root)) {
    if (site.loops.empty()) continue;
    for (const Access& x : accesses(site.assign().rhs)) {
      const auto copy = copy_for(s->program, site, x);
      if (!copy) continue;
      Schedule next = best;
      next.directives.insert(next.directives.begin(), Directive{*copy, {}});
      if (trials.completed(next)) best = std::move(next);
    }
  }
  return best;
}

}  // namespace lacuna
