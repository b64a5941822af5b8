#include "tools/reporting.h"

#include <CLI/CLI.hpp>

#include "lacuna/io/io.h"
#include "lacuna/support/check.h"
#include "tools/outputs.h"

namespace lacuna::tool {

void add_reporting_options(CLI::App& command, Reporting& reporting) {
  command.add_flag("-q,--quiet", reporting.quiet, "print nothing but warnings and errors");
  command.add_option("--json", reporting.json, "write the report as JSON to this file; - prints it instead of words")
      ->type_name("FILE");
}

void check_standard_output(const Reporting& reporting, const std::string& option) {
  if (reporting.json == standard_output)
    user_error("--json - prints on standard output, and so does {}; give one of them a file", option);
}

void write_json(const Reporting& reporting, const nlohmann::ordered_json& json) {
  if (!reporting.as_json()) return;
  write_text(reporting.json, json.dump(2) + "\n");
}

}  // namespace lacuna::tool
