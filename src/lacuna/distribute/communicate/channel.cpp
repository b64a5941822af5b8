#include "lacuna/distribute/communicate/channel.h"

namespace lacuna {

bool Channel::lies_as_before(std::span<const std::byte> message) {
  const bool is_same = last_.data() == message.data() && last_.size() == message.size();
  last_ = message;
  if (!is_same) persistent_ = nullptr;
  return is_same;
}

void Channel::send(Communicator& ranks, int to, std::span<const std::byte> message) {
  if (!lies_as_before(message)) return ranks.send_in_place(to, message);
  if (persistent_ == nullptr) persistent_ = ranks.persistent_send(to, message);
  persistent_->start();
}

void Channel::receive(Communicator& ranks, int from, std::span<std::byte> message) {
  if (!lies_as_before(message)) return ranks.receive_in_place(from, message);
  if (persistent_ == nullptr) persistent_ = ranks.persistent_receive(from, message);
  persistent_->start();
}

}  // namespace lacuna
