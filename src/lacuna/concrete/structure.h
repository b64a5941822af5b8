#pragma once

#include "lacuna/concrete/walk.h"

namespace lacuna::concrete {

/// Whether the entries assigned to a tensor are structural (semantics.md, "Absence"): all, none, or it depends on the
/// coordinate.
enum class Structure : std::uint8_t { Never, Mixed, Always };

/// Over every assignment to `target` in the program, temporaries looked through.
Structure structure_of(const Program& program, const TensorVar& target);

/// The single access of a result on the left (every assignment to it uses the same indices).
Access result_access(const Program& program, const TensorVar& result);

}  // namespace lacuna::concrete
