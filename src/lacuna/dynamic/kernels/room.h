#pragma once

#include "lacuna/dynamic/lower/dynamic_level.h"

namespace lacuna {

/// Makes room in the memory of a dynamic level before its functions are called, as
/// docs/decisions/0008-level-functions.md promises. What it writes stands in a loop, and leaves that where there can be
/// no more room: because there are no more indices, or `may_grow` is 0.
class LevelRoom {
 public:
  /// The level and the names, those of the module, must outlive this. `may_grow`: 0 where it may not.
  LevelRoom(const dynamic::DynamicLevel& level, loop::NameSupply& names, loop::Expr may_grow);

  /// For one call of a function.
  std::vector<loop::Stmt> for_call(const std::string& function) const;
  /// For so many more roots.
  loop::Stmt for_roots(const loop::Expr& more) const;
  /// Makes the roots [first, first + number), the next ones, empty.
  loop::Stmt make_roots(const loop::Expr& first, const loop::Expr& number) const;
  /// The root of the position of the level above.
  loop::Expr root_at(const loop::Expr& position) const;

 private:
  const dynamic::Structure& structure() const { return level_.structure(); }
  loop::Stmt room(const dynamic::Need& need) const;

  const dynamic::DynamicLevel& level_;
  loop::NameSupply& names_;
  loop::Expr may_grow_;
};

}  // namespace lacuna
