#pragma once

#include <memory>
#include <vector>

#include "lacuna/dynamic/kernels/update.h"
#include "lacuna/dynamic/lower/dynamic_level.h"

namespace lacuna {

/// The function that an update, or a lookup, calls at a dynamic level k.
const char* function_at(const UpdateRequest& request, int k);

/// The levels of a tensor that a kernel goes down, entry by entry.
class UpdateLevels {
 public:
  /// Throws Error where the request cannot be met: see lower_update and lower_lookup. The request must outlive this.
  UpdateLevels(const UpdateRequest& request, loop::NameSupply& names);

  const Format& format() const { return format_; }
  int last() const { return format_.order() - 1; }
  bool is_dynamic(int k) const { return format_.level(k).is_dynamic(); }
  /// One that is dynamic.
  const dynamic::DynamicLevel& operator[](int k) const { return *levels_[static_cast<std::size_t>(k)]; }
  /// The next level below that is dynamic; past the last where there is none.
  int below(int k) const;
  /// What an element of level k holds that leads to a position.
  loop::Expr reference(int k, const loop::Expr& position) const;

  /// The records and functions of all dynamic levels. `names`: those of the module by now.
  std::vector<std::shared_ptr<const loop::Record>> records() const;
  std::vector<loop::Function> functions(const loop::NameSupply& names) const;
  /// The states of levels whose functions keep one.
  std::vector<loop::Var> states() const;

 private:
  const Format& format_;
  std::vector<std::unique_ptr<dynamic::DynamicLevel>> levels_;  // null where dense
};

}  // namespace lacuna
