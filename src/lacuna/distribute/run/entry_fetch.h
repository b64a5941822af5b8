#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "lacuna/distribute/comm/channel.h"
#include "lacuna/distribute/parts/value_map.h"
#include "lacuna/distribute/run/fetch.h"

namespace lacuna {

/// Brings an operand that is not dense, all of it in the first step. The first time, entries move and are put together.
/// When other values come, where each of them goes is found out; from then on values move alone.
class EntryFetch : public Fetch {
 public:
  /// `wanted`: the tasks of this rank for which the operand is to be brought together.
  EntryFetch(const PreparedLaunch& prepared, std::size_t operand, const std::set<std::size_t>& wanted,
             const Communicator& ranks);

  /// Waits for what comes.
  void begin(std::size_t step, bool changed, Communicator& ranks) override;
  Fetched at(std::size_t, std::size_t task) override {
    const LocalPart& whole = brought_.at(task).whole;
    return {whole.sets, whole.storage};
  }
  /// From the third time on, only values come, to the memory that there is.
  News news(std::size_t, std::size_t, bool changed) const override {
    if (!changed) return News::None;
    return times_ > 2 && knows_values_ ? News::Values : News::Memory;
  }

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
  LocalPart numbers_of(const Transfer& transfer) const;
  const std::byte* values_of(const Transfer& transfer) const;
  static std::byte* values_in(Brought& brought);

  std::vector<Outgoing> outgoing_;                            // in the order of the plan, as
  std::vector<std::pair<std::size_t, std::size_t>> awaited_;  // task, and which of its parts
  std::map<std::size_t, Brought> brought_;                    // by task
  int times_ = 0;
  bool knows_values_ = false;  // all ranks do
  Communicator* ranks_ = nullptr;
};

}  // namespace lacuna
