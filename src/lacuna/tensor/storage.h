#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/format/format.h"
#include "lacuna/support/scalar.h"
#include "lacuna/tensor/array.h"

namespace lacuna {

/// The arrays of one level; which are used depends on the kind (format.h). Coordinates are global: a level of a piece
/// holds [origin, origin+extent) of its mode.
struct LevelStorage {
  std::int64_t origin = 0;
  std::int64_t extent = 0;
  std::int64_t positions =
      0;          // child positions this level spans: parents*extent, number of crd entries, number of slots
  Array pos;      // compressed, hashed: parents + 1 integers
  Array crd;      // compressed, singleton, hashed (signed there)
  Array present;  // bitmap: UInt8, one a child position
  // Dynamic: the arrays that schema::MemoryLayout names, arenas and the memory record as bytes. `positions` counts the
  // elements, each of which leads to a position of its own; without a level below, none does.
  std::vector<Array> nodes;
  // Compressed, dynamic: every parent is known to have a child. Whoever changes the entries decides it anew.
  bool nonempty = false;
};

/// A tensor's data: what the storage descriptor of the kernel ABI describes. A value type; copies share arrays.
/// `values` has one element a position of the last level (one for an order-0 tensor); none where that is dynamic, for
/// then they are in its nodes.
struct Storage {
  Format format;
  Type type = Type::Float64;
  std::vector<std::int64_t> dimensions;  // by mode, global
  Scalar fill = Scalar::zero(Type::Float64);
  std::vector<LevelStorage> levels;
  Array values;

  int order() const { return format.order(); }
  /// Stored entries: all positions for dense, present ones for bitmap and hashed.
  std::int64_t stored() const;
  /// Places for values: `stored()`, but for empty slots of bitmaps and hash tables; known without looking at the
  /// arrays.
  std::int64_t places() const { return format.has_values_in_nodes() ? levels.back().positions : values.size(); }
  /// Bytes of all arrays; of nodes, those reserved.
  std::int64_t bytes() const;
};

/// Coordinates and values, structure of arrays: coordinates[m] is of coordinate_type(dimensions[m]),
/// one element an entry; `values` likewise. In any order, duplicates allowed.
struct CoordinateList {
  std::vector<std::int64_t> dimensions;
  std::vector<Array> coordinates;
  Array values;
  std::int64_t size() const { return values.size(); }
};

/// Int32 where `dimension` itself fits (so that a loop's bound does, too), else Int64.
Type coordinate_type(std::int64_t dimension);

/// Throws Error unless the arrays form a well-made tensor: sizes agree, positions ascend, coordinates lie in range and
/// keep the level's promises (ordered, unique). Bounded by O(stored). For arrays that come from outside.
void validate(const Storage& storage, const std::string& name);

}  // namespace lacuna
