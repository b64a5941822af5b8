#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/concrete/program.h"

namespace lacuna::concrete {

/// What a nest of three loops computes where it multiplies matrices that are parts of dense tensors:
///
///   forall i                                    cblas_dgemm(…, &w[i_first], …, D_vals, …, &A_vals[i_first], …)
///     forall k                           ->
///       forall l
///         A(i,l) += w(i,k) * D(k,l)
struct MatrixProduct {
  const Assign* assign;
  Access left, right;          // as they stand in the product
  IndexVar of_left, of_right;  // the variables of the target that only one of them has
  IndexVar inner;              // the one that is summed over
  bool adds;                   // loops outside come to the same entries of the target again
};

/// The product that a nest of loops tagged with Leaf::Gemm stands for; `bound`: the variables that are known outside.
/// None where it is no such product: `why` then says what would have to be different.
std::optional<MatrixProduct> matrix_product(const Program& program, const Forall& f, const std::vector<IndexVar>& bound,
                                            std::string& why);

}  // namespace lacuna::concrete
