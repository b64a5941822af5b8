#pragma once

#include <optional>
#include <vector>

#include "lacuna/dynamic/kernels/levels.h"

namespace lacuna {

/// The parameters of a kernel that updates or finds entries, and what it reads and writes by them.
class UpdateArguments {
 public:
  /// Takes names from `names`, those of the module.
  UpdateArguments(const UpdateRequest& request, const UpdateLevels& levels, loop::NameSupply& names);

  const UpdateCounts& counts() const { return counts_; }
  loop::Var count() const { return *count_; }         // of the updates, or of what is looked up
  loop::Expr may_grow() const { return *may_grow_; }  // 0 where it may not
  loop::Var values() const { return *values_; }       // of a dense last level
  /// How many positions there are under one of level `first` - 1, down to level `past` - 1.
  loop::Expr extents(int first, int past) const;

  /// The coordinate of an update at level k.
  loop::Expr coordinate(int k, const loop::Expr& update) const;
  /// Where an update is at a dense level k, under a position of the level above.
  loop::Expr dense_position(int k, const loop::Expr& parent, const loop::Expr& update) const;
  /// The value of an update; of Erase there is none.
  loop::Expr given(const loop::Expr& update) const { return loop::load(*given_, update); }
  /// Of Find: says that this is what the entry holds that was looked up as number `n`.
  loop::Stmt store_found(const loop::Expr& n, const loop::Expr& value) const;
  /// How often something was counted, and the statement that counts more of it, or sets it.
  loop::Expr counted(int which) const { return loop::load(*out_counts_, loop::Expr(which)); }
  loop::Stmt count_more(int which, int by = 1) const { return set_count(which, counted(which) + loop::Expr(by)); }
  loop::Stmt set_count(int which, const loop::Expr& value) const {
    return loop::store(*out_counts_, loop::Expr(which), value);
  }

  /// Hands out the parameters, and what each of them is.
  std::vector<loop::Parameter> take_parameters() { return std::move(parameters_); }
  std::vector<Slot> take_slots() { return std::move(slots_); }

 private:
  loop::Var add(const std::string& name, loop::IrType type, const std::string& place, Slot slot);
  loop::Var add(const loop::Var& var, const std::string& place, Slot slot, bool out);
  void add_tensor(const UpdateRequest& request, const UpdateLevels& levels);
  void add_batch(const UpdateRequest& request, const UpdateLevels& levels);

  UpdateCounts counts_;
  loop::NameSupply& names_;
  std::vector<loop::Parameter> parameters_;
  std::vector<Slot> slots_;
  std::vector<std::optional<loop::Var>> extents_;  // by level; of dense ones
  std::vector<loop::Var> coordinates_;             // by level
  std::optional<loop::Var> values_, count_, may_grow_, given_, out_counts_, found_, present_;
};

}  // namespace lacuna
