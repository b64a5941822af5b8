#pragma once

#include <string>
#include <vector>

#include "lacuna/concrete/blas_call.h"

namespace lacuna::concrete {

/// Whether the tensors of a call are stored so that BLAS can be handed what its loops, outermost first, run over: as
/// matrices and vectors of one type. Puts the variables of each role into the order in which they are stored. `why`
/// says what would have to be different.
bool check_operands(const Program& program, BlasCall& call, const std::vector<IndexVar>& loops, std::string& why);

}  // namespace lacuna::concrete
