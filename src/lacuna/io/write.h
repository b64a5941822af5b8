#pragma once

#include <string>

#include "lacuna/io/io.h"
#include "lacuna/io/pieces.h"
#include "lacuna/io/text_writer.h"

namespace lacuna {

// Each writes to `out` (and does not flush it). `name` appears in messages.

/// The whole text of a file. Throws Error for a tensor that its format cannot hold. `any_order`: .ttx, of FileFormat
/// MatrixMarket.
void write_text(const std::string& name, FileFormat format, bool any_order, const Storage& tensor, TextWriter& out);

/// Throws Error unless a matrix or a vector, or, with `any_order`, a tensor of any order but 0. Without that, a vector
/// is written as a matrix of one column.
void check_matrix_market(const std::string& name, int order, bool any_order);
/// What precedes the entries: of an array file for a dense tensor, else of a coordinate file.
void begin_matrix_market(const PiecedTensor& tensor, bool any_order, TextWriter& out);
/// Sorted entries of a coordinate file; coordinates of the first mode are counted from `first` on.
void write_matrix_market(const CoordinateList& entries, std::int64_t first, bool any_order, TextWriter& out);
/// Values of an array file: of a dense tensor, or of a block of its last mode.
void write_matrix_market_array(const Storage& tensor, TextWriter& out);

/// Throws Error for complex values.
void check_frostt(const std::string& name, int order, Type type);
/// What precedes the entries: of a tensor without any, a comment that says its dimensions.
void begin_frostt(const PiecedTensor& tensor, TextWriter& out);
/// Sorted entries, likewise. Throws Error for an integer that is not exact as float64.
void write_frostt(const std::string& name, const CoordinateList& entries, std::int64_t first, TextWriter& out);

/// Throws Error unless a matrix.
void check_rutherford_boeing(const std::string& name, int order);
/// All of the file. Throws Error for an integer that is too large.
void write_rutherford_boeing(const std::string& name, const Storage& tensor, TextWriter& out);

/// Throws Error unless dense.
void check_npy(const std::string& name, bool is_dense);
void write_npy(const Storage& tensor, TextWriter& out);
/// Throws Error unless a matrix.
void check_npz(const std::string& name, int order);
/// As SciPy's save_npz: compressed columns of a tensor that is stored so, else compressed rows.
void write_npz(const Storage& tensor, TextWriter& out);

}  // namespace lacuna
