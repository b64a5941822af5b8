#pragma once

#include <memory>

#include "lacuna/distribute/comm/communicator.h"

namespace lacuna {

/// The way of a message that a rank sends, or receives, run after run. Where it lies where the one before lay, it is a
/// persistent one.
class Channel {
 public:
  /// As Communicator::send_in_place and receive_in_place. A channel is used for one of them, and with one rank.
  void send(Communicator& ranks, int to, std::span<const std::byte> message);
  void receive(Communicator& ranks, int from, std::span<std::byte> message);

 private:
  bool lies_as_before(const Communicator& ranks, std::span<const std::byte> message);

  std::span<const std::byte> last_;
  std::weak_ptr<Communicator> ranks_;              // of the last one
  std::unique_ptr<PersistentMessage> persistent_;  // of the last one, from the second time on
};

}  // namespace lacuna
