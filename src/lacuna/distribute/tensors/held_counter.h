#pragma once

#include "lacuna/distribute/parts/position_counter.h"
#include "lacuna/distribute/tensors/distributed_tensor.h"
#include "lacuna/distribute/tensors/tuple_set.h"

namespace lacuna {

/// Counts what a tensor stores that is held by parts, in the order of its coordinates, level by level: what no rank
/// could count by itself. Ranks tell each other how many they have before a coordinate, and so find by bisection where
/// pieces begin. Where parts may share what is counted (rows, of parts that are cut by columns), it is first sent to
/// one rank each. All calls are collective.
class HeldCounter : public PositionCounter {
 public:
  HeldCounter(const DistributedTensor& tensor, Communicator& ranks) : tensor_(tensor), ranks_(ranks) {}

  std::int64_t count(const Restriction& part, int level) override;
  std::vector<CountedPiece> pieces(const std::vector<Interval>& ranks) override;

 private:
  using Tuple = std::vector<std::int64_t>;  // coordinates, outermost level first

  std::size_t length() const { return mine_.length(); }
  std::size_t mode_of(std::size_t level) const;
  void collect(const Restriction& part);
  bool may_share() const;
  void share_out();
  /// How many are less than each, on all ranks.
  std::vector<std::int64_t> count_before(const std::vector<Tuple>& bounds) const;
  /// Those with these numbers.
  std::vector<Tuple> at(const std::vector<std::int64_t>& numbers) const;

  const DistributedTensor& tensor_;
  Communicator& ranks_;
  TupleSet mine_;
};

}  // namespace lacuna
