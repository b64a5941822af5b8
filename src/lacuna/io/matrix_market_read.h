#pragma once

#include "lacuna/io/io.h"
#include "lacuna/io/parallel.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// Reads a Matrix Market file (.mtx, .ttx): header and body, symmetric halves expanded.
FileContents read_matrix_market(const Text& text, const std::optional<WantedType>& wanted, const ReadContext& context);

struct CoordinateLayout;
struct MatrixMarketHeader;

/// What the body of a coordinate file holds, by its header.
CoordinateLayout layout_of(const MatrixMarketHeader& header);
/// What is wrong with an entry of a symmetric matrix whose mirror is given, too.
std::string given_mirror(const MatrixMarketHeader& header);

}  // namespace lacuna
