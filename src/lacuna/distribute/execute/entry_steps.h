#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "lacuna/distribute/communicate/channel.h"
#include "lacuna/distribute/execute/part_pieces.h"
#include "lacuna/distribute/part/array_sizes.h"
#include "lacuna/distribute/plan/traffic.h"

namespace lacuna {

/// Brings what tasks need of an operand that is not dense to where they need it, step by step, run after run, where
/// that is always one of its parts, or a piece of one: its arrays are sent from where they lie, and received where
/// kernels read them. Each task has two buffers, as DenseSteps has.
class EntrySteps {
 public:
  /// Whether the tasks of a plan need one part, or a piece of one, in each step. The same on all ranks.
  static bool can_bring(const PreparedLaunch& prepared, std::size_t operand);
  /// All ranks make one of the same operands. Collective: they tell each other how large the pieces are.
  EntrySteps(const PreparedLaunch& prepared, std::size_t operand, Communicator& ranks);

  /// Takes the values that the parts of this rank have now.
  void renew(const PreparedLaunch& prepared) { pieces_.cut_again(prepared); }

  /// Where a task has the operand in a step: the piece, if it is in its memory, or what was brought, which is always in
  /// the same memory.
  const Storage& storage(std::size_t step, std::size_t task, const PreparedLaunch& prepared) const;
  bool is_here(std::size_t step, std::size_t task) const { return places_[step].at(task).is_here; }
  /// Whether an array lies in a buffer of a task, where another step's comes to lie.
  bool lends(const Array& array, std::size_t task) const;

  /// Sends what others need in a step, copies what is here, and begins to receive. What was sent before has left.
  /// Collective.
  void begin(std::size_t step, const PreparedLaunch& prepared, Communicator& ranks);
  /// What a step moves between processors, as far as it comes to this rank.
  const Traffic& traffic(std::size_t step) const { return steps_[step].traffic; }

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

  void tell_sizes(const PreparedLaunch& prepared, Communicator& ranks);
  /// `transfers`, `pieces`: of the next step, by task.
  void plan_places(const LaunchPlan& plan, const std::vector<const Transfer*>& transfers,
                   const std::vector<std::size_t>& pieces, const Communicator& ranks);
  void make_buffers(const PreparedLaunch& prepared);
  void plan_step(const PreparedLaunch& prepared, std::size_t step, const Communicator& ranks);
  const ArraySizes& sizes_of(std::size_t piece) const { return *sizes_[piece]; }
  const Storage& from(const Source& source, std::size_t step, const PreparedLaunch& prepared) const;

  std::size_t operand_;
  PartPieces pieces_;
  std::vector<std::optional<ArraySizes>> sizes_;         // by piece
  std::vector<std::map<std::size_t, Place>> places_;     // by step, and fetcher of this rank
  std::map<std::size_t, std::array<Array, 2>> buffers_;  // by task
  std::vector<Step> steps_;
};

}  // namespace lacuna
