#pragma once

#include <string>

#include "lacuna/io/io.h"
#include "lacuna/io/text_writer.h"

namespace lacuna {

// Each writes a whole file's text to `out` (and does not flush it). `name` appears in messages. Each throws Error for a
// tensor that its format cannot hold.

/// An array file for a dense tensor, else a coordinate file. With `any_order` a tensor of any order but 0 (.ttx), else
/// a matrix.
void write_matrix_market(const std::string& name, const Storage& tensor, bool any_order, TextWriter& out);
void write_frostt(const std::string& name, const Storage& tensor, TextWriter& out);
void write_rutherford_boeing(const std::string& name, const Storage& tensor, TextWriter& out);

}  // namespace lacuna
