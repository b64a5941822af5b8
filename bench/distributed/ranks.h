#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lacuna/distribute/comm/communicator.h"

namespace lacuna::contest {

/// The ranks that run this program, one where mpirun did not start it; and how they keep in step. To be made once. All
/// functions but rank(), count() and is_first() are collective.
class Ranks {
 public:
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// Lacuna's.
  Communicator& communicator() { return *ranks_; }
  int rank() const { return rank_; }
  int count() const { return count_; }
  bool is_first() const { return rank_ == 0; }

  /// Goes on when all are here. Who waits sleeps, and leaves its processor to the others.
  void meet();
  /// The same without sleep, for those who are to begin at the same moment.
  void line_up();
  double largest(double mine);
  /// What the first says, on all.
  bool first_says(bool it);
  /// What all have, one behind the other, on the first.
  std::vector<double> on_first(const std::vector<double>& mine);
  std::vector<std::int32_t> on_first(const std::vector<std::int32_t>& mine);

  /// Sends so many messages of so many bytes to the next rank, and waits for as many of the one before.
  void pass_around(int messages, std::size_t bytes);

 private:
  std::unique_ptr<Communicator> ranks_;
  bool began_mpi_ = false;
  int rank_ = 0, count_ = 1;
};

}  // namespace lacuna::contest
