#pragma once

#include "lacuna/io/coordinate_body.h"
#include "lacuna/io/matrix_market_header.h"

namespace lacuna {

/// Reads the body of an array file: one line a value, first index fastest; of a symmetric matrix the lower triangle, of
/// a skew-symmetric one without its diagonal. Gives every coordinate, row-major.
CoordinateList read_array(const Text& text, const MatrixMarketHeader& header, const ReadContext& context);

}  // namespace lacuna
