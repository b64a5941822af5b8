#pragma once

#include <memory>

#include "lacuna/io/npy_header.h"
#include "lacuna/io/numbered_entries.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// A NumPy array (.npy): all values of a dense tensor. Fails for element types that we do not have, and where the file
/// is not as long as it says. The bytes must outlive the result.
std::unique_ptr<const NumberedEntries> read_npy(const Text& text);

/// Checks that the data are there, and gives their type.
NpyType checked_npy_type(const Text& text, const NpyHeader& header);
/// The data of an array of one dimension. `what` ("the row indices") appears in messages.
Array read_npy_vector(const Text& text, const std::string& what);

}  // namespace lacuna
