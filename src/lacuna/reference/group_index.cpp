#include "lacuna/reference/group_index.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lacuna::reference {
namespace {

std::uint64_t hash(std::span<const std::int64_t> key) {
  std::uint64_t h = 0;
  for (const std::int64_t c : key) {
    h = (h ^ static_cast<std::uint64_t>(c)) * 0x9E3779B97F4A7C15U;
    h ^= h >> 32U;
  }
  return h;
}

}  // namespace

GroupIndex::GroupIndex(const CoordinateRows& rows, std::vector<int> key_modes,
                       const std::vector<std::pair<int, int>>& equal_modes)
    : rows_(&rows),
      key_modes_(std::move(key_modes)),
      heads_(std::bit_ceil(static_cast<std::size_t>(2 * rows.size + 1)), -1),
      next_(static_cast<std::size_t>(rows.size), -1) {
  std::vector<std::int64_t> key(key_modes_.size());
  // Backwards, so that every chain ascends.
  for (std::int64_t entry = rows.size - 1; entry >= 0; --entry) {
    const std::int64_t* row = rows.row(entry);
    const auto same = [&](const auto& pair) { return row[pair.first] == row[pair.second]; };
    if (!std::all_of(equal_modes.begin(), equal_modes.end(), same)) continue;
    for (std::size_t k = 0; k < key.size(); ++k) key[k] = row[key_modes_[k]];
    std::int64_t& head = heads_[slot_of(key)];
    next_[static_cast<std::size_t>(entry)] = head;
    head = entry;
  }
}

std::int64_t GroupIndex::first(std::span<const std::int64_t> key) const { return heads_[slot_of(key)]; }

std::size_t GroupIndex::slot_of(std::span<const std::int64_t> key) const {
  const std::size_t mask = heads_.size() - 1;
  std::size_t slot = hash(key) & mask;
  while (heads_[slot] >= 0) {
    const std::int64_t* row = rows_->row(heads_[slot]);
    std::size_t k = 0;
    while (k < key.size() && row[key_modes_[k]] == key[k]) ++k;
    if (k == key.size()) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

}  // namespace lacuna::reference
