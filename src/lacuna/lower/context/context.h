#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "lacuna/concrete/program.h"
#include "lacuna/dynamic/lower/dynamic_level.h"
#include "lacuna/dynamic/lower/visit.h"
#include "lacuna/iteration/nest.h"
#include "lacuna/loop/build.h"
#include "lacuna/lower/context/lowered.h"

namespace lacuna {

using iteration::Path;

/// What two neighbouring levels pass between them: a child position, or a range of positions that share a coordinate
/// (children of a level that is not unique). `present` is a Bool expression, constant where it is known; `pos` means
/// something only where it holds.
struct Handle {
  loop::Expr pos;
  loop::Expr end;  // defined: the range [pos, end)
  loop::Expr present = loop::Expr(true);
  loop::Expr value = {};  // of an entry whose value is in a node: the value itself
  // Where an entry of nodes is, for a result that has a copy of them: as a visit says it, or as walks and searches do.
  std::optional<dynamic::Slot> slot = {};
  std::optional<loop::Var> place = {};
  bool is_range() const { return end.defined(); }
};

/// How far a path is resolved: `level` levels are bound and `at` is the handle of the last of them.
struct PathState {
  int level = 0;
  Handle at{loop::Expr(0), {}, loop::Expr(true)};
};

/// A scalar temporary while it is live. `has` and `structural` are tracked only where somebody asks.
struct ScalarState {
  loop::Var value;
  std::optional<loop::Var> has;
  std::optional<loop::Var> structural;
  bool always_structural = false;  // where `structural` is not tracked
};

class Workspace;  // workspace/workspace.h

/// The local array that sums of a piece of a row are collected in (tile.h).
struct TileState {
  TensorVar target;  // whose row it is
  loop::Var sums;
  IndexVar along;       // the variable that the row runs along
  std::string counter;  // what a loop over the sums calls its variable
  loop::Expr first;     // the first value of `along`
  loop::Expr count;
  loop::Expr at;                 // inside the loop over `along`: which sum
  std::optional<loop::Var> has;  // whether something was added, where the row has a mark to say so afterwards
};

/// How loops come to all that nodes hold, and what they keep the rest on.
struct VisitState {
  dynamic::Visit visit;
  std::optional<dynamic::VisitStack> stack;
};

/// What is known at one point of the nest; copied where control flow forks.
struct Scope {
  std::map<IndexVar, loop::Expr> coordinate;
  std::vector<PathState> paths;
  std::map<TensorVar, ScalarState> scalars;
  std::map<TensorVar, std::shared_ptr<Workspace>> workspaces;
  std::map<std::tuple<int, int, bool>, VisitState> visits;  // of nodes, by path, level, and whether they are in order
  std::map<std::pair<int, int>, dynamic::Walk> walks;       // for iterators of nodes, by path and level
  std::map<TensorVar, loop::Var> pattern_values;  // of temporaries, by position of the operand whose entries they have
  std::vector<TensorVar> flagged;                 // workspaces that are known to hold something
  bool covers = true;                             // so far every iteration of every enclosing loop comes here
  std::map<TensorVar, loop::Expr> result_parent;  // Append: position in the result level above the next one
  // Positions [low, high) that a loop over positions leaves of a path's level, by path and level.
  std::map<std::pair<int, int>, std::pair<loop::Expr, loop::Expr>> positions;
  std::map<IndexVar, loop::Expr> first;  // of variables that run through a piece: where it begins, under a name
  std::optional<TileState> tile;
  std::vector<IndexVar> whole;                // outer variables of splits, where a whole piece is run through
  std::set<TensorVar> atomic;                 // results to whose entries parallel iterations may add at once
  std::map<TensorVar, loop::Var> own_values;  // this thread's own copies of dense results, added up at the end
};

/// The coordinates of a loop in consecutive shares: share s has those from cuts[s] up to cuts[s+1].
struct Shares {
  loop::Var count;
  loop::Var cuts;
};

/// The kernel being built: its parameters, names and the tables that all of lowering shares.
class Context {
 public:
  /// `nest`: the loops of the program; it must outlive the context.
  Context(const concrete::Program& program, const iteration::Nest& nest, const LowerOptions& options = {});

  const concrete::Program& program() const { return program_; }
  const LowerOptions& options() const { return options_; }
  loop::NameSupply& names() { return names_; }
  const iteration::Nest& nest() const { return nest_; }
  const iteration::Paths& paths() const { return nest_.paths; }
  int path_of(const Access& access) const { return paths().of(access); }
  const PathState& state_of(const Access& access, const Scope& scope) const {
    return scope.paths[static_cast<std::size_t>(path_of(access))];
  }

  /// Parameters, made when first asked for.
  loop::Var array(const TensorVar& tensor, int level, DescriptorField field);
  loop::Var scalar(const TensorVar& tensor, int level, DescriptorField field);
  /// A dynamic level of an argument, whose memory variables are parameters of the kernel from then on.
  const dynamic::DynamicLevel& dynamic_level(const TensorVar& tensor, int level);
  /// The records and functions of the dynamic levels that were asked for.
  std::vector<std::shared_ptr<const loop::Record>> records() const;
  std::vector<loop::Function> functions() const;
  /// How many threads run the kernel's parallel loops: a parameter, too.
  loop::Var threads();
  /// Element `index` (global) of an operand's array, as Int64 for pos and crd.
  loop::Expr element(const TensorVar& tensor, int level, DescriptorField field, const loop::Expr& index);
  /// The one value of an operand of order 0, which is read before all loops.
  loop::Expr only_value(const TensorVar& tensor);
  /// The first of the (global) positions [low, high) of an operand's ascending array where it is at least `key`, else
  /// high. `near`: it is likely to be close to low.
  loop::Expr lower_bound(const TensorVar& tensor, int level, DescriptorField field, const loop::Expr& low,
                         const loop::Expr& high, const loop::Expr& key, bool near = false);
  /// The entries that all sparse operands store, to guess by how many a result will; 0 where there are none.
  loop::Expr stored_entries();
  /// Declares that the kernel writes the parameter's elements, or hands the parameter back.
  void mark_written(const loop::Var& parameter);
  void mark_out(const loop::Var& parameter);

  /// The first and one-past-last coordinate of a variable.
  loop::Expr low(const IndexVar& var);
  loop::Expr high(const IndexVar& var);
  loop::Expr extent(const TensorVar& tensor, int level) { return scalar(tensor, level, DescriptorField::Extent); }
  /// The product of the extents of levels `first` up to `past`.
  loop::Expr extents(const TensorVar& tensor, int first, int past);

  loop::Var fresh(const std::string& name, loop::IrType type) {
    return loop::Var(names_.unique(name), std::move(type));
  }
  loop::Var fresh_index(const std::string& name) { return fresh(name, loop::scalar_type(Type::Int64)); }
  /// An Int64 variable that is declared with this value.
  loop::Var named(const std::string& name, const loop::Expr& value, std::vector<loop::Stmt>& out) {
    const loop::Var var = fresh_index(name);
    out.push_back(loop::declare(var, value));
    return var;
  }

  /// Statements to put before and after the whole nest.
  std::vector<loop::Stmt> prologue, epilogue;
  /// Memory that was declared for loops that may need it, until one does.
  const std::set<loop::Var>& unneeded() const { return unneeded_; }
  void may_need(const std::vector<loop::Var>& memory) { unneeded_.insert(memory.begin(), memory.end()); }
  void need(const std::vector<loop::Var>& memory) {
    for (const loop::Var& each : memory) unneeded_.erase(each);
  }
  /// Where outermost parallel loops are cut, for each pass over them.
  std::map<const concrete::Forall*, Shares> shares;
  std::map<std::string, std::string> iterators;  // by level: how it is walked

  std::vector<loop::Parameter> take_parameters() { return std::move(parameters_); }
  std::vector<Slot> take_slots() { return std::move(slots_); }
  const std::vector<std::string>& argument_names() const { return argument_names_; }
  const std::string& argument_name(const TensorVar& tensor) const {
    return argument_names_[static_cast<std::size_t>(argument_of(tensor))];
  }

 private:
  /// A dynamic level of an argument.
  struct LevelOfArgument {
    int argument;
    int level;
    std::unique_ptr<dynamic::DynamicLevel> code;
    bool is_used = false;
  };
  void make_dynamic_levels(int argument);
  bool is_copied(const concrete::Tensor& t, int level) const;
  loop::Expr stored_entries_of(const concrete::Tensor& t);
  std::optional<loop::Expr> entries_in_common();
  using Key = std::tuple<int, int, DescriptorField>;  // argument, level (0 for values), field
  int argument_of(const TensorVar& tensor) const;
  loop::Var parameter(const TensorVar& tensor, int level, DescriptorField field);
  bool is_workspace(const Path& path) const;
  std::optional<std::pair<TensorVar, int>> bound_of(const IndexVar& var) const;

  const concrete::Program& program_;
  LowerOptions options_;
  loop::NameSupply names_;
  const iteration::Nest& nest_;
  std::vector<Access> result_accesses_;
  std::vector<TensorVar> arguments_;
  std::vector<std::string> argument_names_;
  std::vector<loop::Parameter> parameters_;
  std::vector<Slot> slots_;
  std::map<Key, std::size_t> index_;
  std::map<TensorVar, loop::Var> only_values_;
  std::vector<LevelOfArgument> dynamic_levels_;
  std::set<loop::Var> unneeded_;
};

using Statements = std::vector<loop::Stmt>;

}  // namespace lacuna
