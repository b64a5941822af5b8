#pragma once

#include <vector>

#include "lacuna/concrete/program.h"

namespace lacuna::concrete {

/// One program that makes the results of several. Loops over one variable that lie over each other become one where
/// they come to the same: to all coordinates, or to those of a sparse operand that both read alike; others are run one
/// after the other:
///
///   forall i forall j A(i,j) = B(i,j) + C(i,j)
///   forall i y(i) = t where forall j t += B(i,j)*x(j)
///     ->  forall i {forall j A(i,j) = B(i,j) + C(i,j); y(i) = t where forall j t += B(i,j)*x(j)}
///
/// Operands of one name are the same, and so are variables of one name and extent unless the schedules replaced them
/// differently. No
/// result may be read by another program, and none may take more than one pass. A loop that not all programs put on
/// threads is run by one. Throws InternalError where that is not so.
Program join(const std::vector<Program>& programs);

}  // namespace lacuna::concrete
