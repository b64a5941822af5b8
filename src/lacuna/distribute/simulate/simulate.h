#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/distribute/execute/execute.h"

namespace lacuna {

/// What a machine is made of, for predictions.
struct Network {
  double latency = 2e-6;    // of a message, in seconds
  double bandwidth = 25e9;  // of a processor, each way, in bytes per second
  double rate = 1e9;        // turns of a processor's loops, in turns per second
  double copying = 0;       // of messages that are put together or taken apart, in bytes per second; 0: takes no time
  std::int64_t ranks = 0;   // that play the processors, a block each; 0: one each
  bool overlaps = true;     // messages travel while processors compute
  std::int64_t in_place =
      0;               // bytes from which on ranks read a part of another one where it lies (Communicator); 0: never
  bool again = false;  // a plan that was run before, with new values: entries of plans of one step move without
                       // coordinates

  /// Seconds.
  double copy_time(double bytes) const { return copying > 0 ? bytes / copying : 0; }
};

/// Reads "alpha=2us,beta=25GB/s,rate=1e9/s,copy=5GB/s,ranks=2,overlap=no,in_place=1MB,again=yes"; what is not said is
/// as above. Throws Error for what it is not.
Network parse_network(std::string_view text);
/// The text that parse_network reads back, to three digits.
std::string to_string(const Network& network);

/// What happens in one step of a plan.
struct SimulatedStep {
  launch::Values at;  // the loops over steps
  Traffic traffic;
  double moving = 0;                      // seconds until the processor that moves most is done
  double computing = 0;                   // the same of the one that computes most
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

/// How something is copied from one part to another.
struct Copying {
  int times = 0;
  std::int64_t stretches = 0;             // of neighbours; 0: each element by itself
  double spread_from = 1, spread_to = 1;  // elements from the first to the last, over those that are copied
  double runs = 0;  // where each element is copied by itself: so many runs of neighbours at most; 0: nobody knows
};

/// How a message is copied before it is sent, and after it has come.
struct Copies {
  Copying before = {}, after = {};
};

/// What ranks move on the way to a step or, after the last one, of the result: a message, or what stays in one rank.
struct RankMotion {
  std::size_t step = 0;
  int from = 0, to = 0;
  double bytes = 0;
  Copies copies;
};
using MotionHook = std::function<void(const RankMotion&)>;

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
  double reducing = 0;                    // seconds
  bool overlaps = true;
  /// Seconds in all; where messages travel meanwhile, what the next step needs moves while one is computed.
  double seconds() const;
};

/// Counts what a statement would do on a machine, without doing it: messages and bytes as the executors count them, and
/// times by the network. Dense operands need no entries; others have to have theirs. `on_message` is told of each
/// message, in order, and `on_motion` of what times come from. Throws Error as plan_distributed.
Simulation simulate(const DistributedRequest& request, const Network& network, const MessageHook& on_message = {},
                    const MotionHook& on_motion = {});

}  // namespace lacuna
