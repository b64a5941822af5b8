#pragma once

#include <map>
#include <vector>

#include "lacuna/distribute/part/dense_copy.h"
#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna {

/// Moves as much as a later run of a plan does, among ranks and within them, with nothing in it: messages as many and
/// as long between the same ranks, all of a step at once, and copies in stretches as long. How fast a machine is
/// depends on all of that: on who sends at the same time, and on what caches hold.
class Rehearsal {
 public:
  /// All ranks make one of the same request.
  Rehearsal(const DistributedRequest& request, const Communicator& ranks);

  bool sends() const { return !rounds_.empty(); }
  /// Collective.
  void send(Communicator& ranks);
  /// In bytes per second of one rank each way: with which the messages take so many seconds in all, as they are
  /// simulated.
  double bandwidth(double seconds, double latency) const;

  bool copies() const { return copies_; }
  void copy();
  /// That `copy` copies.
  double copied_bytes() const { return static_cast<double>(copy_.bytes()); }

 private:
  struct Message {
    int from, to;
    std::size_t bytes;
  };
  /// What all ranks send at once.
  struct Round {
    std::vector<Message> messages = {};
    std::vector<double> counts = {}, bytes = {};  // by rank, and then again of what it gets
  };
  static double share_of(const std::map<std::size_t, Round>& rounds);
  void make_rooms(int rank);
  void plan_copy(double bytes, double stretches);

  std::vector<Round> rounds_;
  std::vector<std::vector<std::byte>> out_, in_;  // by number of the message among those of this rank in a round
  bool copies_ = false;
  DenseCopy copy_;
  std::vector<double> copied_from_, copied_to_;
};

}  // namespace lacuna
