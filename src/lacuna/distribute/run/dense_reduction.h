#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "lacuna/distribute/comm/channel.h"
#include "lacuna/distribute/parts/dense_copy.h"
#include "lacuna/distribute/run/result_memory.h"
#include "lacuna/distribute/run/result_routes.h"
#include "lacuna/distribute/run/tree_sums.h"

namespace lacuna {

/// Brings contributions to a dense result to its owners, run after run: what goes where is looked up once, and memory
/// is written over. Those that a step completes are brought while the next one is computed. Those to one entry are
/// added up in their order, wherever they come from.
class DenseReduction {
 public:
  /// `prepared` outlives it. All ranks make one of the same launch.
  DenseReduction(const PreparedLaunch& prepared, Communicator& ranks);

  /// Adds what the call before began to bring, and begins to bring what this step completed. All that was on its way
  /// has come. Collective.
  void reduce(std::size_t step, const Contributions& mine, const OldPart& old, Communicator& ranks);
  /// After the last step: the same of what is left. Then the parts of this rank are set. Collective.
  void finish(const Contributions& mine, const OldPart& old, Communicator& ranks, DistributedTensor& result);
  /// What a run moves, as far as it comes to this rank.
  const Traffic& traffic() const { return traffic_; }

 private:
  struct Outgoing {
    std::size_t contribution;
    int to;
    DenseCopy packing;
    Bytes buffer = {};  // unless it lies there as it is sent
    Channel channel = {};
  };
  struct Addend {
    ResultRoute route;
    DenseCopy copy;
    bool adds;                               // to what is there
    std::optional<std::size_t> buffer = {};  // of what comes from another rank, unless that goes where it belongs
    Channel channel = {};
  };
  /// A part of the result on this rank.
  struct Target {
    std::size_t part;
    ResultMemory memory = {};
    bool begins_with_zeros = true;
  };
  /// What a step completes of a target.
  struct Share {
    std::size_t target;
    std::vector<Addend> addends = {};  // in their order
    bool waits = false;                // for another rank
  };
  /// What is brought after a step.
  struct Phase {
    std::vector<Outgoing> outgoing = {};  // in the order of the routes, as those that come
    std::vector<Share> shares = {};
    std::vector<std::size_t> first_of = {};  // targets
  };

  std::size_t phase_of(const ResultRoute& route) const;
  Addend addend_of(std::size_t part, ResultRoute route);
  void add_target(std::size_t part, std::vector<ResultRoute> reaching);
  void count_incoming(const ResultRoute& route);
  void find_out_what_covers(Target& target, std::vector<Addend>& addends) const;
  void give_buffers(Phase& phase);
  void begin(Phase& phase, const Contributions& mine, const OldPart& old, Communicator& ranks);
  void begin(Target& target, const OldPart& old) const;
  void receive(Share& share, Communicator& ranks);
  static void send(Outgoing& out, const LocalPart& contribution, Communicator& ranks);
  void add(const Share& share, const Contributions& mine);
  void finish_begun(const Contributions& mine);
  const std::vector<IndexSet>& region_of_part(std::size_t part) const {
    return prepared_.reduction.owners.parts[part].what.coordinates;
  }
  const std::vector<IndexSet>& region_of(std::size_t contribution) const {
    return prepared_.reduction.contributions[contribution].region;
  }

  const PreparedLaunch& prepared_;
  PartShape shape_;
  std::size_t last_step_;
  std::map<std::size_t, Phase> phases_;  // by step
  TreeSums trees_;
  std::vector<Target> targets_;
  std::vector<ResultRoute> all_here_;  // parts that this rank computes as they are
  std::vector<Bytes> buffers_;         // of what comes; the next phase uses them again
  Phase* begun_ = nullptr;
  Traffic traffic_;
};

}  // namespace lacuna
