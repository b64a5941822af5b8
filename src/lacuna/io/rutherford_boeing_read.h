#pragma once

#include "lacuna/io/io.h"
#include "lacuna/io/parallel.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// Reads an assembled matrix in Rutherford-Boeing or Harwell-Boeing form (.rb), symmetric halves expanded; right-hand
/// sides are passed over.
FileContents read_rutherford_boeing(const Text& text, const ReadContext& context);

}  // namespace lacuna
