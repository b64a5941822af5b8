#pragma once

#include <vector>

#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/distribute/sets/restriction.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// A part of a tensor as a processor keeps it: a tensor by itself, whose coordinates are numbered from 0 on. Coordinate
/// c of mode m in the whole is sets[m].rank(c) here. So whatever works on whole tensors works on parts, and parts that
/// are cut alike along a variable agree about its extent.
struct LocalPart {
  std::vector<IndexSet> sets;  // by mode
  Storage storage;             // its dimensions are the sets' sizes
};

/// The coordinates that lie in both.
std::vector<IndexSet> common(const std::vector<IndexSet>& a, const std::vector<IndexSet>& b);
/// So many coordinates still have a number of bytes.
inline constexpr std::int64_t largest_volume = std::int64_t{1} << 58;
/// How many coordinates lie in it, 1 of no modes; at most `largest_volume`.
std::int64_t volume_of(const std::vector<IndexSet>& region);
/// All coordinates of a tensor of these dimensions.
std::vector<IndexSet> all_of(const std::vector<std::int64_t>& dimensions);

/// What a restriction leaves of a tensor.
LocalPart local_part(const Storage& whole, const Restriction& restriction);
LocalPart whole_part(const Storage& whole);

/// What of a part lies in a region; or in a restriction that cuts by coordinates and stretches.
LocalPart cut(const LocalPart& part, const std::vector<IndexSet>& region);
LocalPart cut(const LocalPart& part, const Restriction& what);

/// The coordinates that a level of a part stores for entries in a restriction that cuts by coordinates and stretches.
IndexSet stored_coordinates(const LocalPart& part, const Restriction& what, int level);

/// How a part that is put together is stored.
struct PartShape {
  Format format;
  Type type = Type::Float64;
  Scalar fill = Scalar::zero(Type::Float64);
};
PartShape shape_of(const Storage& storage);

/// One part of a region, put together from parts that reach into it, of which no two hold the same entry.
LocalPart join(const std::vector<LocalPart>& parts, const std::vector<IndexSet>& region, const PartShape& shape);
/// One part of what lies in a restriction that cuts by coordinates and stretches, put together from such parts.
LocalPart join(const std::vector<LocalPart>& parts, const Restriction& what, const PartShape& shape);
/// The same as `join` of a region, in place of a part of before. Its memory is written over where it is a dense one of
/// this region that was put together from as much, and nobody else holds it.
void join_over(LocalPart& before, const std::vector<LocalPart>& parts, const std::vector<IndexSet>& region,
               const PartShape& shape);
/// A part as `join` makes one of several: with integers that are no wider than they need be.
LocalPart made_anew(const LocalPart& part);
/// The same as `join` of parts that may: these are added up in the order of the parts.
LocalPart add_up(const std::vector<LocalPart>& parts, const std::vector<IndexSet>& region, const PartShape& shape);

/// What a part weighs in a message: its values, and the coordinates that a format keeps with them.
std::int64_t bytes_to_send(const LocalPart& part);

}  // namespace lacuna
