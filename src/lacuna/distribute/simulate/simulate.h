#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/distribute/run/execute.h"

namespace lacuna {

/// The speed of a machine, from which times are predicted.
struct Network {
  double latency = 2e-6;    // of a message, in seconds
  double bandwidth = 25e9;  // of a memory, each way, in bytes per second
  double rate = 1e9;        // iterations of a processor's innermost loops per second
  bool overlaps = true;     // messages travel while processors compute
};

/// Reads "alpha=2us,beta=25GB/s,rate=1e9/s,overlap=no"; settings that are missing have the defaults above. Throws Error
/// for unknown settings and for values that it cannot read.
Network parse_network(std::string_view text);
/// The text that parse_network reads back, to three digits.
std::string to_string(const Network& network);

/// What happens in one step of a plan.
struct SimulatedStep {
  launch::Values at;        // the loops over steps
  bool only_moves = false;  // as of LaunchStep
  Traffic traffic;
  double moving = 0;                      // seconds until the processor that moves most is done
  double computing = 0;                   // the same of the one that computes most
  double reducing = 0;                    // as moving, of contributions that it completes; not of the last step
  std::int64_t most_memory = 0;           // bytes of the memory that holds most: parts of operands and what was fetched
  double most_turns = 0, mean_turns = 0;  // of the loops of a processor
};

/// Something that goes from one processor to another, on the way to a step or, of the result, to its owner.
struct SimulatedMessage {
  std::optional<std::size_t> step;  // of Simulation::steps; none: of the result
  std::string tensor;
  std::int64_t from = 0, to = 0;
  std::int64_t bytes = 0;  // 0 where they are not known before the result is computed
};
using MessageHook = std::function<void(const SimulatedMessage&)>;

struct Simulation {
  Machine machine;
  std::vector<SimulatedStep> steps;
  Traffic fetches, reductions;
  bool knows_result =
      true;  // bytes of reductions: what is stored of a result that is not dense is known when it is made
  std::int64_t tasks = 0;
  std::int64_t most_memory = 0;  // bytes of the memory that holds most at a time: parts, what was fetched, results
  double mean_memory = 0;        // bytes, over all memories
  double most_turns = 0, mean_turns = 0;  // of the loops of a processor, over all steps
  double reducing = 0;                    // seconds, after the last step
  bool overlaps = true;
  /// Seconds in all; where messages travel meanwhile, what the next step needs, and what the step before completed,
  /// move while one is computed.
  double seconds() const;
};

/// Counts what a statement would do on a machine, without doing it: messages and bytes as the executors count them in
/// the first run of a plan. Predicts times from the network: a message takes its latency plus its bytes over the
/// bandwidth, and a memory sends and receives at the same time, one message after the other each way. Dense operands
/// need no entries; others have to have theirs. Calls `on_message` for each message, in order. Throws Error as
/// plan_distributed.
Simulation simulate(const DistributedRequest& request, const Network& network, const MessageHook& on_message = {});

}  // namespace lacuna
