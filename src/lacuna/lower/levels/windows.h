#pragma once

#include <optional>

#include "lacuna/lower/context/context.h"

namespace lacuna {

/// A stretch [low, high) of a variable's values.
struct Window {
  loop::Expr low, high;
  std::int64_t length = 0;  // where it is known to be always the same
};

/// What the loops outside say of derived variables and of those that they come from (concrete/provenance.h).
class Windows {
 public:
  Windows(Context& context, const Scope& scope) : context_(context), scope_(scope) {}

  /// The values of v that the loops outside leave, as one stretch; none where they leave all.
  std::optional<Window> of(const IndexVar& v);
  /// The first value of v: 0 for a derived variable.
  loop::Expr first(const IndexVar& v);
  /// How many values v takes.
  loop::Expr extent(const IndexVar& v);
  /// The values that a loop over v runs through.
  Window run(const IndexVar& v);

  /// Whether the loops outside say exactly what v is.
  bool is_known(const IndexVar& v) const;
  /// That value, of a variable whose loops are all bound. Adds to `valid` what must hold for it to be one of v's:
  /// pieces reach past the end.
  loop::Expr value(const IndexVar& v, loop::Expr& valid);

 private:
  /// The value of v where it, or what it was derived from, has a loop.
  std::optional<loop::Expr> looped(const IndexVar& v);
  loop::Expr piece_length(const concrete::Split& s);
  std::optional<Window> of_pieces(const IndexVar& v, const concrete::Split& s);
  std::optional<Window> of_pairs(const IndexVar& v, const concrete::Fuse& f);
  loop::Expr divisor(const concrete::Fuse& f);
  loop::Expr limited(std::int64_t size, const IndexVar& parent);

  Context& context_;
  const Scope& scope_;
};

/// Adds the variables of the statement that are known in the scope now that `bound` is, and what their values require;
/// true where there are none or nothing can go wrong.
loop::Expr recover(Context& context, const IndexVar& bound, Scope& scope, Statements& out);

/// The positions that the levels of a path from `first` to `last` store under the handle that the scope has: one
/// stretch.
Window positions_under(Context& context, const Path& path, int first, int last, const Handle& parent);

}  // namespace lacuna
