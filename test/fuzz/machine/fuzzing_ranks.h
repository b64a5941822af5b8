#pragma once

#include <functional>
#include <memory>
#include <string>

#include "support/forwarding_ranks.h"

namespace lacuna::fuzz {

/// The ranks that fuzz together, as others have made them. What ends all of them, a rank that cannot go on or one that
/// waits for ever, is told with the problem that did.
class FuzzingRanks : public ForwardingRanks {
 public:
  using ForwardingRanks::ForwardingRanks;
  ~FuzzingRanks() override;

  /// What is run from now on: its name, and what to tell about it where it ends all. It may take two minutes.
  void begin(const std::string& name, std::function<std::string()> describe);

  std::unique_ptr<PersistentMessage> persistent_send(int to, std::span<const std::byte> message) override {
    return ranks_.persistent_send(to, message);
  }
  std::unique_ptr<PersistentMessage> persistent_receive(int from, std::span<std::byte> message) override {
    return ranks_.persistent_receive(from, message);
  }
  std::optional<std::int64_t> in_place_from(int other) const override { return ranks_.in_place_from(other); }
  [[noreturn]] void abort(const std::string& message, int exit_code) override;

 private:
  std::function<std::string()> describe_;
};

}  // namespace lacuna::fuzz
