#pragma once

#include "lacuna/io/io.h"
#include "lacuna/io/parallel.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// Reads a Matrix Market file (.mtx, .ttx): header and body, symmetric halves expanded.
FileContents read_matrix_market(const Text& text, const ReadContext& context);

}  // namespace lacuna
