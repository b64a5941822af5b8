#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// What a file says of a tensor before its entries.
struct PiecedTensor {
  std::vector<std::int64_t> dimensions;
  Type type = Type::Float64;
  bool is_dense = false;
  std::int64_t stored = 0;
};

/// Throws Error where a file of this name cannot hold such a tensor, naming what can. `fill`: what its absent entries
/// are.
void check_writable(const std::string& path, int order, Type type, bool is_dense, const Scalar& fill);

/// The mode along which pieces of a tensor follow each other in a file of this name, each block of its coordinates as a
/// stretch of the file: the first one of coordinate files, and the last one of array files. None where there is no such
/// mode: in .rb, .npy and .npz files, and of scalars.
std::optional<int> mode_of_pieces(const std::string& path, int order, bool is_dense);

/// Writes what write_file does, of a tensor of which only pieces are at hand, one after the other: `next` gives those
/// that are left, each a tensor by itself, whose coordinates are counted from 0 in its block.
void write_pieces(const std::string& path, const PiecedTensor& tensor,
                  const std::function<std::optional<Storage>()>& next);

}  // namespace lacuna
