#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "lacuna/dynamic/schema/memory_layout.h"

namespace lacuna {

/// Indices of nodes, or positions of slots: [begin, end).
struct IndexRange {
  std::int64_t begin = 0, end = 0;
  std::int64_t size() const { return end - begin; }
};

/// Where a dynamic level takes nodes of one type, or slots of one pool, from: what its memory record says of them, by
/// offset, and how those that were given back are linked (docs/decisions/0008-level-functions.md).
struct Supply {
  std::int64_t next = 0, limit = 0, free = 0;  // of 32-bit numbers in the memory record
  std::size_t lists = 1;                       // of what was given back: one of nodes, one a class of segments
  bool of_roots = false;
  bool of_nodes = true;            // else slots of a pool
  std::int64_t least_segment = 1;  // of slots: what a link takes
  // The link of item k is `link_bytes` wide, at link_offset + k * link_stride of an array.
  std::size_t link_array = 0;
  std::int64_t link_offset = 0, link_stride = 0;
  int link_bytes = 4;
};

/// Those of a level: of nodes in the order of the schema, and then of pools.
std::vector<Supply> supplies_of(const schema::MemoryLayout& layout);

/// 32-bit numbers in memory records.
inline std::int64_t record_number(const void* record, std::int64_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, static_cast<const std::byte*>(record) + offset, sizeof value);
  return value;
}
inline void set_record_number(void* record, std::int64_t offset, std::int64_t value) {
  const auto narrow = static_cast<std::uint32_t>(value);
  std::memcpy(static_cast<std::byte*>(record) + offset, &narrow, sizeof narrow);
}

/// The list of what was given back, of nodes or of a class of segments, over the array that links it. Its items are
/// counted from 1, so that 0 is the end.
class FreeList {
 public:
  FreeList(const Supply& supply, std::size_t list, void* link_array)
      : supply_(supply), offset_(supply.free + 4 * static_cast<std::int64_t>(list)), array_(link_array) {}

  std::uint32_t first(const void* record) const { return static_cast<std::uint32_t>(record_number(record, offset_)); }
  void set_first(void* record, std::uint32_t item) const { set_record_number(record, offset_, item); }

  /// The item that follows one in the list; 0 at the end.
  std::uint32_t behind(std::uint32_t item) const;
  void set_behind(std::uint32_t item, std::uint32_t next) const;
  /// The last item of the list that begins with one.
  std::uint32_t last(std::uint32_t item) const;

 private:
  std::byte* link_of(std::uint32_t item) const {
    return static_cast<std::byte*>(array_) + supply_.link_offset + (item - std::int64_t{1}) * supply_.link_stride;
  }

  const Supply& supply_;
  std::int64_t offset_;
  void* array_;
};

}  // namespace lacuna
