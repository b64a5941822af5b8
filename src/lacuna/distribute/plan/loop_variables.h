#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "lacuna/distribute/plan/own_partition.h"
#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/notation/expr.h"
#include "lacuna/schedule/language/schedule.h"

namespace lacuna::launch {

/// What loops stand at: the values of some variables, by name.
using Values = std::map<std::string, std::int64_t>;

/// The loops of a statement as directives make and move them, as far as it matters on which processor they run: which
/// variables there are, what became of each, and in which order they nest.
class LoopVariables {
 public:
  /// The statement's own loops, in the order of its variables.
  LoopVariables(const Statement& s, const std::map<IndexVar, std::int64_t>& extents);

  /// Takes note of a directive that makes or moves loops; others are ignored, and so are variables that directives made
  /// which are not looked at here (those of producers). Throws Error where a variable that is to be cut, rotated or
  /// distributed has no loop, and where a new name is taken.
  void note(const Directive& d);
  /// The same of a compound `distribute` onto a tensor.
  void cut(const directive::Distribute& d, const OwnPartition& partition);

  /// The variables that have loops, outermost first.
  const std::vector<std::string>& order() const { return order_; }
  bool has_loop(const std::string& name) const;
  /// Throws Error, naming the directive, where it has none.
  void require_loop(const std::string& name, std::string_view directive) const;
  /// All variables that there are or were, by name.
  std::vector<std::string> names() const;
  /// How many iterations the loop has. None of a loop over positions, or a piece of one, where their number says that.
  std::optional<std::int64_t> trips(const std::string& name) const;
  /// Says how many positions there are that a loop runs over, for all that was made of it.
  void set_extent(const std::string& name, std::int64_t extent);
  /// Whether it counts stored entries, all or a piece of them.
  bool runs_over_stored(const std::string& name) const;
  /// The statement's variables that this one was made of: one, or two and more of a fused one.
  std::vector<std::string> roots_of(const std::string& name) const;
  /// What a variable was made from, the last first: kos ← ko ← k. Not itself.
  std::vector<std::string> ancestors_of(const std::string& name) const;
  /// Of an inner piece of a variable, the outer one.
  std::optional<std::string> outer_beside(const std::string& name) const;

  /// Which values a variable takes while loops stand at `at`: all of them where none of these was made of it.
  IndexSet values_of(const std::string& name, const Values& at) const;

  /// A loop over the positions of an access, as fuse and pos make it.
  struct Positions {
    std::string name;
    std::vector<std::string> fused;  // the statement's variables, outermost first
    Expr access;
  };
  /// The position loops that were made, each before it was cut.
  const std::vector<Positions>& positions() const { return positions_; }
  /// Part `piece` of how many a position variable is cut into while loops stand at `at`; none where it is not.
  std::optional<Interval> part_of_positions(const std::string& name, const Values& at, std::int64_t positions) const;

 private:
  struct SplitInto {
    std::string outer, inner;
    std::int64_t size;
    bool in_pieces;
  };
  struct CutInto {
    std::string outer, inner;
    LoopCut cut;
  };
  struct RotatedInto {
    std::string name;
    std::vector<std::string> by;
  };
  struct FusedInto {
    std::string name;
  };
  struct Variable {
    std::optional<std::int64_t> extent;  // none: positions, whose number the data says
    std::vector<std::string> parents;
    std::variant<std::monostate, SplitInto, CutInto, RotatedInto, FusedInto> became;
  };

  Variable& loop(const std::string& name, std::string_view directive);
  const Variable& at(const std::string& name) const { return variables_.at(name); }
  void add(const std::string& name, std::optional<std::int64_t> extent, std::vector<std::string> parents,
           std::string_view directive);
  void replace(const std::string& name, const std::vector<std::string>& by);
  void split(const std::string& name, const SplitInto& into, std::string_view directive);
  void move_outside(const directive::Distribute& d);
  IndexSet values_of(const std::string& name, const Values& at, std::int64_t extent) const;
  IndexSet values_of(const CutInto& cut, const Values& at, std::int64_t extent) const;

  void note(const directive::Split& d);
  void note(const directive::Bound& d);
  void note(const directive::Reorder& d);
  void note(const directive::Fuse& d);
  void note(const directive::Pos& d);
  void note(const directive::Rotate& d);
  void note(const directive::Distribute& d);
  template <typename Other>
  void note(const Other&) {}

  std::map<std::string, Variable> variables_;
  std::vector<std::string> order_;
  std::set<std::string> inner_;  // made by directives that are for each processor by itself
  std::vector<Positions> positions_;
};

}  // namespace lacuna::launch
