#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lacuna::reference {

/// The coordinates of a tensor's entries, one row an entry.
struct CoordinateRows {
  int order = 0;
  std::int64_t size = 0;
  std::vector<std::int64_t> flat;
  const std::int64_t* row(std::int64_t entry) const { return flat.data() + entry * order; }
};

/// Finds the entries that have given coordinates in some of their modes: a hash table from key to a chain of entries.
class GroupIndex {
 public:
  /// Indexes the rows by `key_modes`; rows whose coordinates differ in one of the pairs `equal_modes` are left out.
  /// The rows have to outlive the index.
  GroupIndex(const CoordinateRows& rows, std::vector<int> key_modes,
             const std::vector<std::pair<int, int>>& equal_modes = {});

  /// The first entry with this key (one coordinate a key mode), or -1.
  std::int64_t first(std::span<const std::int64_t> key) const;
  /// The entry after `entry` with the same key, in ascending order, or -1.
  std::int64_t next(std::int64_t entry) const { return next_[static_cast<std::size_t>(entry)]; }

 private:
  std::size_t slot_of(std::span<const std::int64_t> key) const;

  const CoordinateRows* rows_;
  std::vector<int> key_modes_;
  std::vector<std::int64_t> heads_;  // by hash slot; -1 where empty
  std::vector<std::int64_t> next_;   // by entry
};

}  // namespace lacuna::reference
