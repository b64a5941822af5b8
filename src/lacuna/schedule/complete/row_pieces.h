#pragma once

#include "lacuna/concrete/program.h"

namespace lacuna {

/// The program with a mark at each loop that adds to one piece of a row again and again (concrete/row_piece.h): its
/// sums are collected in registers.
concrete::Stmt mark_row_pieces(const concrete::Program& program);

}  // namespace lacuna
