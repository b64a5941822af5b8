#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lacuna/iteration/walks.h"
#include "lacuna/lower/levels/level.h"
#include "lacuna/lower/levels/windows.h"

namespace lacuna {

using Positions = std::pair<loop::Expr, loop::Expr>;  // [first, past)

/// A place in what one level holds under a parent, which a loop moves on through ascending coordinates.
class Cursor {
 public:
  /// `scope`: that of the loop, which outlives the cursor. `unique`: no coordinate is there twice.
  Cursor(Context& context, const Scope& scope, int path_number, const LevelAt& level, bool is_unique)
      : path(path_number),
        at(level),
        position(context.fresh_index(level.position_name())),
        unique(is_unique),
        context_(context),
        scope_(scope) {}
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  virtual ~Cursor() = default;

  /// Leaves out what is outside the window, and the positions that loops outside leave out.
  virtual void narrow(const std::optional<Window>& window, Statements& out) = 0;
  /// Goes to the first place.
  virtual void open(Statements& out) = 0;
  /// Whether it is at a place, rather than past the last one.
  virtual loop::Expr live() const = 0;
  virtual loop::Expr coordinate() const = 0;
  /// What the place leads to.
  virtual Handle handle(const loop::Expr& present, Statements& out) const = 0;
  /// The positions that are left; none where they cannot be counted.
  virtual std::optional<Positions> range() const { return std::nullopt; }
  /// Finds where the places with this coordinate end, if it may be there several times.
  virtual void find_run_end(const loop::Expr& /*coordinate*/, Statements& /*out*/) {}
  /// Moves on to the next coordinate.
  virtual loop::Stmt next() const = 0;
  /// The same where the cursor is at the coordinate of the loop, as `there` says.
  virtual loop::Stmt next_if(const loop::Expr& there) const = 0;
  /// Searches for the first place that is not before a coordinate.
  virtual void leap(const loop::Expr& coordinate, Statements& out) const = 0;
  /// Goes to that place where it is likely to be close.
  virtual loop::Stmt catch_up(const loop::Expr& coordinate) const = 0;

  /// What the level is under.
  const Handle& parent() const { return scope_.paths[static_cast<std::size_t>(path)].at; }

  const int path;  // its number
  const LevelAt at;
  const loop::Var position;  // where it is; of nodes, which have no positions, only the name is used
  const bool unique;

 protected:
  Context& context_;
  const Scope& scope_;
};

/// The cursor of a loop over `var` in a level; what its bounds need goes to `before`.
std::unique_ptr<Cursor> make_cursor(Context& context, const Scope& scope, const IndexVar& var,
                                    const iteration::LevelUse& use, Statements& before);

/// The root of the nodes that a dynamic level has under a parent.
loop::Expr root_under(Context& context, const LevelAt& at, const Handle& parent);
/// Puts into `handle` what an element with this value leads to: a child position, or the value of the entry.
void lead_on(Context& context, const LevelAt& at, const loop::Expr& value, Handle& handle, Statements& out);

/// A set of cursors of one loop, a bit each.
using CursorSet = std::uint64_t;
inline bool has(CursorSet set, int c) { return (set >> c & 1) != 0; }
inline CursorSet only(int c) { return CursorSet{1} << c; }
inline CursorSet first_of(CursorSet set) { return set & -set; }
/// The numbers of the cursors in a set.
std::vector<int> numbers(CursorSet set);

/// Whether cursors are at a coordinate, by number; those that are left out are not.
using Presences = std::map<int, loop::Expr>;

/// The cursors of the loop over `var`, in the order in which its lattice numbers them.
class Cursors {
 public:
  Cursors(Context& context, IndexVar var) : context_(context), var_(std::move(var)) {}
  void add(std::unique_ptr<Cursor> cursor) { all_.push_back(std::move(cursor)); }
  const std::vector<std::unique_ptr<Cursor>>& all() const { return all_; }
  Cursor& operator[](int c) const { return *all_[static_cast<std::size_t>(c)]; }

  void open(CursorSet which, Statements& out) const {
    for (const int c : numbers(which)) (*this)[c].open(out);
  }
  loop::Expr all_live(CursorSet which) const;
  /// Names the coordinates under cursors, their heads. `past`, if given, is the head of those that have ended.
  void declare_heads(CursorSet which, Statements& out, const loop::Expr& past = {});
  loop::Expr head(int c) const { return heads_.at(c); }
  loop::Expr smallest_head(CursorSet which) const;
  void find_run_ends(CursorSet which, const loop::Expr& coordinate, Statements& out) const {
    for (const int c : numbers(which)) (*this)[c].find_run_end(coordinate, out);
  }
  /// Goes to the first places that are not before a coordinate.
  void catch_up(CursorSet which, const loop::Expr& coordinate, Statements& out) const;
  /// Moves on those whose heads are the smallest, at `coordinate`.
  void advance(CursorSet which, const loop::Expr& coordinate, Statements& out) const;
  /// The cursors `there` are at a coordinate; those that caught up with it may be.
  Presences presences(CursorSet there, CursorSet caught_up, const loop::Expr& coordinate) const;

 private:
  Context& context_;
  IndexVar var_;
  std::vector<std::unique_ptr<Cursor>> all_;
  std::map<int, loop::Var> heads_;
};

}  // namespace lacuna
