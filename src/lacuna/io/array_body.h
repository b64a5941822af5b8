#pragma once

#include <optional>
#include <string>

#include "lacuna/io/coordinate_body.h"
#include "lacuna/io/matrix_market_header.h"

namespace lacuna {

/// Reads the body of an array file: one line a value, first index fastest; of a symmetric matrix the lower triangle, of
/// a skew-symmetric one without its diagonal. Gives every coordinate, row-major.
CoordinateList read_array(const Text& text, const MatrixMarketHeader& header, const ReadContext& context);

/// What the lines of an array file hold: values without coordinates.
CoordinateLayout array_layout(const MatrixMarketHeader& header);
/// Some values of an array file with their coordinates, which their numbers in the file say: those from `first` on. The
/// mirrors are not among them. What is beyond the last that the file may hold is left out.
CoordinateList array_entries(const MatrixMarketHeader& header, std::int64_t first, const Array& values);
/// The number in the file of the first of these values, of which there are no more than the file may hold, that cannot
/// be where it is in a symmetric matrix; and what is wrong with it.
std::optional<std::int64_t> first_against_symmetry(const MatrixMarketHeader& header, std::int64_t first,
                                                   const Array& values);
std::string against_symmetry(const MatrixMarketHeader& header);

}  // namespace lacuna
