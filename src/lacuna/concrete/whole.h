#pragma once

#include "lacuna/concrete/program.h"

namespace lacuna::concrete {

/// Whether the producer of a dense workspace comes to all of its coordinates if it comes to any: its loops over them
/// run through whole extents, and what is added is present at all coordinates or at none. One flag then says for all of
/// them whether anything is there.
bool is_filled_whole(const Program& program, const TensorVar& workspace);

/// Whether there is always something at all coordinates of a workspace that is filled whole: no flag need say so.
bool is_always_filled(const Program& program, const TensorVar& workspace);

/// Whether what its producer adds is collected in registers and then stored, everywhere once (row_piece.h), so that it
/// need not be zeroed before.
bool is_stored_in_pieces(const Program& program, const TensorVar& workspace);

}  // namespace lacuna::concrete
