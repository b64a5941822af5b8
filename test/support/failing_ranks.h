#pragma once

#include <memory>
#include <span>
#include <utility>

#include "lacuna/support/error.h"
#include "support/forwarding_ranks.h"

namespace lacuna {

/// Ranks of which one fails when it is told to: for tests of what becomes of the others.
class FailingRanks : public ForwardingRanks {
 public:
  explicit FailingRanks(Communicator& ranks) : ForwardingRanks(ranks) {}

  /// This rank fails at the next message but so many that it sends, or gets.
  void fail_at_send(int after) { sends_left_ = after; }
  void fail_at_receive(int after) { receives_left_ = after; }
  /// It goes on as if nothing had been.
  void recover() { sends_left_ = receives_left_ = -1; }

  void send(int to, std::shared_ptr<const Bytes> message) override {
    count(sends_left_);
    ranks_.send(to, std::move(message));
  }
  void send_in_place(int to, std::span<const std::byte> message) override {
    count(sends_left_);
    ranks_.send_in_place(to, message);
  }
  Bytes receive(int from) override {
    count(receives_left_);
    return ranks_.receive(from);
  }
  void receive_in_place(int from, std::span<std::byte> message) override {
    count(receives_left_);
    ranks_.receive_in_place(from, message);
  }
  std::unique_ptr<PersistentMessage> persistent_send(int to, std::span<const std::byte> message) override {
    return std::make_unique<Counted>(ranks_.persistent_send(to, message), sends_left_);
  }
  std::unique_ptr<PersistentMessage> persistent_receive(int from, std::span<std::byte> message) override {
    return std::make_unique<Counted>(ranks_.persistent_receive(from, message), receives_left_);
  }

 private:
  class Counted : public PersistentMessage {
   public:
    Counted(std::unique_ptr<PersistentMessage> message, int& left) : message_(std::move(message)), left_(left) {}
    void start() override {
      count(left_);
      message_->start();
    }

   private:
    std::unique_ptr<PersistentMessage> message_;
    int& left_;
  };

  static void count(int& left) {
    if (left >= 0 && left-- == 0) throw RuntimeFailure("the network is down");
  }
  int sends_left_ = -1, receives_left_ = -1;
};

}  // namespace lacuna
