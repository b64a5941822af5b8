#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "lacuna/distribute/communicate/channel.h"
#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/distribute/part/value_map.h"
#include "lacuna/distribute/plan/traffic.h"

namespace lacuna {

/// Brings what tasks need of an operand that is not dense to where they need it, run after run. The first time, entries
/// move and are put together. When other values come, where each of them goes is found out; from then on values move
/// alone. For operands that are fetched in the first step only.
class EntryExchange {
 public:
  /// `wanted`: the tasks that this rank plays for which the operand is to be brought together. All ranks make one of
  /// the same operands.
  EntryExchange(const PreparedLaunch& prepared, std::size_t operand, const std::set<std::size_t>& wanted,
                Communicator& ranks);

  /// Collective.
  void bring(const PreparedLaunch& prepared, Communicator& ranks);

  /// What was brought to a task. From the second time on, its memory stays the same.
  const LocalPart& of(std::size_t task) const { return brought_.at(task).whole; }
  /// Whether the last time brought other values to the same memory, and nothing else.
  bool keeps_memory() const { return times_ > 2 && knows_values_; }
  /// What the last time moved between processors, as far as it came to this rank.
  const Traffic& traffic() const { return traffic_; }

 private:
  struct Outgoing {
    const Transfer* transfer;
    int to;
    std::optional<ValueMap> values = {};
    Bytes buffer = {};  // unless they lie there as they are sent
    Channel channel = {};
  };
  struct Incoming {
    const Transfer* transfer;
    int from;                             // a rank: this one, where nothing is sent
    LocalPart part = {};                  // until it is put together
    std::optional<ValueMap> values = {};  // of it, or of where it is sent from if that is here, into the whole
    std::int64_t size = 0;                // values that are sent
    Bytes buffer = {};                    // unless they go where they belong
    Channel channel = {};

    std::optional<std::int64_t> stretch() const;
  };
  struct Brought {
    LocalPart whole;
    std::vector<Incoming> parts;  // those of this rank come first
  };

  void bring_entries();
  void find_out_where_values_go();
  void bring_values();
  PartShape shape() const { return tensor().shape(); }
  const DistributedTensor& tensor() const { return prepared_->tensor(operand_); }
  LocalPart numbers_of(const Transfer& transfer) const;
  const std::byte* values_of(const Transfer& transfer) const;
  static std::byte* values_in(Brought& brought);
  std::vector<IndexSet> region_of(std::size_t task) const;
  void count_incoming(const Incoming& in, std::int64_t bytes);

  std::size_t operand_;
  std::vector<Outgoing> outgoing_;                            // in the order of the plan, as
  std::vector<std::pair<std::size_t, std::size_t>> awaited_;  // task, and which of its parts
  std::map<std::size_t, Brought> brought_;                    // by task
  int times_ = 0;
  bool knows_values_ = false;  // all ranks do
  Traffic traffic_;
  const PreparedLaunch* prepared_ = nullptr;  // of this time
  Communicator* ranks_ = nullptr;
};

}  // namespace lacuna
