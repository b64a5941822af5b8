#pragma once

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/distribute/parts/local_part.h"

namespace lacuna {

/// A part as a message: the arrays that it stores. Which part it is, and how it is stored, its receiver knows. Its
/// levels are those of arrays.
Bytes to_message(const LocalPart& part);
LocalPart from_message(const Bytes& message, std::vector<IndexSet> sets, const PartShape& shape);

}  // namespace lacuna
