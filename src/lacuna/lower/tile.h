#pragma once

#include "lacuna/lower/assemble/assembler.h"
#include "lacuna/lower/context.h"

namespace lacuna {

/// A piece of a row of the result whose sums are collected in a local array, which compilers keep in registers:
///
///   double w[8] = {0};
///   for (p = A2_pos[i]; …) for (li = 0; li < 8; li++) w[li] += A_vals[p] * X_vals[… + li];
///   for (li = 0; li < 8; li++) Y_vals[… + li] = w[li];
struct Tile {
  const Access* target;   // of the one assignment
  concrete::Split split;  // of the variable that the row runs along
  loop::Expr first;       // its first value
  loop::Expr count;       // how many values; all of the split's size where the piece is whole
};

/// The tile that the loop adds to, where it is one: the loop is over what is summed, and inside it all of a piece of a
/// dense result is added to, in a loop that is unrolled whole. None where a tile is being added to already.
std::optional<Tile> tile_of(Context& context, const concrete::Forall& f, const Scope& scope);

/// Declares the tile's sums; in the scope returned, they are what is added to.
Scope begin_tile(Context& context, const Tile& tile, const Scope& scope, Statements& out);
/// Adds to the sum at hand.
void add_to_tile(Context& context, const Computed& value, const Scope& scope, Statements& out);
/// Stores (or adds) the sums to the result.
void end_tile(Context& context, Assembler& result, const Tile& tile, const Scope& scope, const Scope& inside,
              Statements& out);

/// Whether a loop inside `s` runs through whole pieces of the split in copies, all of them unrolled.
bool unrolls_pieces(const concrete::Stmt& s, const concrete::Split& split);

}  // namespace lacuna
