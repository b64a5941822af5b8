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

  /// Those of this rank.
  const std::vector<std::size_t>& tasks() const { return tasks_; }
  /// What a task of this rank computes at once, in any step.
  std::vector<Piece>& pieces(std::size_t task) { return pieces_.at(task).pieces; }

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
  template <typename F>
  F& add(Kind kind, std::unique_ptr<F> fetch);
  void add_held(std::size_t operand);
  void add_entries(std::size_t operand, const Communicator& ranks);
  void add_in_place(std::size_t operand, Communicator& ranks);
  void add_dense(std::size_t operand);
  void add_moving(std::size_t operand, bool is_general, Communicator& ranks);
  bool is_dense(std::size_t operand) const;
  template <typename F>
  void each_moving(const std::vector<bool>& changed, const F& f);

  const PreparedLaunch& prepared_;
  std::vector<std::size_t> tasks_;
  std::map<std::size_t, TaskPieces> pieces_;     // by task
  InPlace in_place_;                             // what tasks may read so
  std::vector<std::unique_ptr<Fetch>> fetches_;  // in the order in which they begin
  std::vector<std::map<Kind, Fetch*>> by_kind_;  // by operand
};

}  // namespace lacuna
