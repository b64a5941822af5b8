#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// True for the formats that pack_rows builds: a dense level, then a compressed one (CSR, CSC).
bool is_rows(const Format& format);

/// Builds such a tensor from entries in any order, faster than by sorting them all: a counting sort deals them to their
/// rows, where few remain to be sorted. Uses no memory but the result's.
Storage pack_rows(const Entries& entries, const std::vector<std::int64_t>& dimensions, const Format& format,
                  Duplicates duplicates, const Scalar& fill, int threads);

}  // namespace lacuna
