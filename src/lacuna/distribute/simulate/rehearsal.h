#pragma once

#include <cstddef>
#include <cstdint>
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
  /// Bytes that messages of a step are sent from, and received in.
  std::size_t room_out() const { return room_out_; }
  std::size_t room_in() const { return room_in_; }
  /// Of what is sent, the result, which kernels have just written; and what of it is received right where it belongs.
  std::size_t room_of_result() const { return room_of_result_; }
  std::size_t room_in_result() const { return room_in_result_; }
  /// Collective.
  void send(Communicator& ranks, std::byte* out, std::byte* in, std::byte* result) const;
  /// In bytes per second of one rank each way: with which the messages take so many seconds in all, as they are
  /// simulated.
  double bandwidth(double seconds, double latency) const;

  /// Processors take longer over what others have had in their caches: what is packed is sent, what is unpacked has
  /// come, and what else is copied is their own; of a result, what has just been computed.
  enum class Way : std::uint8_t { Pack, Unpack, Within, Result };
  /// What a rank copies in stretches of about one length.
  struct Copied {
    double bytes = 0, at_once = 0;          // in all, and at a time
    double stretch = 0;                     // bytes; 0: each element by itself
    double spread_from = 1, spread_to = 1;  // as in Copying
    double run = 1;                         // where stretch is 0: so many elements lie side by side
    Way way = Way::Within;
  };
  /// Of the rank that copies most.
  const std::vector<Copied>& copied() const { return copied_; }
  /// How much of that this rank copies, in bytes: at most 1.
  double share_of_copies() const { return share_of_copies_; }

 private:
  struct Message {
    int from, to;
    std::size_t bytes;
  };
  /// What all ranks send at once.
  struct Round {
    std::vector<Message> messages = {};
    bool is_of_result = false, is_in_place = true;  // as it comes
    std::vector<double> counts = {}, bytes = {};    // by rank, and then again of what it gets
  };
  static double share_of(const std::map<std::size_t, Round>& rounds);
  void add_rounds(const std::map<std::size_t, Round>& rounds, std::size_t ranks);

  std::vector<Round> rounds_;
  int rank_;
  std::size_t room_out_ = 0, room_in_ = 0, room_of_result_ = 0, room_in_result_ = 0;
  std::vector<Copied> copied_;
  double share_of_copies_ = 1;
};

}  // namespace lacuna
