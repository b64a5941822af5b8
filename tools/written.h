#pragma once

#include <string>

#include "lacuna/tensor/storage.h"
#include "tools/reporting.h"

namespace lacuna::tool {

/// A tensor in a report: dimensions, type, format, stored entries, bytes.
nlohmann::ordered_json json_of(const Storage& tensor);

/// Reports a tensor that was written to a file: a line, unless the file is standard output, and JSON.
void report_written(const Reporting& reporting, const std::string& file, const Storage& tensor);

}  // namespace lacuna::tool
