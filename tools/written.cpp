#include "tools/written.h"

#include <algorithm>

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

double seconds_of(double milliseconds) { return milliseconds / 1e3; }

nlohmann::ordered_json json_of_times(const std::vector<double>& milliseconds) {
  const auto [least, most] = std::minmax_element(milliseconds.begin(), milliseconds.end());
  return {{"median", seconds_of(median(milliseconds))},
          {"min", seconds_of(*least)},
          {"max", seconds_of(*most)},
          {"runs", milliseconds.size()}};
}

void report_written(const Reporting& reporting, const std::string& file, const Storage& tensor) {
  nlohmann::ordered_json json{{"file", file}};
  json.update(json_of(tensor));
  write_json(reporting, json);
  if (reporting.in_words() && file != standard_output) fmt::print("{}\n", describe(file, tensor));
}

}  // namespace lacuna::tool
