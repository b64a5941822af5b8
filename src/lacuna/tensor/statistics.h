#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// What an automatic schedule may know of a tensor: how much it stores and how far each level spans.
struct Statistics {
  std::int64_t stored = 0;
  std::vector<std::int64_t> extents;    // by level
  std::vector<std::int64_t> positions;  // by level
};

/// Counts; linear in a bitmap's or hashed level's span, otherwise immediate.
Statistics statistics_of(const Storage& tensor);

/// One of seventeen classes: 0 for nothing, then one for each factor of sixteen (1 to 15, 16 to 255, …). Sizes of one
/// class are treated alike, so that a kernel is compiled for a kind of tensor and not for each.
int size_class(std::int64_t size);

/// The classes of all counts as a short text: equal texts get the same automatic schedule. "s5:4,4;4,5" reads: stored
/// class 5, then the classes of extent and positions of each level.
std::string statistics_key(const Statistics& statistics);

}  // namespace lacuna
