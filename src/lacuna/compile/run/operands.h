#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/runtime/descriptor.h"

namespace lacuna {

/// A plan's operands as its kernel gets them: copies made, arrays described. Kernels only read them, so several runs
/// may share one.
class GatheredOperands {
 public:
  /// Makes the copies that the plan reads, on several threads.
  GatheredOperands(const Plan& plan, const CheckedRequest& checked, const std::map<std::string, Storage>& operands,
                   int threads);
  GatheredOperands(const GatheredOperands&) = delete;
  GatheredOperands& operator=(const GatheredOperands&) = delete;

  /// Another operand in the place of one, of the same format, type, widths and sizes. Not where the plan makes copies.
  void replace(const std::string& name, const Storage& operand);

  /// In the order of the kernel's arguments.
  const std::vector<Storage>& storages() const { return storages_; }
  /// The operand whose coordinates a result shares (SharedPattern), or null.
  const Storage* pattern(std::size_t result) const { return patterns_[result]; }
  /// The kernel's arguments, with the results as the first.
  using Arguments = FewOrMany<lacuna_tensor*, 8>;
  Arguments arguments(std::span<Descriptor* const> results) const;

 private:
  std::vector<Storage> storages_;
  std::vector<std::string> names_;                             // in the request, of each
  std::vector<std::vector<concrete::LevelWidths>> widths_;     // that the kernel was made for, of each
  mutable std::deque<std::optional<Descriptor>> descriptors_;  // their addresses stay
  std::vector<const Storage*> patterns_;                       // by result
};

}  // namespace lacuna
