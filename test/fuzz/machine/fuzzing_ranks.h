#pragma once

#include <functional>
#include <memory>
#include <string>

#include "lacuna/distribute/communicate/communicator.h"

namespace lacuna::fuzz {

/// The ranks that fuzz together, as others have made them. What ends all of them, a rank that cannot go on or one that
/// waits for ever, is told with the problem that did.
class FuzzingRanks : public Communicator {
 public:
  /// These must outlive this.
  explicit FuzzingRanks(Communicator& ranks) : ranks_(ranks) {}
  ~FuzzingRanks() override;

  /// What is run from now on: its name, and what to tell about it where it ends all. It may take two minutes.
  void begin(const std::string& name, std::function<std::string()> describe);

  int rank() const override { return ranks_.rank(); }
  int ranks() const override { return ranks_.ranks(); }
  void send(int to, std::shared_ptr<const Bytes> message) override { ranks_.send(to, std::move(message)); }
  void send_in_place(int to, std::span<const std::byte> message) override { ranks_.send_in_place(to, message); }
  Bytes receive(int from) override { return ranks_.receive(from); }
  void receive_in_place(int from, std::span<std::byte> message) override { ranks_.receive_in_place(from, message); }
  std::unique_ptr<PersistentMessage> persistent_send(int to, std::span<const std::byte> message) override {
    return ranks_.persistent_send(to, message);
  }
  std::unique_ptr<PersistentMessage> persistent_receive(int from, std::span<std::byte> message) override {
    return ranks_.persistent_receive(from, message);
  }
  void finish_receives() override { ranks_.finish_receives(); }
  void finish_sends() override { ranks_.finish_sends(); }
  std::optional<std::int64_t> in_place_from(int other) const override { return ranks_.in_place_from(other); }
  using Communicator::gather_all;
  void gather_all(std::string_view mine, std::vector<std::string>& all) override { ranks_.gather_all(mine, all); }
  [[noreturn]] void abort(const std::string& message, int exit_code) override;

 private:
  Communicator& ranks_;
  std::function<std::string()> describe_;
};

}  // namespace lacuna::fuzz
