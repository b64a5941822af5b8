#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lacuna/lower/context/computed.h"
#include "lacuna/lower/context/context.h"

namespace lacuna {

struct LevelAt;

/// The arrays of a workspace while it is live: one implementation a format, each in its own file. The entries of a
/// workspace have keys, their coordinates as one number: row by row, in the order in which the loops that read it come
/// to the coordinates. Sparse formats list the keys touched, so that loops may run through them, and so that emptying
/// costs only those.
class Workspace {
 public:
  Workspace(Context& context, const concrete::Tensor& tensor);
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  virtual ~Workspace() = default;

  /// Before the producer runs: which piece of its modes the workspace is for this time.
  void begin_at(Scope& scope, Statements& out);
  /// A thread's own is for the same piece as that of all.
  void begin_like(const Workspace& other) { first_ = other.first_; }
  /// Allocates the arrays in `before`, empty, and releases them in `after`: once around the nest, or by each thread.
  virtual void declare(Statements& before, Statements& after) = 0;
  /// Before the producer runs. Nothing for those that are emptied after the consumer.
  virtual void clear(Statements& out) const;
  /// After the consumer has run.
  virtual void empty(Statements& out) const;
  /// Adds a value to the entry of a key, and the bits of `mark` to its mark.
  void add(const loop::Expr& key, const loop::Expr& value, const loop::Expr& mark, Statements& out) const;
  /// Makes a value that of the entry of a key that is there, or adds it.
  loop::Stmt stored(const loop::Expr& key, const loop::Expr& value, bool adds) const;
  /// Says that something is there, of all entries that share a mark with the target; null where it is not known yet
  /// which these are, or each has its own.
  virtual loop::Stmt announced(const Access& target, const Scope& scope) const;
  /// Whether that was said.
  virtual loop::Expr is_there(const Access& target, const Scope& scope) const;
  /// Whether something is there, as far as it is known once the coordinate of a level is.
  virtual loop::Expr present_at(const Path& path, int level, const Scope& scope, Statements& out) const;
  /// The position of a key's entry, and whether there is one.
  virtual std::pair<loop::Expr, loop::Expr> locate(const loop::Expr& key, Statements& out) const = 0;
  /// The position of a key's entry that is known to be there.
  virtual loop::Expr position_of(const loop::Expr& key, Statements& out) const { return locate(key, out).first; }
  /// Takes back the entry at a position, where each can be taken back on its own; else null.
  virtual loop::Stmt forget(const loop::Expr& position) const;

  // What threads collect in workspaces of their own is gathered in one that all share.
  /// A thread, before it collects in its own.
  virtual void begin_own(Statements& out) const;
  /// Before these loops.
  virtual void begin_gathering(Statements& out) const;
  /// A thread, when it is done, adds what it has to the shared workspace.
  virtual void hand_over(const Workspace& to, Statements& out) const = 0;
  /// All of this where it is no more than to add up arrays that are zero at first; then nothing else is needed for a
  /// thread's own workspace.
  virtual std::optional<loop::OwnSum> as_sum(const Workspace& to) const;
  /// After these loops.
  virtual void end_gathering(Statements& out) const;

  /// The value at a position.
  Computed read(const loop::Expr& position, const loop::Expr& present) const;
  /// What entries are marked with: that they are there, and whether they are structural.
  loop::Expr mark_of(const loop::Expr& structural) const;

  /// Says whether anything is there, where one flag does so for all entries.
  const std::optional<loop::Var>& flag() const { return flag_; }
  /// On which modes there are marks, each of which says for all coordinates of the others whether anything is there;
  /// none where each entry has its own.
  virtual std::optional<std::vector<int>> marked_modes() const;
  const loop::Var& values() const { return values_; }
  /// How far apart neighbours along a mode are.
  loop::Expr stride_of(int mode) const;
  int order() const { return static_cast<int>(modes_.size()); }
  /// How many keys are listed.
  loop::Expr count() const { return *count_; }
  /// Puts the keys in ascending order.
  virtual void sort(Statements& out) const;
  /// The coordinate that the n-th key listed has on a level.
  loop::Expr coordinate(int level, const loop::Expr& n) const;
  /// The first of the sorted keys [low, high) that is not before a coordinate of the level `at`, under the coordinates
  /// that the scope has for the levels above. `near`: it is likely to be close to low.
  loop::Expr lower_bound(const LevelAt& at, const loop::Expr& low, const loop::Expr& high, const loop::Expr& coordinate,
                         const Scope& scope, bool near = false) const;
  loop::Expr key_of(const Access& access, const Scope& scope) const;
  /// The key at the coordinates of the loops that read along a path.
  loop::Expr key_of(const Path& path, const Scope& scope) const;

  const concrete::Forall* consumer = nullptr;  // the loop that is all that is done with what was collected, if one is
  // What the consumer asks for while it is lowered.
  bool needs_order = false;  // some loop comes to the keys in order
  bool is_emptied = false;   // the loop that runs through the entries takes them back

 protected:
  /// What entries are marked with, in parts.
  static loop::Expr byte(int bits) { return loop::constant(Type::UInt8, bits); }

  using AtPosition = std::function<loop::Stmt(const loop::Expr& position)>;
  using AtNewEntry = std::function<loop::Stmt(const loop::Expr& position, const loop::Expr& key)>;
  /// Whether more may come to an entry than is added at one time.
  virtual bool adds() const { return true; }
  /// Runs `first` at the position of a key's new entry, `again` at that of one that is there.
  virtual void place(const loop::Expr& key, const AtNewEntry& first, const AtPosition& again,
                     Statements& out) const = 0;

  const std::string& name() const { return tensor_.var.name(); }
  /// The modes of the first levels.
  std::vector<int> first_modes(int levels) const { return {modes_.begin(), modes_.begin() + levels}; }
  /// Whether some entries are structural and some are not.
  bool is_mixed() const { return mixed_; }
  /// Makes all values zero.
  void zero(Statements& out) const;
  /// How many keys there may be.
  loop::Expr size() const;
  Type key_type() const;
  void declare_list(const loop::Expr& entries, Statements& before);
  void append(const loop::Expr& key, Statements& out) const;
  /// Adds the value at a position to that of a workspace whose entries have the same positions.
  loop::Stmt value_added_to(const Workspace& to, const loop::Expr& position) const;
  /// Adds the mark at a position to that of a workspace with the same marks.
  loop::Stmt mark_added_to(const Workspace& to, const loop::Expr& position) const;
  /// Adds the entry at a position to that of a workspace whose entries have the same positions.
  loop::Stmt added_to(const Workspace& to, const loop::Expr& position) const;

  /// The key under a name, if it is one that is computed.
  loop::Expr named(const loop::Expr& key, Statements& out) const;
  int mode_of(int level) const { return modes_[static_cast<std::size_t>(level)]; }
  /// The key of the coordinates that variables have on the first levels, among those of these levels.
  loop::Expr key(const std::vector<IndexVar>& levels, const Scope& scope) const;
  /// How many keys the levels from `first` up to `past` have.
  loop::Expr count_of(int first, int past) const;

  Context& context_;
  const concrete::Tensor& tensor_;
  loop::Var values_;
  std::optional<loop::Var> mark_;          // of each position; 0 where nothing is
  std::optional<loop::Var> list_, count_;  // the keys touched
  std::optional<loop::Var> flag_;          // whether anything is there

 private:
  loop::Expr offset(int level, const loop::Expr& coordinate) const;
  loop::Expr stride(int level) const { return count_of(level + 1, order()); }

  std::vector<int> modes_;                       // of each level
  std::vector<loop::Expr> first_, extent_;       // of each level
  std::vector<std::optional<IndexVar>> pieces_;  // of each level: the variable, where there is room for one piece of it
  bool mixed_;
};

/// The workspace of a tensor, allocated in `before` and released in `after`.
std::shared_ptr<Workspace> declare_workspace(Context& context, const concrete::Tensor& tensor, Statements& before,
                                             Statements& after);

// The formats.
std::shared_ptr<Workspace> whole_workspace(Context& context, const concrete::Tensor& tensor);
std::shared_ptr<Workspace> rows_workspace(Context& context, const concrete::Tensor& tensor, int row_levels);
std::shared_ptr<Workspace> dense_workspace(Context& context, const concrete::Tensor& tensor);
std::shared_ptr<Workspace> bitmap_workspace(Context& context, const concrete::Tensor& tensor);
std::shared_ptr<Workspace> hashed_workspace(Context& context, const concrete::Tensor& tensor);

}  // namespace lacuna
