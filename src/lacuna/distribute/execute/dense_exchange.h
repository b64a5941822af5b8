#pragma once

#include <map>
#include <vector>

#include "lacuna/distribute/communicate/channel.h"
#include "lacuna/distribute/execute/parts_in_place.h"
#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/distribute/part/dense_copy.h"
#include "lacuna/distribute/plan/traffic.h"

namespace lacuna {

/// Brings what tasks need of a dense operand to where they need it, run after run: what goes where was looked up once,
/// and memory is written over. For operands that are fetched in the first step only.
class DenseExchange {
 public:
  /// `wanted`: by task that a rank plays, the region of the operand that is to be brought together; nothing comes for
  /// the other tasks. A part of a region that nobody has is zero. What is read in place does not move. All
  /// ranks make one of the same operands.
  DenseExchange(const PreparedLaunch& prepared, std::size_t operand,
                const std::map<std::size_t, std::vector<IndexSet>>& wanted, const PartsInPlace& in_place,
                Communicator& ranks);

  /// Sends what others need, copies what is here, and begins to receive. Collective.
  void begin(const PreparedLaunch& prepared, Communicator& ranks);
  /// After the ranks' finish_receives: puts what has arrived in its place.
  void finish();

  /// What was brought to a task. Its memory stays the same from run to run.
  const LocalPart& of(std::size_t task) const { return brought_.at(task); }
  /// Whether some of that comes from another rank.
  bool waits(std::size_t task) const;
  /// What a run moves between processors, as far as it comes to this rank.
  const Traffic& traffic() const { return traffic_; }

 private:
  using Buffer = std::vector<std::byte>;
  struct Outgoing {
    std::int64_t part;
    int to;
    DenseCopy packing;
    Buffer buffer = {};  // unless it lies there as it is sent
    Channel channel = {};
  };
  struct Incoming {
    std::size_t task;
    int from;
    DenseCopy unpacking;
    Buffer buffer = {};  // unless it is received where it belongs
    Channel channel = {};
  };
  struct Local {
    std::int64_t part;
    std::size_t task;
    DenseCopy copy;
  };

  void add_outgoing(const Transfer& transfer, int to, const std::vector<IndexSet>& part);
  void add_incoming(const Transfer& transfer, int from);
  std::byte* memory_of(std::size_t task) {
    return static_cast<std::byte*>(brought_.at(task).storage.values.mutable_data());
  }

  std::size_t operand_;
  PartShape shape_;
  std::map<std::size_t, LocalPart> brought_;  // by task
  std::vector<Outgoing> outgoing_;            // in the order of the plan, as
  std::vector<Incoming> incoming_;
  std::vector<Local> local_;
  std::map<std::size_t, bool> waits_;
  Traffic traffic_;
};

}  // namespace lacuna
