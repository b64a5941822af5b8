#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/distribute/comm/failures.h"
#include "lacuna/format/distribution/machine.h"

namespace lacuna {

using Bytes = std::vector<std::byte>;

/// A message that is sent again and again from where it lies, or received there. May outlive the communicator that made
/// it.
class PersistentMessage {
 public:
  virtual ~PersistentMessage() = default;
  PersistentMessage() = default;
  PersistentMessage(const PersistentMessage&) = delete;
  PersistentMessage& operator=(const PersistentMessage&) = delete;

  /// Begins to send, or to receive, as send_in_place and receive_in_place. Not before the last time is finished.
  virtual void start() = 0;
};

/// The processes that run one program together, each of which is a rank, and how they talk. All ranks make the same
/// calls in the same order (docs/decisions/0014-ranks.md).
class Communicator {
 public:
  virtual ~Communicator() = default;
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  virtual int rank() const = 0;
  virtual int ranks() const = 0;

  /// Begins to send, and does not wait; messages from one rank to another arrive in the order in which they were sent.
  virtual void send(int to, std::shared_ptr<const Bytes> message) = 0;
  /// The same of memory that stays as it is until finish_sends.
  virtual void send_in_place(int to, std::span<const std::byte> message) = 0;
  /// Waits for the next message of a rank. None may be on its way in place.
  virtual Bytes receive(int from) = 0;
  /// Begins to receive the next message of a rank, whose size is known, and does not wait: it is there after
  /// finish_receives.
  virtual void receive_in_place(int from, std::span<std::byte> message) = 0;
  virtual void finish_receives() = 0;
  /// Both for messages that repeat, which take less time to begin.
  virtual std::unique_ptr<PersistentMessage> persistent_send(int to, std::span<const std::byte> message);
  virtual std::unique_ptr<PersistentMessage> persistent_receive(int from, std::span<std::byte> message);
  /// Waits until what was sent has left.
  virtual void finish_sends() = 0;
  /// Before this rank computes: gives what was sent some time to leave. Much of what moves messages does so only while
  /// their sender is here, and whoever gets them would wait for what this one computes.
  virtual void progress_sends() {}

  /// From how many bytes on this rank and another one read what is in each other's memory where it lies, instead of
  /// sending it: those of one computer may. None where they do not. The same for both.
  virtual std::optional<std::int64_t> in_place_from([[maybe_unused]] int other) const { return std::nullopt; }

  /// What every rank gives here, by rank.
  std::vector<std::string> gather_all(std::string_view mine) {
    std::vector<std::string> all;
    gather_all(mine, all);
    return all;
  }
  /// The same in the memory that `all` has.
  virtual void gather_all(std::string_view mine, std::vector<std::string>& all) = 0;

  /// Ends all ranks where this one cannot go on and the others would wait for it: prints the message, exits with the
  /// code.
  [[noreturn]] virtual void abort(const std::string& message, int exit_code) = 0;

  /// What is done where one rank fails and others may be waiting for it.
  virtual Failures failures() const { return Failures::Abort; }
  /// Of Failures::Throw: ends the waiting of all ranks for each other, and returns what each says of how it failed, by
  /// rank: nothing where it did not. What was on its way is gone then. Ranks that wait in any call of this throw what
  /// the first that failed says (throw_interruption).
  virtual std::vector<std::string> interrupt(std::string_view mine);

  /// Knows whether this still exists, for what may outlive it.
  std::weak_ptr<Communicator> handle() const { return self_; }

 private:
  std::shared_ptr<Communicator> self_{this, [](Communicator*) {}};
};

/// Sends a message to each rank, by rank, and returns what came from each; what is for this one stays here. Collective.
std::vector<Bytes> all_to_all(Communicator& ranks, std::vector<Bytes> to_each);

/// One process by itself, rank 0 of 1.
std::unique_ptr<Communicator> alone();
/// One that plays no processor, and so has no parts of tensors: for whoever only plans.
std::unique_ptr<Communicator> nobody();

/// The rank that plays a processor: memories are dealt to ranks in blocks as even as they can be, each with all threads
/// that share it.
int rank_of(std::int64_t processor, const Machine& machine, int ranks);

}  // namespace lacuna
