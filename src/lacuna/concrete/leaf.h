#pragma once

#include <span>
#include <string_view>

#include "lacuna/concrete/program.h"

namespace lacuna::concrete {

/// What a leaf computes. Each variable of its loops has a role, by the tensors that it indexes: rows (the result and
/// the left operand), columns (the result and the right one) or inner (both operands: it is summed over).
struct LeafShape {
  Leaf leaf;
  std::string_view name;  // the word of schedules
  bool rows, columns, inner;
  std::string_view form;
  /// How many factors of the product the loops run over: the others are one number meanwhile.
  int operands() const { return columns || inner ? 2 : 1; }
};

/// All leaves. BLAS has the transposes and the other order of operands as well.
std::span<const LeafShape> leaf_shapes();
const LeafShape& shape_of(Leaf leaf);

}  // namespace lacuna::concrete
