#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/io/coordinate_body.h"
#include "lacuna/io/io.h"

namespace lacuna {

/// The banner, the %%GraphBLAS type hint and the sizes of a Matrix Market file.
struct MatrixMarketHeader {
  bool array = false;
  Field field = Field::Real;
  Symmetry symmetry = Symmetry::General;
  Type type = Type::Float64;  // of the elements: what the hint asks for, else what the field means
  std::string type_fix;       // what to do about a value that the type cannot hold, where a reader asked for it
  std::vector<std::int64_t> dimensions;
  std::int64_t entries = 0;  // announced; for an array, those the file must hold
  TextRange sizes;           // the line of sizes
  TextRange entries_at;      // where `entries` is announced
  std::size_t body = 0;      // where the entries start
};

/// Reads and checks everything before the first entry. Fails with the place for what is unknown or cannot be. Values
/// are to be read as the wanted type where that can be done entry by entry; otherwise they are converted later.
MatrixMarketHeader read_matrix_market_header(const Text& text, const std::optional<WantedType>& wanted = {});

/// The type that a %%GraphBLAS hint names ("int8_t", "double complex", "GrB_FP32", …); none if unknown.
std::optional<Type> parse_graphblas_type(std::string_view name);
/// The name that a written hint uses for a type.
std::string graphblas_type_name(Type type);

/// The number of values that an array file stores: all, or the lower triangle. Throws Error when it exceeds 63 bits.
std::optional<std::int64_t> stored_values(const std::vector<std::int64_t>& dimensions, Symmetry symmetry);

}  // namespace lacuna
