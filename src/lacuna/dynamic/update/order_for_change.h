#pragma once

#include <optional>

#include "lacuna/notation/expr.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// The format in which a statement finds quickest what an operand stores where a small one, `change`, stores something:
/// the modes that the change's variables index come first. Of A(i,j) * dG(j,k) and a csr matrix A, csc: loops begin
/// with the few j of dG, instead of searching every row of A for them. None where the operand serves as it is: it is
/// dense, or searched anyhow, or begins with such a mode, or has none.
std::optional<Format> order_for_change(const Storage& operand, const Access& access, const Access& change);

}  // namespace lacuna
