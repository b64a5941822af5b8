#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/distribute/comm/mpi_begun.h"
#include "lacuna/distribute/comm/mpi_notices.h"
#include "lacuna/distribute/mpi/library.h"

namespace lacuna {

/// The ranks of a communicator of MPI's, which has begun. They talk on a duplicate of it, so that the messages of
/// others never mix with theirs.
class MpiRanks : public Communicator {
 public:
  /// `end`: what the end of this is called where other ranks are elsewhere. Collective.
  MpiRanks(MpiComm of, Failures failures, std::string end);
  /// Others may be elsewhere, as where an exception ends this program alone: then they are told, and do not wait; they
  /// come here, too, in the end.
  ~MpiRanks() override;

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }

  void send(int to, std::shared_ptr<const Bytes> message) override;
  void send_in_place(int to, std::span<const std::byte> message) override;
  void receive_in_place(int from, std::span<std::byte> message) override;
  std::unique_ptr<PersistentMessage> persistent_send(int to, std::span<const std::byte> message) override;
  std::unique_ptr<PersistentMessage> persistent_receive(int from, std::span<std::byte> message) override;
  Bytes receive(int from) override;
  void finish_receives() override;
  void progress_sends() override;
  void finish_sends() override;
  using Communicator::gather_all;
  void gather_all(std::string_view mine, std::vector<std::string>& all) override;
  std::optional<std::int64_t> in_place_from(int other) const override {
    return in_place_from_[static_cast<std::size_t>(other)];
  }
  [[noreturn]] void abort(const std::string& message, int exit_code) override;
  Failures failures() const override { return notices_ ? Failures::Throw : Failures::Abort; }
  std::vector<std::string> interrupt(std::string_view mine) override;

 private:
  using Seconds = std::chrono::duration<double>;
  /// The beginning of a text.
  struct Head {
    int size;
    char text[508];
  };

  void gather_by_mpi(std::string_view mine, std::vector<std::string>& all);
  std::vector<std::string> gather_texts(std::string_view mine, const std::vector<int>& sizes) const;
  void gather_by_messages(std::string_view mine, std::vector<std::string>& all);
  Bytes receive_tagged(int from, int tag);
  void finish(MpiBegun& begun);
  lacuna_mpi_message wait_for_message(int from, int tag);
  template <typename IsDone>
  void wait_or_throw(const IsDone& is_done);
  void take_what_is_left();

  std::string end_;
  MpiComm comm_;
  int rank_ = 0, ranks_ = 1;
  std::unique_ptr<MpiNotices> notices_;                     // where failures are thrown
  std::vector<Head> heads_;                                 // by rank, as the last ones were
  std::vector<std::optional<std::int64_t>> in_place_from_;  // by rank
  MpiBegun sends_{0}, receives_{0}, gathers_{0};            // the last one: what gather_all sends
  std::vector<std::shared_ptr<const Bytes>> sent_;          // until they have left
  std::vector<Bytes> gathered_;                             // the same of gather_all
  Seconds waited_{};                                        // for what came since the last sends were finished
};

}  // namespace lacuna
