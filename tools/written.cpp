#include "tools/written.h"

#include <fmt/format.h>

#include "lacuna/io/io.h"
#include "tools/summary.h"

namespace lacuna::tool {

nlohmann::ordered_json json_of(const Storage& tensor) {
  return {{"dimensions", tensor.dimensions},
          {"type", type_name(tensor.type)},
          {"format", tensor.format.to_string()},
          {"nnz", tensor.stored()},
          {"bytes", tensor.bytes()}};
}

void report_written(const Reporting& reporting, const std::string& file, const Storage& tensor) {
  nlohmann::ordered_json json{{"file", file}};
  json.update(json_of(tensor));
  write_json(reporting, json);
  if (reporting.in_words() && file != standard_output) fmt::print("{}\n", describe(file, tensor));
}

}  // namespace lacuna::tool
