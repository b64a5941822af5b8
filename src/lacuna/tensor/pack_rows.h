#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

struct PackOptions {
  Duplicates duplicates = Duplicates::Sum;
  Scalar fill;
  int threads = 1;
  bool settled = false;  // the entries of a row are known to come in ascending order of their columns, none twice
};

/// True for what pack_rows builds: a dense level, then a compressed one (CSR, CSC), with coordinates of one width.
bool is_packed(const Entries& entries, const Format& format);

/// Builds such a tensor from entries in any order, faster than by sorting them all: a counting sort deals them to their
/// rows, where few remain to be sorted. Needs little memory but the result's.
Storage pack_rows(const Entries& entries, const std::vector<std::int64_t>& dimensions, const Format& format,
                  const PackOptions& options);

/// The same for a matrix that is stored by the other mode (CSR as CSC, or DCSR as CSC), without a coordinate for each
/// entry. Nothing for other tensors.
std::optional<Storage> transpose_rows(const Storage& tensor, const Format& format, int threads);

}  // namespace lacuna
