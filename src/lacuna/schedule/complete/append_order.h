#pragma once

#include <optional>

#include "lacuna/concrete/program.h"

namespace lacuna {

/// The variables of the result in the order in which the loops run through them, where that is lexicographic: all of
/// one variable's loops, pieces before what is in them, come before those of the next. None otherwise. Variables of
/// `block`, and whatever loops are among or below theirs, do not count.
std::optional<std::vector<IndexVar>> append_order(const concrete::Program& program,
                                                  const std::vector<IndexVar>& block = {});

/// Whether the loops come to each entry above a block of dense levels once, in whatever order, and only then to those
/// over the block.
bool comes_to_whole_blocks(const concrete::Program& program, const std::vector<IndexVar>& block);

/// Whether results of this format are made by appending in level order: dense levels, then at least one compressed one,
/// then dense ones.
bool appendable(const Format& f);

}  // namespace lacuna
