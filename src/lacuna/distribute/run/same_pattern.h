#pragma once

#include "lacuna/distribute/tensors/distributed_tensor.h"

namespace lacuna {

/// How a tensor compares with one that was there before, as far as this rank knows.
enum class Change : std::uint8_t {
  None,     // all of it is the same
  Values,   // its entries lie where they did, with other values
  Pattern,  // something else
};

/// Whether two store entries at the same places, in the same way. Values are not looked at.
bool same_pattern(const Storage& a, const Storage& b);

/// Compares a tensor that is given in whole with the one that was; `next` becomes it, placed as that one, unless the
/// pattern is another. Values are compared one by one, as they may lie in memory of the user's that changed.
Change change_of(const DistributedTensor& before, const Storage& now, DistributedTensorPtr& next);
/// The same of one that is held by parts.
Change change_of(const DistributedTensor& before, const DistributedTensorPtr& now);

}  // namespace lacuna
