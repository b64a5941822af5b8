#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "lacuna/compile/descriptor.h"
#include "lacuna/compile/plan.h"

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

  /// In the order of the kernel's arguments.
  const std::vector<Storage>& storages() const { return storages_; }
  /// The operand whose coordinates the result shares (SharedPattern), or null.
  const Storage* pattern() const { return pattern_; }
  /// The kernel's arguments, with the result as the first.
  using Arguments = FewOrMany<lacuna_tensor*, 8>;
  Arguments arguments(Descriptor& result) const;

 private:
  std::vector<Storage> storages_;
  mutable std::deque<Descriptor> descriptors_;  // their addresses stay
  const Storage* pattern_ = nullptr;
};

}  // namespace lacuna
