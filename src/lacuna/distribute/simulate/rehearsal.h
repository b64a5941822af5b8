#pragma once

#include <map>
#include <vector>

#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna {

/// What a later run of a plan moves, with nothing in it, to find out how fast that goes: messages as many and as long
/// as its own between the same ranks, all of a step at once, since ranks share the ways to each other; and copies in
/// stretches, as many bytes as there are, since what fits into caches moves several times as fast.
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

  /// Of the bytes that are copied, how many are in long stretches of neighbours.
  double share_in_stretches() const { return share_in_stretches_; }
  /// Bytes that one rank copies so, and the mean length of the stretches.
  double bytes_in_stretches() const { return bytes_in_stretches_; }
  double stretch() const { return stretch_; }

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
  void add_rounds(const std::map<std::size_t, Round>& rounds, std::size_t ranks);
  void make_rooms(int rank);

  std::vector<Round> rounds_;
  std::vector<std::vector<std::byte>> out_, in_;  // by number of the message among those of this rank in a round
  double share_in_stretches_ = 0, bytes_in_stretches_ = 0, stretch_ = 0;
};

}  // namespace lacuna
