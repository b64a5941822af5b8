#pragma once

#include <vector>

#include "lacuna/concrete/program.h"

namespace lacuna::concrete {

/// Along which modes the producer of a dense workspace comes to all coordinates if it comes to any, whatever those of
/// the others: its loops over them run through whole extents (or through all of the piece that the workspace is for),
/// and what is added is present at all coordinates or at none. One mark then says for all of them whether anything is
/// there. None of those of other workspaces. Where marks are for rows, none along which threads share the workspace.
std::vector<bool> whole_modes(const Program& program, const TensorVar& workspace);

/// Whether these are all modes: there is either something everywhere, or nothing at all.
bool is_filled_whole(const Program& program, const TensorVar& workspace);

/// Whether there is always something at all coordinates of a workspace that is filled whole: no flag need say so.
bool is_always_filled(const Program& program, const TensorVar& workspace);

/// The loop over pieces of a workspace's mode that it is filled and read inside of: it need have room for one piece
/// only. Null where there is none.
const Split* piece_of_mode(const Program& program, const TensorVar& workspace, int mode);

/// For how many coordinates of a mode a workspace has room: all that there are, or those of one piece.
std::int64_t room_along(const Program& program, const TensorVar& workspace, int mode);

}  // namespace lacuna::concrete
