#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna::tool {

/// "100 x 200", or "scalar" for no dimensions.
std::string dimensions_text(const std::vector<std::int64_t>& dimensions);
/// "12 bytes", "3.4 MB".
std::string bytes_text(std::int64_t bytes);
/// "12.3 us", "4.56 ms", "7.89 s".
std::string time_text(double milliseconds);
/// One line about a tensor: name, dimensions, type, format, stored entries, bytes.
std::string describe(const std::string& name, const Storage& tensor);
/// The first stored entries, one a line, "  (0, 3) = 0.5", 0-based; says when there are more. Then the 2-norm.
std::string sample(const std::string& name, const Storage& tensor, int count);
/// Euclidean norm of the stored values (absolute values for complex ones).
double norm(const Storage& tensor);
/// The middle of the values (mean of the two middle ones for an even count).
double median(std::vector<double> values);

}  // namespace lacuna::tool
