#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace CLI {
class App;
}

namespace lacuna::tool {

/// How a command says what it did: in words on standard output, as JSON, or not at all. Warnings and errors are printed
/// on standard error in any case.
struct Reporting {
  bool quiet = false;
  std::string json;  // the file to write; "-" is standard output; empty: none

  /// Whether words go to standard output.
  bool in_words() const { return !quiet && json != "-"; }
  bool as_json() const { return !json.empty(); }
};

/// Adds -q and --json to a command that reports.
void add_reporting_options(CLI::App& command, Reporting& reporting);

/// Throws Error where JSON goes to standard output and so does what `option` says, such as "-o y=-".
void check_standard_output(const Reporting& reporting, const std::string& option);

/// Writes a report where --json says; nothing without it. Throws RuntimeFailure where the file cannot be written.
void write_json(const Reporting& reporting, const nlohmann::ordered_json& json);

}  // namespace lacuna::tool
