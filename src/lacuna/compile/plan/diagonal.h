#pragma once

#include "lacuna/compile/plan/request.h"

namespace lacuna {

// A(i,i) += e leaves what is off the diagonal as it was. It is done in two steps: a kernel makes the new diagonal,
// diagonal(i,i) = A(i,i) + (e), and that takes the place of the old one.

/// Whether the statement is such a one.
bool updates_diagonal(const Statement& s);

/// The request that makes the new diagonal, in coordinates, of the result's type.
Request diagonal_request(const Request& request);

/// `old` with its diagonal (the coordinates that agree where `lhs` repeats a variable) replaced, in another format and
/// type.
Storage with_diagonal(const Storage& old, const Storage& diagonal, const Access& lhs, const Format& format, Type type,
                      int threads);

}  // namespace lacuna
