#include "lacuna/concrete/leaf.h"

#include <algorithm>
#include <array>

#include "lacuna/support/check.h"

namespace lacuna::concrete {

std::span<const LeafShape> leaf_shapes() {
  static constexpr std::array<LeafShape, 5> all{{
      {Leaf::Gemm, "BLAS.gemm", true, true, true, "C(m,n) += a * A(m,k) * B(k,n)"},
      {Leaf::Gemv, "BLAS.gemv", true, false, true, "y(m) += a * A(m,k) * x(k)"},
      {Leaf::Ger, "BLAS.ger", true, true, false, "A(m,n) += a * x(m) * y(n)"},
      {Leaf::Dot, "BLAS.dot", false, false, true, "s += a * x(k) * y(k)"},
      {Leaf::Axpy, "BLAS.axpy", true, false, false, "y(m) += a * x(m)"},
  }};
  return all;
}

const LeafShape& shape_of(Leaf leaf) {
  const auto all = leaf_shapes();
  const auto it = std::find_if(all.begin(), all.end(), [&](const LeafShape& s) { return s.leaf == leaf; });
  internal_check(it != all.end(), "a leaf that is not in the table");
  return *it;
}

std::string_view name_of(Leaf leaf) { return leaf == Leaf::None ? "" : shape_of(leaf).name; }

}  // namespace lacuna::concrete
