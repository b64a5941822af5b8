#pragma once

#include <vector>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/distribute/tensors/distributed_tensor.h"
#include "lacuna/distribute/tensors/owner_table.h"

namespace lacuna {

/// Entries on the way to the ranks that hold the parts which they are in.
class EntryRouter {
 public:
  /// `tensor` has no parts yet; it outlives this.
  EntryRouter(const DistributedTensor& tensor, const Communicator& ranks);

  /// A message to each rank, in which their entries lie by part, in the order given; coordinates are those in the part.
  std::vector<Bytes> messages(const CoordinateList& entries) const;
  /// The numbers of the parts that messages to a rank hold, in their order.
  const std::vector<std::size_t>& parts_on(int rank) const { return parts_on_[static_cast<std::size_t>(rank)]; }

 private:
  void append(Bytes& message, const CoordinateList& entries, const std::vector<std::int64_t>& chosen,
              std::size_t part) const;

  const DistributedTensor& tensor_;
  OwnerTable owners_;
  std::vector<std::vector<std::size_t>> parts_on_;  // by rank
};

/// The entries of each of these parts, from messages in the order in which they are to follow each other, which are
/// given back as they are read.
std::vector<CoordinateList> entries_from(std::vector<Bytes> messages, const DistributedTensor& tensor,
                                         const std::vector<std::size_t>& parts);
/// The parts made of them; entries at one coordinate are added up in that order.
std::vector<LocalPart> parts_from(std::vector<Bytes> messages, const DistributedTensor& tensor,
                                  const std::vector<std::size_t>& parts);

}  // namespace lacuna
