#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/io/io.h"
#include "lacuna/tensor/convert.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/reporting.h"
#include "tools/summary.h"
#include "tools/values.h"
#include "tools/written.h"

namespace lacuna::tool {
namespace {

struct ConvertArguments {
  Reporting reporting;
  std::string input;
  std::string output;
  std::string format;
  std::string type;
  bool drop_zeros = false;
};

int convert_file(const ConvertArguments& arguments) {
  if (arguments.output == standard_output) check_standard_output(arguments.reporting, "OUT");
  std::optional<Type> type;
  if (!arguments.type.empty()) {
    type = parse_type(arguments.type);
    if (!type) throw Error(unknown_type_message(arguments.type));
  }
  ReadOptions reading;
  reading.type = type;
  reading.type_option = "-t ";
  reading.threads = thread_count(0);
  const FileContents contents = read_with_progress(arguments.input, reading, arguments.reporting.quiet);
  std::optional<Format> format;
  if (!arguments.format.empty()) {
    format = parse_format(arguments.format, static_cast<int>(contents.entries.dimensions.size()));
  }
  const Storage tensor = build_contents(contents, format, thread_count(0), arguments.drop_zeros);
  write_file(arguments.output, tensor);
  report_written(arguments.reporting, arguments.output, tensor);
  return Success;
}

}  // namespace

void add_convert(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* command = root.add_subcommand("convert", "Rewrite a file in another file format");
  command->footer(R"(
Examples:
  lacuna convert A.rb A.mtx             Rutherford-Boeing to Matrix Market
  lacuna convert A.mtx A.tns.gz         to FROSTT, compressed
  lacuna convert A.mtx D.mtx -f dense   a coordinate file to an array file
  lacuna convert A.npz A.mtx            from SciPy
  lacuna convert A.rb - | head          as Matrix Market text to standard output
Duplicate entries are summed, symmetric halves written out.)");
  command->add_option("IN", arguments->input, "a .mtx, .ttx, .tns, .rb, .npy or .npz file, also with .gz")->required();
  command
      ->add_option("OUT", arguments->output, "the file to write; its ending says the file format; - is standard output")
      ->required();
  command->add_option("-f,--format", arguments->format,
                      "how to store it on the way (default: the file's natural format)");
  command->add_flag("--drop-zeros", arguments->drop_zeros, "leave out entries whose value is zero");
  command->add_option("-t,--type", arguments->type, "element type to convert to (default: the file's)");
  add_reporting_options(*command, arguments->reporting);
  command->callback([arguments, &action] { action = [arguments] { return convert_file(*arguments); }; });
}

}  // namespace lacuna::tool
