#pragma once

#include <memory>

#include "lacuna/io/numbered_entries.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// A sparse matrix as SciPy's save_npz writes it (.npz): csr, csc or coo. Fails for other formats, and for arrays that
/// do not form a matrix.
std::unique_ptr<const NumberedEntries> read_npz(const Text& text);

}  // namespace lacuna
