#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "lacuna/distribute/comm/channel.h"
#include "lacuna/distribute/parts/dense_copy.h"
#include "lacuna/distribute/parts/dense_view.h"
#include "lacuna/distribute/run/fetch.h"
#include "lacuna/distribute/run/parts_in_place.h"

namespace lacuna {

/// Brings a dense operand. What goes where is looked up when a step is run first, and memory is written over. Each task
/// has two buffers, so that what it needs in the next step arrives while it still uses, and its neighbours still fetch,
/// what it has in this one.
class DenseFetch : public Fetch {
 public:
  using Regions = std::map<std::size_t, std::vector<IndexSet>>;  // by task

  DenseFetch(const PreparedLaunch& prepared, std::size_t operand);
  /// Of a plan of one step, for the tasks of this rank that want a region of the operand brought together; nothing
  /// comes for the others, and what is read in place does not move.
  DenseFetch(const PreparedLaunch& prepared, std::size_t operand, Regions wanted, const PartsInPlace* in_place);

  bool moves_in_each_run() const override { return !comes_once_; }
  void begin(std::size_t step, bool changed, Communicator& ranks) override;
  void finish(std::size_t step, Communicator& ranks) override;
  void forget(std::size_t step) override;
  Fetched at(std::size_t step, std::size_t task) override;
  bool waits(std::size_t step, std::size_t task) const override;
  News news(std::size_t step, std::size_t task, bool changed) const override;

 private:
  using Buffer = std::vector<std::byte>;
  /// Where a task has the operand in a step.
  struct Place {
    std::vector<IndexSet> region;
    DenseView view;                    // of
    std::optional<std::int64_t> part;  // one that its processor holds, or
    std::size_t turn = 0;              // one of its buffers,
    Array memory = {};                 // this
  };
  /// A part, or what a task of this rank had in the step before.
  struct Source {
    std::optional<std::int64_t> part;
    std::size_t task = 0;
  };
  struct Outgoing {
    Source source;
    int to;
    DenseCopy packing;
    Channel channel = {};
  };
  struct Incoming {
    std::size_t task;
    int from;
    DenseCopy unpacking;
    std::int64_t bytes;
    Channel channel = {};

    std::optional<std::int64_t> stretch() const;
  };
  struct Local {
    Source source;
    std::size_t task;
    DenseCopy copy;
  };
  /// Lists in the order of the plan.
  struct Step {
    std::map<std::size_t, Place> places;  // by fetcher of this rank
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    std::vector<Local> local;
    std::vector<std::size_t> cleared;  // tasks that need more than they get: what nobody has is zero
    Traffic traffic;
  };

  void look_up(std::size_t step, const Communicator& ranks);
  void add_place(std::size_t step, std::size_t task, std::vector<IndexSet> region,
                 const std::vector<const Transfer*>& transfers);
  void add_buffer(std::size_t step, std::size_t task, std::vector<IndexSet> region, std::int64_t covered);
  void add_transfer(std::size_t step, const Transfer& transfer, const Communicator& ranks);
  const Place* before(std::size_t step, std::size_t task) const;
  const std::vector<IndexSet>& region_before(const Source& source, std::size_t step) const;
  const std::byte* values_before(const Source& source, std::size_t step) const;
  const Array& array_of(const Place& place) const;
  std::byte* memory_of(std::size_t step, std::size_t task);
  void make_room(const Step& step);

  bool comes_once_;
  std::optional<Regions> wanted_;
  const PartsInPlace* in_place_ = nullptr;
  std::vector<Step> steps_;                              // those that were looked up
  std::map<std::size_t, std::array<Array, 2>> buffers_;  // by task
  std::vector<Buffer> sent_, received_;                  // messages that are packed, or unpacked
};

}  // namespace lacuna
