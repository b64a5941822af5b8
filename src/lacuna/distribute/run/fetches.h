#pragma once

#include <map>
#include <memory>
#include <vector>

#include "lacuna/distribute/run/fetch.h"
#include "lacuna/distribute/run/pieces.h"

namespace lacuna {

/// All that brings the operands of a launch to the tasks of a rank, in the order in which messages are sent.
class Fetches {
 public:
  /// `again`: the launch is run more than once, so that what makes later runs quick is looked up. Collective.
  Fetches(const PreparedLaunch& prepared, bool again, Communicator& ranks);

  /// The tasks of this rank, in order, with what each computes at once in any step.
  std::map<std::size_t, TaskPieces>& tasks() { return tasks_; }

  /// What brings an operand to a piece, and the task that it brings it to there.
  struct Source {
    Fetch* fetch = nullptr;
    std::size_t task = 0;
  };
  Source source(std::size_t task, const Piece& piece, std::size_t operand) const;

  /// As of a Fetch, of all that move something where these operands changed.
  void begin(std::size_t step, const std::vector<bool>& changed, Communicator& ranks);
  void finish(std::size_t step, const std::vector<bool>& changed, Communicator& ranks);
  void end(const std::vector<bool>& changed, Communicator& ranks);
  void forget(std::size_t step);
  /// Of all, since this was last asked.
  Traffic take_traffic();

 private:
  using Kind = OperandSource::Kind;

  void divide(bool again, const Communicator& ranks);
  void add(Kind kind, std::unique_ptr<Fetch> fetch);
  void add_held(std::size_t operand);
  void add_entries(std::size_t operand, const Communicator& ranks);
  void add_in_place(std::size_t operand, Communicator& ranks);
  void add_dense(std::size_t operand);
  template <typename F>
  void each_moving(const std::vector<bool>& changed, const F& f);

  const PreparedLaunch& prepared_;
  std::map<std::size_t, TaskPieces> tasks_;
  InPlace in_place_;                             // what tasks may read so
  std::vector<std::unique_ptr<Fetch>> fetches_;  // in the order in which they begin
  std::vector<std::map<Kind, Fetch*>> by_kind_;  // by operand
};

}  // namespace lacuna
