#pragma once

#include "lacuna/dynamic/schema/memory_layout.h"

namespace lacuna::schema {

/// A run of bytes that both layouts of a node have.
struct CopiedBytes {
  std::int64_t from = 0, to = 0, size = 0;
};

/// Whether a level of one layout can be copied into another of the same schema and coordinates whose values have
/// another type: their segments must have the same sizes, and these depend on how wide the arrays of a pool are.
bool has_like_segments(const MemoryLayout& from, const MemoryLayout& to);

/// What a copy of a record takes over: all fields but values, neighbours as one run.
std::vector<CopiedBytes> copied_bytes(const MemoryRecord& from, const MemoryRecord& to);

}  // namespace lacuna::schema
