#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/distribute/sets/stretch.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Which part of a tensor is meant: the entries whose coordinates are in these sets and, at levels that are cut by what
/// they store, whose positions are.
struct Restriction {
  std::vector<IndexSet> coordinates;               // by mode
  std::vector<std::optional<IndexSet>> positions;  // by level
  std::vector<Stretch> stretches = {};             // all of which an entry lies in

  bool cuts_positions() const {
    return !stretches.empty() ||
           std::any_of(positions.begin(), positions.end(), [](const auto& p) { return p.has_value(); });
  }
};

/// What lies in both; `is_empty` tells where nothing does, as far as that can be told without the entries.
Restriction common(const Restriction& a, const Restriction& b);
bool is_empty(const Restriction& what);
/// Whether the bounds of their coordinates alone tell that nothing lies in both: quicker than to make what does.
bool have_bounds_apart(const Restriction& a, const Restriction& b);

/// All of a tensor of these dimensions.
Restriction whole_of(const std::vector<std::int64_t>& dimensions);

/// Everything that the storage holds.
Restriction whole_of(const Storage& storage);

/// By level, the positions that lead to an entry of the part: from parent to child, then those left without a child
/// taken away from child to parent.
std::vector<IndexSet> live_positions(const Storage& storage, const Restriction& part);

/// A level that splits in equal numbers (`~`) over the outermost levels up to `level` count and cut at: the innermost
/// of them that neither stores everything nor repeats the positions above.
int counted_level(const Format& format, int level);

/// The part in boxes: for levels that store or mark every coordinate of a range, coordinates have to be a range, so
/// sets of several ranges give a part each. One where there is nothing to cut, even if that is empty.
std::vector<Restriction> boxes_of(const Restriction& part, const Format& format);

}  // namespace lacuna
