#pragma once

#include <optional>
#include <vector>

#include "lacuna/distribute/comm/channel.h"
#include "lacuna/distribute/parts/value_map.h"
#include "lacuna/distribute/run/result_memory.h"
#include "lacuna/distribute/run/result_routes.h"

namespace lacuna {

/// Brings contributions to a result that is not dense to its owners, run after run. Entries move, and parts are put
/// together of them; where all ranks compute the patterns of the run before, where each value goes is found out, and
/// from then on values move alone. Those at one coordinate are added up in the order of the contributions.
class EntryReduction {
 public:
  /// `prepared` outlives it; `again`: it will be run more than once. All ranks make one of the same launch.
  EntryReduction(const PreparedLaunch& prepared, bool again, Communicator& ranks);

  /// Sets the parts of this rank. Collective.
  void run(const Contributions& mine, const OldPart& old, Communicator& ranks, DistributedTensor& result);
  /// What the last run moved, as far as it came to this rank.
  const Traffic& traffic() const { return traffic_; }

 private:
  struct Outgoing {
    ResultRoute route;
    std::optional<ValueMap> values = {};
    Bytes buffer = {};  // unless they lie there as they are sent
    Channel channel = {};
  };
  struct Addend {
    ResultRoute route;
    LocalPart part = {};                  // until it is known where its values go
    std::optional<ValueMap> values = {};  // of it, or of the contribution if that is here, into the whole
    std::int64_t size = 0;                // values that are sent
    Bytes buffer = {};                    // unless they go where they belong
    Channel channel = {};
  };
  struct Target {
    std::size_t part;
    std::vector<Addend> addends = {};
    LocalPart whole = {};   // without values, once it is known where they go; then
    std::int64_t size = 0;  // so many
    ResultMemory memory = {};
    bool begins_with_zeros = false;
  };

  /// After this run, as all ranks computed the patterns of the one before.
  bool will_tell_values_apart() const { return is_as_before_ && tells_values_apart_; }
  bool computes_as_before(const Contributions& mine, Communicator& ranks);
  void bring_entries(const Contributions& mine, const OldPart& old, Communicator& ranks, DistributedTensor& result);
  void find_out_where_values_go(const Contributions& mine, Communicator& ranks);
  void bring_values(const Contributions& mine, Communicator& ranks, DistributedTensor& result);
  void begin(Target& target, Communicator& ranks);
  void finish(Target& target, const Contributions& mine);
  const std::vector<IndexSet>& region_of(const Target& target) const {
    return prepared_.reduction.owners.parts[target.part].what.coordinates;
  }

  const PreparedLaunch& prepared_;
  PartShape shape_;
  std::vector<Outgoing> outgoing_;  // in the order of the routes, as those that come
  std::vector<Target> targets_;
  std::vector<ResultRoute> all_here_;        // parts that this rank computes as they are
  std::map<std::size_t, Storage> patterns_;  // by contribution of this rank that moves: of the run before, no values
  bool again_;
  bool is_as_before_ = false;       // of the last run, on all ranks
  bool tells_values_apart_ = true;  // as far as is known
  bool knows_values_ = false;       // all ranks do
  Traffic traffic_;
};

}  // namespace lacuna
