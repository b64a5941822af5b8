#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/api/expression.h"
#include "lacuna/api/value.h"

namespace lacuna {

/// The left side of an assignment: where it is written, and what was declared of the tensor.
struct Destination {
  TensorVar tensor;
  std::vector<IndexVar> indices;
  Type type = Type::Float64;
  std::optional<std::vector<std::int64_t>> dimensions;  // none: taken from the right side
  std::optional<Format> format;                         // none: inferred
  ValuePtr old;                                         // what it holds now; null when it has no dimensions yet
  std::optional<Distribution> placed = {};              // its distribution
  std::shared_ptr<KeptOnMachine> kept = {};             // of what was assigned to it before; may be null
};

/// The value of `destination = right` or `destination += right`: checked now, computed when first read. Tensors without
/// a name get one (A, B, …), in order of appearance. Throws Error for what index notation refuses and for dimensions
/// that disagree.
ValuePtr assign(const Destination& destination, bool accumulate, const Expression& right);

/// Throws Error unless `name` is empty or an identifier (letters, digits and _, no digit first).
void check_identifier(const std::string& what, const std::string& name);

/// Whether a variable is called as those are that were made without a name (i1, i2, …). Each assignment numbers them
/// from 1.
bool has_generated_name(const IndexVar& var);

}  // namespace lacuna
