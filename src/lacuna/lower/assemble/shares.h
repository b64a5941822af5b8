#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/lower/assemble/growth.h"

namespace lacuna {

/// Arrays that grow together by appending: those of one level.
struct AppendedGroup {
  struct Member {
    loop::Var array;
    loop::Expr per_entry = loop::Expr(1);
    int positions_of = -1;  // a group: the elements are positions of it, one more than entries, and begin with 0
  };
  loop::Var count;  // entries so far
  std::vector<Member> members;
};

/// How many elements a member has for so many entries.
loop::Expr elements(const AppendedGroup::Member& m, const loop::Expr& entries);

/// Lets the iterations of a parallel loop append at once, each to arrays of its own, and puts these together after the
/// loop, in the order of the iterations: counts are summed up, every iteration's arrays then move to their places.
class SharedAppends {
 public:
  SharedAppends(Context& context, std::string name, std::vector<AppendedGroup> groups);

  /// Before the loop: room for what its `iterations` leave behind. Each is expected to append so many `entries`.
  void before(const loop::Expr& iterations, const loop::Expr& entries, Statements& out);
  /// Where an iteration begins: its arrays, empty.
  void enter(Statements& out);
  /// Where it ends: hands them over.
  void leave(const loop::Expr& iteration, Statements& out);
  /// After the loop: the result's counts and arrays. `shift` emits, for one iteration, what else must be moved by the
  /// number of entries that the first group has before it.
  void after(const std::function<loop::Stmt(const loop::Expr& iteration, const loop::Expr& entries)>& shift,
             Statements& out);

  /// What stands for an array or a count of the result inside an iteration.
  loop::Var own(const loop::Var& whole) const { return own_.at(whole); }
  GrowingArrays& growth(int group) { return growths_[static_cast<std::size_t>(group)]; }

 private:
  loop::Expr entries_before(int group, const loop::Expr& iteration) const;
  loop::Stmt move_arrays(const AppendedGroup& group, int number, const loop::Expr& iteration);

  Context& context_;
  std::string name_;
  std::vector<AppendedGroup> groups_;
  std::vector<loop::Var> totals_;  // by group: entries of all iterations before one
  std::map<loop::Var, loop::Var> shelves_, own_;
  std::vector<GrowingArrays> growths_;
  loop::Expr iterations_, entries_;
};

}  // namespace lacuna
