#include "lacuna/distribute/tensors/rounds.h"

namespace lacuna {
namespace {

CoordinateList no_entries(const DistributedTensor& tensor) {
  CoordinateList none{tensor.dimensions(), {}, Array::allocate(tensor.shape().type, 0, false)};
  for (const std::int64_t dimension : none.dimensions)
    none.coordinates.push_back(Array::allocate(coordinate_type(dimension), 0, false));
  return none;
}

}  // namespace

/// A message ends with whether its sender may have more; in the last round, nobody has any.
std::int64_t exchange_in_rounds(const EntryRouter& router, const DistributedTensor& tensor, Communicator& ranks,
                                const std::function<std::optional<CoordinateList>()>& next,
                                const std::function<void(int rank, Bytes message)>& take) {
  std::int64_t rounds = 0;
  for (bool more = true; more; ++rounds) {
    more = false;
    const std::optional<CoordinateList> entries = next();
    std::vector<Bytes> messages = router.messages(entries.value_or(no_entries(tensor)));
    for (int r = 0; r < ranks.ranks(); ++r) {
      Bytes& message = messages[static_cast<std::size_t>(r)];
      message.push_back(entries ? std::byte{1} : std::byte{0});
      if (r != ranks.rank()) ranks.send(r, std::make_shared<const Bytes>(std::move(message)));
    }
    for (int r = 0; r < ranks.ranks(); ++r) {
      Bytes message = r == ranks.rank() ? std::move(messages[static_cast<std::size_t>(r)]) : ranks.receive(r);
      more = more || message.back() == std::byte{1};
      message.pop_back();
      take(r, std::move(message));
    }
    ranks.finish_sends();
  }
  return rounds;
}

}  // namespace lacuna
