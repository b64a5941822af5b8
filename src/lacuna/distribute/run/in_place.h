#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "lacuna/distribute/run/prepare.h"

namespace lacuna {

/// Which dense operands ranks of one computer would read where they lie, instead of getting messages: those of which a
/// task needs much. All ranks know it from the plan alone, of which there is one step.
class InPlace {
 public:
  /// Nobody reads anything so.
  InPlace() = default;
  /// As these ranks do.
  explicit InPlace(const Communicator& ranks);
  /// As so many ranks of one computer would, from so many bytes on.
  InPlace(int ranks, std::int64_t from) : ranks_(ranks), from_([from](int) { return from; }) {}

  /// Of an operand that comes to a task by these transfers.
  bool may_serve(const PreparedLaunch& prepared, const std::vector<const Transfer*>& fetched) const;

 private:
  int ranks_ = 1;
  std::function<std::optional<std::int64_t>(int other)> from_;  // as Communicator::in_place_from
};

/// The transfers of an operand in the first step, by the task that gets them.
std::map<std::size_t, std::vector<const Transfer*>> transfers_of(const LaunchPlan& plan, std::size_t operand);

}  // namespace lacuna
