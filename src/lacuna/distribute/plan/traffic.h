#pragma once

#include <cstdint>

#include "lacuna/format/distribution/machine.h"

namespace lacuna {

/// What moved between processors that do not share a memory.
struct Traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::int64_t farthest = 0;  // the longest way that something went, in steps from processor to processor
};

/// Counts so many bytes that go from one processor to another; within a memory, nothing moves.
void count(Traffic& traffic, const Machine& machine, std::int64_t bytes, std::int64_t from, std::int64_t to);
void add(Traffic& sum, const Traffic& more);

}  // namespace lacuna
