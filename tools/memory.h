#pragma once

#include <string>

#include "lacuna/tensor/storage.h"

namespace lacuna::tool {

/// A table of what each level of a tensor takes: bytes in use, free and reserved, and those in use for each stored
/// entry; of a dynamic level also for each type of nodes and each pool.
std::string memory_report(const Storage& tensor);

}  // namespace lacuna::tool
