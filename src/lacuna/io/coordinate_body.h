#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/io/field.h"
#include "lacuna/io/parallel.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// No file may have a tensor of a higher order: the memory for columns of coordinates would no longer be bounded by its
/// size.
inline constexpr std::size_t most_modes = 64;

enum class Symmetry : std::uint8_t { General, Symmetric, SkewSymmetric, Hermitian };

/// "general", "symmetric", "skew-symmetric", "hermitian".
std::string symmetry_name(Symmetry symmetry);

/// What the body of a coordinate file holds: one line an entry, its coordinates from 1 and then its value.
struct CoordinateLayout {
  std::vector<std::int64_t> dimensions;  // coordinates lie in 1…dimension
  bool dimensions_known = true;          // false: `dimensions` has the order only, and is found from the coordinates
  Field field = Field::Real;
  Type type = Type::Float64;
  std::string type_fix;                   // what to do about a value that the type cannot hold, for messages
  Symmetry symmetry = Symmetry::General;  // for the checks of single entries; mirrors are added by expand_symmetry
  char comment = '%';
  std::optional<std::int64_t> declared;  // the number of entries that the file announces
  TextRange declared_at;
};

/// Reads the lines from `begin` on. The entries are those of the file, in its order, from 0. Memory is bounded by the
/// lines there are, whatever was announced. Fails with the place for anything malformed.
CoordinateList read_coordinates(const Text& text, std::size_t begin, const CoordinateLayout& layout,
                                const ReadContext& context);

/// What is wrong with the first entry after those that are announced.
std::string too_many_entries(std::int64_t declared);
/// Fails where there are fewer entries than announced.
void check_not_fewer(const Text& text, const CoordinateLayout& layout, std::int64_t count);

}  // namespace lacuna
