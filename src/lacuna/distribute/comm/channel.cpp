#include "lacuna/distribute/comm/channel.h"

namespace lacuna {

/// And goes the same way: ranks may be gone, and others run what they kept.
bool Channel::lies_as_before(const Communicator& ranks, std::span<const std::byte> message) {
  const bool is_same =
      last_.data() == message.data() && last_.size() == message.size() && ranks_.lock().get() == &ranks;
  if (is_same) return true;
  last_ = message;
  ranks_ = ranks.handle();
  persistent_ = nullptr;
  return false;
}

void Channel::send(Communicator& ranks, int to, std::span<const std::byte> message) {
  if (!lies_as_before(ranks, message)) return ranks.send_in_place(to, message);
  if (persistent_ == nullptr) persistent_ = ranks.persistent_send(to, message);
  persistent_->start();
}

void Channel::receive(Communicator& ranks, int from, std::span<std::byte> message) {
  if (!lies_as_before(ranks, message)) return ranks.receive_in_place(from, message);
  if (persistent_ == nullptr) persistent_ = ranks.persistent_receive(from, message);
  persistent_->start();
}

}  // namespace lacuna
