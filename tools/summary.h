#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/support/quantity_text.h"  // IWYU pragma: export
#include "lacuna/tensor/print.h"
#include "lacuna/tensor/storage.h"

namespace lacuna::tool {

/// "100 x 200", or "scalar" for no dimensions.
std::string dimensions_text(const std::vector<std::int64_t>& dimensions);
/// "1 message", "3 messages".
std::string counted(std::int64_t number, std::string_view what);
/// "12.3 µs", "4.56 ms", "7.89 s".
std::string time_text(double milliseconds);
/// "csr, "; nothing for a scalar.
std::string format_text(const Format& format);
/// One line about a tensor: name, dimensions, type, format, stored entries, bytes.
std::string describe(const std::string& name, const Storage& tensor);
/// The first stored entries, one a line, "  (0, 3) = 0.5", 0-based; says when there are more. Then the 2-norm.
std::string sample(const std::string& name, const Storage& tensor, int count);

using Entry = StoredEntry;
/// The same text of the first entries of a tensor that stores so many, and has such a norm.
std::string sample_text(const std::string& name, const std::vector<Entry>& entries, std::int64_t stored, double norm);

/// Euclidean norm of the stored values (absolute values for complex ones).
double norm(const Storage& tensor);
/// Its square.
double sum_of_squares(const Storage& tensor);
/// The middle of the values (mean of the two middle ones for an even count).
double median(std::vector<double> values);

}  // namespace lacuna::tool
