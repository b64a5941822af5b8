#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Builds a tensor from sorted entries without duplicates; `fill` is what full and located levels hold elsewhere.
Storage build_entries(const Entries& entries, const std::vector<std::int64_t>& dimensions, const Format& format,
                      const Scalar& fill, int threads);

/// build() for a tensor whose absent entries stand for `fill`. A list that is moved here is given back as early as can
/// be: unsorted entries then take twice their memory at a time.
Storage build_with_fill(CoordinateList list, const Format& format, const BuildOptions& options, const Scalar& fill);

}  // namespace lacuna
