#include "lacuna/schedule/automatic/matrix_products.h"

#include <algorithm>
#include <optional>

#include "lacuna/notation/operators.h"
#include "lacuna/schedule/directives/loopfuse_site.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

using concrete::Forall;
using loopfuse::Site;

constexpr std::int64_t most_rows = 64;  // with 64 columns, a block is as large as the smallest caches

/// How many of so many rows are multiplied at a time: few enough that several threads have blocks of their own.
std::int64_t block_rows(std::int64_t rows, const ScheduleProblem& problem) {
  constexpr std::int64_t blocks = 8;
  std::int64_t block = most_rows;
  while (problem.parallel && block > 16 && rows < blocks * block) block /= 2;
  return block;
}

Schedule with(Schedule schedule, const std::vector<DirectiveKind>& more) {
  for (const DirectiveKind& d : more) schedule.directives.push_back({d, {}});
  return schedule;
}

/// The innermost loops of a site that do nothing but multiply dense matrices, as far as can be told before the schedule
/// is finished: three of them, directly inside one another.
std::vector<const Forall*> product_loops(const concrete::Program& p, const Site& site) {
  const auto* product = as<Binary>(site.assign().rhs);
  if (product == nullptr || product->op != BinaryOp::Mul || site.loops.size() < site.boundary + 3) return {};
  for (const Expr& factor : {product->left, product->right}) {
    const auto* x = as<Access>(factor);
    if (x == nullptr || x->indices.size() < 2 || !p.at(x->tensor).format.is_dense()) return {};
  }
  return {site.loops.end() - 3, site.loops.end()};
}

class Caller {
 public:
  Caller(ScheduleTrials& trials, Schedule schedule)
      : trials_(trials), problem_(trials.problem()), schedule_(std::move(schedule)) {}

  /// Whether something was multiplied.
  bool run() {
    const auto s = trials_.directed(schedule_);
    if (!s) return false;
    bool found = false;
    for (const Site& site : loopfuse::sites_of(s->program.root)) {
      const std::vector<const Forall*> loops = product_loops(s->program, site);
      if (loops.empty()) continue;
      const bool alone = site.loops.size() == 3;
      found = (alone ? call_in_blocks(s->program, site, loops) : call(names_of(loops))) || found;
    }
    return found;
  }
  Schedule take() { return std::move(schedule_); }

 private:
  static std::vector<std::string> names_of(const std::vector<const Forall*>& loops) {
    std::vector<std::string> names;
    for (const Forall* f : loops) names.push_back(f->var.name());
    return names;
  }

  bool take(const std::vector<DirectiveKind>& more) {
    Schedule next = with(schedule_, more);
    if (!trials_.completed(next)) return false;
    schedule_ = std::move(next);
    return true;
  }

  bool call(const std::vector<std::string>& loops) { return take({directive::Substitute{loops}}); }

  /// Blocks of the rows of what is made, where there are more than one.
  bool call_in_blocks(const concrete::Program& p, const Site& site, const std::vector<const Forall*>& loops) {
    const Access& target = site.assign().target;
    std::vector<std::string> names = names_of(loops);
    const auto row = std::find_if(loops.begin(), loops.end(), [&](const Forall* f) {
      return !target.indices.empty() && f->var == tree::level_variables(p, target).front();
    });
    if (row == loops.end() || p.provenance.is_derived((*row)->var)) return call(names);
    const std::int64_t rows = p.extents.at((*row)->var), block = block_rows(rows, problem_);
    if (rows <= block) return call(names);
    const std::string along = (*row)->var.name(), outer = tree::fresh_variable(p, along + "o"),
                      inner = tree::fresh_variable(p, along + "i");
    names[static_cast<std::size_t>(row - loops.begin())] = inner;
    std::vector<std::string> order = names;
    order.insert(order.begin(), outer);
    return take({directive::Split{along, outer, inner, block}, directive::Reorder{order},
                 directive::Substitute{names}}) ||
           call(names_of(loops));
  }

  ScheduleTrials& trials_;
  const ScheduleProblem& problem_;
  Schedule schedule_;
};

/// The innermost loop that the branches of a split share; none where they share none.
std::optional<IndexVar> last_shared(const Scheduled& before, const directive::LoopFuse& split) {
  const int shared = split.shared_loops.value_or(0);
  if (shared == 0) return std::nullopt;
  const loopfuse::Place place = loopfuse::follow(before.program.root, split.path);
  const Site& site = place.sites[0];
  const std::size_t at = site.boundary + static_cast<std::size_t>(shared) - 1;
  return at < site.loops.size() ? std::optional(site.loops[at]->var) : std::nullopt;
}

/// The directives from `k` on where one of the loops is called otherwise.
void append_renamed(Schedule& schedule, const std::vector<Directive>& directives, std::size_t k,
                    const std::string& name, const std::string& now) {
  for (; k < directives.size(); ++k) {
    Directive d = directives[k];
    if (auto* r = std::get_if<directive::Reorder>(&d.kind))
      std::replace(r->variables.begin(), r->variables.end(), name, now);
    schedule.directives.push_back(std::move(d));
  }
}

}  // namespace

Schedule with_matrix_products(ScheduleTrials& trials, const Schedule& schedule) {
  Caller caller(trials, schedule);
  caller.run();
  return caller.take();
}

std::vector<Schedule> in_row_blocks(ScheduleTrials& trials, const Schedule& schedule) {
  std::vector<Schedule> all;
  Schedule before;
  for (std::size_t k = 0; k < schedule.directives.size(); ++k) {
    const auto* fuse = std::get_if<directive::LoopFuse>(&schedule.directives[k].kind);
    const auto s = fuse == nullptr ? std::nullopt : trials.directed(before);
    const auto shared = s ? last_shared(*s, *fuse) : std::nullopt;
    const bool is_mode = shared && !s->program.provenance.is_derived(*shared);
    const std::int64_t rows = is_mode ? s->program.extents.at(*shared) : 0, block = block_rows(rows, trials.problem());
    if (rows > block) {
      const std::string v = shared->name(), outer = tree::fresh_variable(s->program, v + "o"),
                        inner = tree::fresh_variable(s->program, v + "i");
      Schedule blocks = with(before, {directive::Split{v, outer, inner, block}, *fuse});
      append_renamed(blocks, schedule.directives, k + 1, v, inner);
      Caller caller(trials, blocks);
      if (caller.run()) all.push_back(caller.take());
    }
    before.directives.push_back(schedule.directives[k]);
  }
  return all;
}

}  // namespace lacuna
