#include "lacuna/dynamic/schema/copied_layout.h"

#include <algorithm>

namespace lacuna::schema {

bool has_like_segments(const MemoryLayout& from, const MemoryLayout& to) {
  return std::equal(from.pools.begin(), from.pools.end(), to.pools.begin(), to.pools.end(),
                    [](const PoolLayout& a, const PoolLayout& b) { return a.link_slots() == b.link_slots(); });
}

std::vector<CopiedBytes> copied_bytes(const MemoryRecord& from, const MemoryRecord& to) {
  std::vector<CopiedBytes> runs;
  for (const MemoryField& field : from.fields) {
    if (field.slot.is_value) continue;
    const CopiedBytes next{field.offset, to.at(field.name).offset,
                           std::max<std::int64_t>(field.count, 1) * size_of(field.slot.type)};
    CopiedBytes* const last = runs.empty() ? nullptr : &runs.back();
    if (last != nullptr && last->from + last->size == next.from && last->to + last->size == next.to)
      last->size += next.size;
    else runs.push_back(next);
  }
  return runs;
}

}  // namespace lacuna::schema
