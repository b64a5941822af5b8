#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "lacuna/distribute/tensors/entry_messages.h"

namespace lacuna {

/// Brings entries to the ranks that hold the parts which they are in, some at a time, so that what is on its way stays
/// small: in each round, every rank sends those that `next` gives, if there are any left, and hands on what comes to
/// it, with the rank that sent it, to `take`. Returns how many rounds there were. `tensor`: what the router is for.
/// Collective.
std::int64_t exchange_in_rounds(const EntryRouter& router, const DistributedTensor& tensor, Communicator& ranks,
                                const std::function<std::optional<CoordinateList>()>& next,
                                const std::function<void(int rank, Bytes message)>& take);

}  // namespace lacuna
