#pragma once

#include "lacuna/lower/context/computed.h"
#include "lacuna/lower/context/context.h"

// Temporaries with a value for each entry of an operand: what is computed where it has entries is stored at their
// positions, and read by whoever comes to them again.
namespace lacuna {

/// The values, allocated in `before` and released in `after`: once around the nest, or by each thread.
loop::Var declare_pattern_values(Context& context, const concrete::Tensor& tensor, Statements& before,
                                 Statements& after);

/// Before the producer runs: makes all values zero, if it is to add to them.
void clear_pattern_values(Context& context, const TensorVar& temporary, const Scope& scope, Statements& out);

/// Stores or adds a value at the entry that the loops have come to.
void store_pattern_value(Context& context, const concrete::Assign& assign, const Computed& value, const Scope& scope,
                         Statements& out);

}  // namespace lacuna
