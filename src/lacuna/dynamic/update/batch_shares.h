#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/dynamic/lower/dynamic_level.h"
#include "lacuna/dynamic/update/kernel_arguments.h"
#include "lacuna/tensor/array.h"

namespace lacuna {

/// The updates of one thread: [begin, end) of a batch, of which `done` are made.
struct BatchShare {
  std::int64_t begin = 0, end = 0, done = 0;
  std::int64_t size() const { return end - begin; }
};

/// Cuts a sorted batch into at most so many shares, about equally large, where a coordinate of the levels above the
/// last changes: no two shares change one tree. `above`: the coordinates of those levels.
std::vector<BatchShare> cut_into_shares(std::span<const Array> above, std::int64_t updates, int shares);

/// When threads share a batch, and what they may take.
struct SharingOptions {
  std::int64_t least_share = 4096;              // updates: with fewer, starting a thread takes longer than what it does
  std::int64_t most_room = dynamic::most_room;  // of an array of nodes or slots
};

/// What threads need to make shares of a batch of a tensor at once, in a format that updates_in_shares.
struct SharedBatch {
  const UpdatePlan& plan;  // of UpdatePart::Entries
  const Options& options;
  const SharingOptions& sharing;
  const Storage& shape;
  std::vector<Type> coordinates;  // types by level
  std::vector<const void*> columns;
  const void* values;
};

/// What they did.
struct SharedOutcome {
  std::int64_t entries = 0;  // more entries in the last level than before
  std::int64_t changed = 0;  // as UpdateCounts::changed
};

/// Makes the shares, a thread each, on arrays that are enlarged as necessary. Where that is not possible, shares are
/// left undone in part. The places above the last level are there, and the memory is nobody else's.
SharedOutcome make_shares(const SharedBatch& batch, NodeMemory& memory, std::vector<BatchShare>& shares);

}  // namespace lacuna
