#pragma once

#include <map>
#include <vector>

#include "lacuna/lower/assemble/assembler.h"
#include "lacuna/lower/assemble/shares.h"

namespace lacuna {

/// Lets a result be appended to where arrays do not grow, as on devices: the nest runs twice. First it only counts, and
/// then it stores where the counts say. Each iteration of a parallel loop counts by itself, and stores after what the
/// iterations before it store.
class CountedAppends {
 public:
  CountedAppends(Context& context, std::vector<AppendedGroup> groups) : context_(context), groups_(std::move(groups)) {}

  /// Between the passes: arrays as long as the counts say. Then counting starts again.
  void allocate(Statements& out);

  /// Around the outermost loop, and its iterations. `counting`: in the first pass.
  void before(const Assembler::Sharing& sharing, bool counting, Statements& out);
  void enter(const loop::Expr& iteration, bool counting, Statements& out);
  void leave(const loop::Expr& iteration, bool counting, Statements& out) const;
  void after(const Assembler::Sharing& sharing, bool counting, Statements& out);

  /// What stands for a count of the result inside an iteration.
  loop::Var own(const loop::Var& count) const { return own_.at(count); }
  /// What a count comes to in the second pass, in all or, of its own, inside an iteration.
  loop::Expr most(const loop::Var& count) const { return most_.at(count); }

 private:
  Context& context_;
  std::vector<AppendedGroup> groups_;
  /// Of each parallel loop, by group: the entries of all iterations before one.
  std::map<const concrete::Forall*, std::vector<loop::Var>> totals_of_;
  std::vector<loop::Var> totals_;  // of the loop at hand
  std::map<loop::Var, loop::Var> own_;
  std::map<loop::Var, loop::Expr> all_, most_;
};

}  // namespace lacuna
