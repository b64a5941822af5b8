#pragma once

#include <cstddef>
#include <vector>

#include "lacuna/distribute/comm/channel.h"
#include "lacuna/distribute/parts/dense_copy.h"
#include "lacuna/distribute/run/result_memory.h"
#include "lacuna/distribute/run/result_routes.h"

namespace lacuna {

/// Brings contributions to a dense result to its owners, run after run: what goes where is looked up once, and memory
/// is written over. Those to one entry are added up in their order, wherever they come from.
class DenseReduction {
 public:
  /// `prepared` outlives it. All ranks make one of the same launch.
  DenseReduction(const PreparedLaunch& prepared, Communicator& ranks);

  /// Sets the parts of this rank. Collective.
  void run(const Contributions& mine, const OldPart& old, Communicator& ranks, DistributedTensor& result);
  /// What the last run moved, as far as it came to this rank.
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
    bool adds;          // to what is there
    Bytes buffer = {};  // of what comes from another rank, unless that goes where it belongs
    Channel channel = {};
  };
  struct Target {
    std::size_t part;
    std::vector<Addend> addends = {};
    ResultMemory memory = {};
    bool begins_with_zeros = true, waits = false;
  };

  void add_addend(Target& target, ResultRoute route);
  void count_incoming(const ResultRoute& route);
  void find_out_what_covers(Target& target) const;
  void begin(Target& target, const OldPart& old, Communicator& ranks) const;
  static void send(Outgoing& out, const LocalPart& contribution, Communicator& ranks);
  void finish(Target& target, const Contributions& mine, DistributedTensor& result) const;
  const std::vector<IndexSet>& region_of_part(std::size_t part) const {
    return prepared_.reduction.owners.parts[part].what.coordinates;
  }
  const std::vector<IndexSet>& region_of(std::size_t contribution) const {
    return prepared_.reduction.contributions[contribution].region;
  }

  const PreparedLaunch& prepared_;
  PartShape shape_;
  std::vector<Outgoing> outgoing_;  // in the order of the routes, as those that come
  std::vector<Target> targets_;
  std::vector<ResultRoute> all_here_;  // parts that this rank computes as they are
  Traffic traffic_;
};

}  // namespace lacuna
