#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "lacuna/distribute/communicate/channel.h"
#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/distribute/part/dense_copy.h"
#include "lacuna/distribute/part/dense_view.h"
#include "lacuna/distribute/plan/traffic.h"

namespace lacuna {

/// Brings what tasks need of a dense operand to where they need it, step by step, run after run: what goes where was
/// looked up once, and memory is written over. Each task has two buffers, so that what it needs in the next step
/// arrives while it still uses, and its neighbours still fetch, what it has in this one.
class DenseSteps {
 public:
  /// All ranks make one of the same operands.
  DenseSteps(const PreparedLaunch& prepared, std::size_t operand, const Communicator& ranks);

  /// Where a task has the operand in a step.
  struct Place {
    std::vector<IndexSet> region;
    DenseView view;                    // of
    std::optional<std::int64_t> part;  // one that its processor holds, or
    std::size_t buffer = 0;            // one of its buffers
  };
  const Place& place(std::size_t step, std::size_t task) const { return places_[step].at(task); }
  /// What lies there. It stays in this memory, unless it is a part.
  const Storage& storage(std::size_t step, std::size_t task, const PreparedLaunch& prepared);
  const void* values(std::size_t step, std::size_t task, const PreparedLaunch& prepared) const;

  /// Whether it comes in the first step only, so that what came in an earlier run is still there.
  bool comes_once() const { return comes_once_; }

  /// Sends what others need in a step, copies what is here, and begins to receive. What was sent before has left.
  /// Collective.
  void begin(std::size_t step, const PreparedLaunch& prepared, Communicator& ranks);
  /// After the ranks' finish_receives: puts what has arrived in its place.
  void finish(std::size_t step);
  /// What a step moves between processors, as far as it comes to this rank.
  const Traffic& traffic(std::size_t step) const { return steps_[step].traffic; }

 private:
  using Buffer = std::vector<std::byte>;
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
  /// All in the order of the plan.
  struct Step {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    std::vector<Local> local;
    std::vector<std::size_t> cleared;  // tasks that need more than they get: what nobody has is zero
    Traffic traffic;
  };
  struct Buffers {
    std::array<Array, 2> values;
    std::int64_t size = 0;  // elements that each has room for
  };

  void plan_places(const PreparedLaunch& prepared, std::size_t step, const Communicator& ranks);
  void plan_step(const PreparedLaunch& prepared, std::size_t step, const Communicator& ranks);
  std::vector<IndexSet> region_of(const PreparedLaunch& prepared, const Source& source, std::size_t step) const;
  const std::byte* memory_of(const Source& source, std::size_t step, const PreparedLaunch& prepared) const;
  std::byte* memory_of(std::size_t step, std::size_t task);
  const Array& array_of(const Place& place, std::size_t task, const PreparedLaunch& prepared) const;
  void make_buffers();

  std::size_t operand_;
  PartShape shape_;
  bool comes_once_;
  std::vector<std::map<std::size_t, Place>> places_;  // by step, and fetcher of this rank
  std::map<std::size_t, Buffers> buffers_;            // by task
  std::vector<Step> steps_;
  std::vector<Buffer> sent_, received_;  // what is not sent from where it lies, or not received where it belongs
};

}  // namespace lacuna
