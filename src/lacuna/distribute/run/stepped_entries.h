#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "lacuna/distribute/comm/channel.h"
#include "lacuna/distribute/parts/array_sizes.h"
#include "lacuna/distribute/run/fetch.h"
#include "lacuna/distribute/run/part_pieces.h"

namespace lacuna {

/// Brings an operand that is not dense and moves from step to step, where tasks always need one of its parts, or a
/// piece of one. Its arrays are sent and received in place. Each task has two buffers, as of a DenseFetch.
class SteppedEntries : public Fetch {
 public:
  /// Whether the tasks of a plan need one part, or a piece of one, in each step. The same on all ranks.
  static bool can_bring(const PreparedLaunch& prepared, std::size_t operand);
  /// Collective: ranks tell each other how large the pieces are.
  SteppedEntries(const PreparedLaunch& prepared, std::size_t operand, Communicator& ranks);

  bool moves_in_each_run() const override { return true; }
  void begin(std::size_t step, bool changed, Communicator& ranks) override;
  /// The piece, if it is in the task's memory, or what was brought, which is always in the same memory.
  Fetched at(std::size_t step, std::size_t task) override;
  News news(std::size_t step, std::size_t task, bool changed) const override;
  bool lends(const Array& array, std::size_t task) const override;

 private:
  struct Place {
    std::size_t piece = 0;
    bool is_here = false;
    std::size_t buffer = 0;  // else
    Storage storage = {};    // in it
  };
  /// A piece, or what a task of this rank had in the step before.
  struct Source {
    std::optional<std::size_t> piece;
    std::size_t task = 0;
  };
  struct Outgoing {
    Source source;
    int to;
    std::vector<Channel> channels = {};  // by array
  };
  struct Incoming {
    std::size_t task;
    int from;
    std::vector<Channel> channels = {};
  };
  struct Local {
    Source source;
    std::size_t task;
  };
  /// All in the order of the plan.
  struct Step {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    std::vector<Local> local;
    Traffic traffic;
  };

  void tell_sizes(Communicator& ranks);
  /// `transfers`, `pieces`: of the next step, by task.
  void plan_places(const std::vector<const Transfer*>& transfers, const std::vector<std::size_t>& pieces,
                   const Communicator& ranks);
  void make_buffers();
  void plan_step(std::size_t step, const Communicator& ranks);
  const ArraySizes& sizes_of(std::size_t piece) const { return *sizes_[piece]; }
  const Storage& storage(std::size_t step, std::size_t task) const;
  const Storage& storage_before(const Source& source, std::size_t step) const;

  PartPieces pieces_;
  std::vector<std::optional<ArraySizes>> sizes_;         // by piece
  std::vector<std::map<std::size_t, Place>> places_;     // by step, and fetcher of this rank
  std::map<std::size_t, std::array<Array, 2>> buffers_;  // by task
  std::vector<Step> steps_;
  bool was_run_ = false;
};

}  // namespace lacuna
