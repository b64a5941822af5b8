#pragma once

#include <string>
#include <vector>

#include "lacuna/tensor/storage.h"
#include "tools/reporting.h"

namespace lacuna::tool {

/// A tensor in a report: dimensions, type, format, stored entries, bytes.
nlohmann::ordered_json json_of(const Storage& tensor);

/// A time in a report, from milliseconds.
double seconds_of(double milliseconds);
/// Times in a report: median, min, max in seconds, and the number of runs.
nlohmann::ordered_json json_of_times(const std::vector<double>& milliseconds);

/// Reports a tensor that was written to a file: a line, unless the file is standard output, and JSON.
void report_written(const Reporting& reporting, const std::string& file, const Storage& tensor);

}  // namespace lacuna::tool
