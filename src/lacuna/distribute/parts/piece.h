#pragma once

#include "lacuna/distribute/sets/restriction.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// How a piece is made: of views of the whole's arrays where they are stretches of them, which keep their positions
/// (only what is clipped or has holes is new memory), or of arrays of its own that start at position 0, for moving.
enum class PieceMemory : std::uint8_t { InPlace, Packed };

/// The part of a tensor as a tensor of the same format with the same dimensions and coordinates, which holds exactly
/// the part's entries. Levels that store or mark every coordinate do so in the range of the part's coordinates
/// (boxes_of), and store nothing below those that are not the part's. `live` is what live_positions gives.
Storage make_piece(const Storage& whole, const Restriction& box, const std::vector<IndexSet>& live, PieceMemory memory);

}  // namespace lacuna
