#pragma once

#include <optional>
#include <string>

#include "lacuna/tensor/storage.h"

namespace lacuna {

// Checks of what a level promises about the coordinates under one parent; each returns its complaint. The level's pos
// and crd must already be known to agree.

/// A compressed level, with the singletons that share its positions where it is not unique: do the coordinates ascend
/// where they are ordered, and is nothing repeated where the chain's last level is unique?
std::optional<std::string> check_chain(const Storage& storage, int level);

/// Does no coordinate repeat under one parent? Needs no order; linear by a radix sort. Negative coordinates (the empty
/// slots of a hashed level) are passed over.
std::optional<std::string> check_unique(const Storage& storage, int level);

}  // namespace lacuna
