#pragma once

#include <optional>
#include <vector>

#include "lacuna/concrete/program.h"

namespace lacuna::concrete {

/// A piece of a dense row of the result, or of a workspace that comes whole, that a loop over what is summed adds to
/// again and again: its sums are collected in a local array, which compilers keep in registers.
///
///   forall lo                              double w[8] = {0};
///     forall k                      ->     for (p = A2_pos[i]; …) for (li = 0; li < 8; li++) w[li] += …
///       forall l  (unroll 8)               for (li = 0; li < 8; li++) Y_vals[…] = w[li];
///         Y(i,l) += A(i,k) * X(k,l)
struct RowPiece {
  const Assign* assign;  // the one that adds
  Split split;           // of the variable that the row runs along
  bool revisited;        // loops outside come to the same piece again, or other assignments add to it
};

/// The piece that the loop adds to, where all of it is in the body's one unrolled loop over dense operands and there is
/// a place for each of its entries. `bound`: the variables that are known outside.
std::optional<RowPiece> row_piece(const Program& program, const Forall& f, const std::vector<IndexVar>& bound);

/// Whether entries of a target are added to again, by other assignments or by loops that go on outside of those over
/// its coordinates. `known`: the variables of the loops outside.
bool is_revisited(const Program& program, const Access& target, const std::vector<IndexVar>& known);

/// Whether a loop in the statement runs through pieces of the split that are unrolled whole, or by vector lanes: code
/// for whole pieces then has loops of constant length.
bool has_fixed_pieces(const Stmt& s, const Split& split);
/// Whether they are unrolled whole.
bool unrolls_pieces(const Stmt& s, const Split& split);

}  // namespace lacuna::concrete
