#pragma once

#include "lacuna/dynamic/lower/structure.h"

// A place says where the value of an entry is, in one Int64: -1 for nothing; otherwise, from the low bits up, whether
// the entry is new, which element field of which node it is in, the slot (of arrays in the node), and the index of the
// node, or of the slot in its pool (of arrays that lie elsewhere). It is good until the level is changed.
namespace lacuna::dynamic {

/// The place of `node_name.field[slot]` (slot undefined where the field is no array), as an entry that was there or
/// that is `added`.
loop::Expr place_of(const Structure& structure, const std::string& node_name, const std::string& field,
                    const loop::Expr& node, const loop::Expr& slot, bool added);
inline constexpr std::int64_t nothing = -1;

/// What is asked of the result of `find` and `insert`.
loop::Expr is_nothing(const loop::Expr& place);
loop::Expr is_added(const loop::Expr& place);
/// The coordinate and the value there. Not of nothing. Of an element whose coordinate is stored as a difference, -1: it
/// is a sum that the place does not tell.
loop::Expr coordinate_at(const Structure& structure, const loop::Var& place);
loop::Expr value_at(const Structure& structure, const loop::Var& place);
/// value_at(place) = value
loop::Stmt store_value(const Structure& structure, const loop::Var& place, const loop::Expr& value);

}  // namespace lacuna::dynamic
