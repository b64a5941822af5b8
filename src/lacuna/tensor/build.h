#pragma once

#include "lacuna/tensor/storage.h"

namespace lacuna {

enum class Duplicates : std::uint8_t { Sum, Refuse };

struct BuildOptions {
  Duplicates duplicates = Duplicates::Sum;
  bool drop_zeros = false;  // zeros, also those that duplicates sum to, are not stored
  int threads = 1;
};

/// Builds a tensor of any format from coordinates in any order. Duplicates are summed in the order given. Coordinates
/// out of range, and entries a format cannot hold (two in one parent of a singleton), throw Error naming the entry.
/// Linear time: radix sort by the format's level order, skipped when already sorted. Positions get 64 bits only when
/// they need them (> 2^31-1).
Storage build(const CoordinateList& entries, const Format& format, const BuildOptions& options = {});

/// An order-n tensor with nothing stored (dense levels: zeros).
Storage empty_tensor(Type type, const std::vector<std::int64_t>& dimensions, const Format& format);

/// What is known of coordinates that somebody else made.
enum class CoordinateOrder : std::uint8_t {
  Ascending,  // within a row (or column), and none repeats; refused otherwise
  Unordered,  // in any order, in which they stay: the level is `unordered`. None repeats; refused otherwise
  Sort,       // in any order: a sorted copy is made, in which the values of those that repeat are added up
  AsFound,    // Ascending where they do, else Unordered where none repeats, else Sort
};

// Existing arrays, adopted without copying (Array::borrow), but for CoordinateOrder::Sort: what is written to them
// later shows in the tensor, and in what is computed from it later. Their owner keeps them alive (null: the caller
// does). The arrays are validated (validate()), unless `trusted`. Widths are as they come: any integer type for pos and
// crd, any element type for values.
Storage adopt_csr(std::int64_t rows, std::int64_t columns, Array pos, Array crd, Array values,
                  CoordinateOrder order = CoordinateOrder::Ascending);
Storage adopt_csc(std::int64_t rows, std::int64_t columns, Array pos, Array crd, Array values,
                  CoordinateOrder order = CoordinateOrder::Ascending);
/// `ordered`, `unique`: what the caller promises of the coordinates.
Storage adopt_coo(std::vector<std::int64_t> dimensions, const std::vector<Array>& coordinates, const Array& values,
                  bool ordered, bool unique, bool trusted = false);
/// The same of entries that are ordered by their coordinates, or not.
Storage adopt_coo(std::vector<std::int64_t> dimensions, const std::vector<Array>& coordinates, const Array& values,
                  CoordinateOrder order);
/// Row-major values (or another mode order).
Storage adopt_dense(std::vector<std::int64_t> dimensions, const Array& values, const LevelMap& map);

}  // namespace lacuna
