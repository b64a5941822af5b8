#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna::tool {

/// Who sends how much of which tensor to whom, step by step.
class TrafficRecord {
 public:
  struct Load {
    std::int64_t messages = 0, bytes = 0;
  };
  /// By tensor and by sender and receiver.
  using Flows = std::map<std::pair<std::string, std::pair<std::int64_t, std::int64_t>>, Load>;

  void note(const SimulatedMessage& message);
  /// Steps beyond the first so many are kept together.
  static constexpr std::size_t most_steps = 10;
  const std::vector<Flows>& steps() const { return steps_; }
  const Flows& result() const { return result_; }

 private:
  std::vector<Flows> steps_;
  Flows result_;
};

/// What moves when a statement is computed, as SVG: a panel a step, in which arrows lead from processor to processor,
/// or, where there are too many of either, dots stand in a matrix of senders and receivers.
std::string traffic_picture(const std::string& title, const Machine& machine, const Simulation& simulation,
                            const TrafficRecord& traffic);

}  // namespace lacuna::tool
