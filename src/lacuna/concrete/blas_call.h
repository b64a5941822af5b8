#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/concrete/program.h"

namespace lacuna::concrete {

/// The call of BLAS that a nest of loops tagged with a leaf (leaf.h) stands for, on parts of tensors that are dense
/// there:
///
///   forall i                                    cblas_dgemm(…, &w[i_first], …, D_vals, …, &A_vals[i_first], …)
///     forall k                           ->
///       forall l
///         A(i,l) += w(i,k) * D(k,l)
///
/// Several variables of one role are run through as one, since each tensor that has them stores them as one.
struct BlasCall {
  Leaf leaf = Leaf::None;
  const Assign* assign = nullptr;
  std::optional<Expr> scalar = std::nullopt;   // the factors that stay the same in all of the loops; none: 1
  Access left = {};                            // a matrix, if one of two is
  std::optional<Access> right = std::nullopt;  // none: the leaf has one operand
  std::vector<IndexVar> rows = {};             // the loops that left and target have, as they store them
  std::vector<IndexVar> columns = {};          // right and target
  std::vector<IndexVar> inner = {};            // left and right
  bool adds = false;                           // to what the target has already

  /// The operands.
  std::vector<Access> operands() const;
  bool has_loop(const IndexVar& v) const;
};

/// The call that a nest of loops tagged with a leaf stands for; `bound`: the variables that are known outside. None
/// where BLAS cannot do that: `why` then says what would have to be different.
std::optional<BlasCall> blas_call(const Program& program, const Forall& f, const std::vector<IndexVar>& bound,
                                  std::string& why);

/// The first level of a tensor that one of the loops of a call runs over: all from there on are dense.
int first_level_inside(const Program& program, const Access& access, const BlasCall& call);

}  // namespace lacuna::concrete
