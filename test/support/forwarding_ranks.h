#pragma once

#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lacuna/distribute/comm/communicator.h"

namespace lacuna {

/// Ranks that others have made, and that outlive this: for tests that look at what goes through, or change some of it.
/// What repeats is sent message by message, and nothing is read in place, unless who is derived from this says so.
class ForwardingRanks : public Communicator {
 public:
  explicit ForwardingRanks(Communicator& ranks) : ranks_(ranks) {}
  int rank() const override { return ranks_.rank(); }
  int ranks() const override { return ranks_.ranks(); }
  void send(int to, std::shared_ptr<const Bytes> message) override { ranks_.send(to, std::move(message)); }
  void send_in_place(int to, std::span<const std::byte> message) override { ranks_.send_in_place(to, message); }
  Bytes receive(int from) override { return ranks_.receive(from); }
  void receive_in_place(int from, std::span<std::byte> message) override { ranks_.receive_in_place(from, message); }
  void finish_receives() override { ranks_.finish_receives(); }
  void finish_sends() override { ranks_.finish_sends(); }
  void progress_sends() override { ranks_.progress_sends(); }
  using Communicator::gather_all;
  void gather_all(std::string_view mine, std::vector<std::string>& all) override { ranks_.gather_all(mine, all); }
  [[noreturn]] void abort(const std::string& message, int exit_code) override {
    ranks_.abort(message, exit_code);
    std::abort();
  }
  Failures failures() const override { return ranks_.failures(); }
  std::vector<std::string> interrupt(std::string_view mine) override { return ranks_.interrupt(mine); }

 protected:
  Communicator& ranks_;
};

}  // namespace lacuna
