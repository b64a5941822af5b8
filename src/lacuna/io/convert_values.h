#pragma once

#include <string>

#include "lacuna/io/io.h"
#include "lacuna/io/parallel.h"

namespace lacuna {

/// The values of entries as another type. Throws Error for the first one that would lose more than the digits that a
/// floating type rounds; `name` is the file's.
Array convert_values(const CoordinateList& entries, const WantedType& wanted, const std::string& name,
                     const ReadContext& context);

}  // namespace lacuna
