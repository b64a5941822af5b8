#pragma once

#include "lacuna/lower/assemble/results.h"

namespace lacuna {

inline const concrete::Forall& forall_of(const iteration::Node& node) {
  return std::get<concrete::Forall>(node.stmt->kind);
}

/// Lowers a statement of concrete notation, with all that is in it.
void lower_statement(Context& context, const Results& results, const iteration::Node& node, const Scope& scope,
                     Statements& out);

}  // namespace lacuna
