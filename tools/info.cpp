#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/draw/picture.h"
#include "lacuna/draw/spy.h"
#include "lacuna/support/check.h"
#include "lacuna/support/text_table.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/memory.h"
#include "tools/outputs.h"
#include "tools/place.h"
#include "tools/reporting.h"
#include "tools/statistics.h"
#include "tools/summary.h"
#include "tools/values.h"
#include "tools/written.h"

namespace lacuna::tool {
namespace {

struct InfoArguments {
  Reporting reporting;
  std::string file;
  std::string svg;
  std::string format;
  std::string machine;
  std::string place;
  std::string draw;
  std::int64_t most_boxes = readable_boxes;
};

std::string file_format_name(const FileContents& contents) {
  switch (contents.file_format) {
    case FileFormat::MatrixMarket: return contents.array ? "Matrix Market, array" : "Matrix Market, coordinate";
    case FileFormat::Frostt: return "FROSTT";
    case FileFormat::RutherfordBoeing: return "Rutherford-Boeing";
    case FileFormat::Npy: return "NumPy, .npy";
    case FileFormat::Npz: return "SciPy, .npz";
  }
  throw InternalError("internal error: a FileFormat outside its enumeration");
}

/// ", 1.20 kB"; nothing for a pipe, of which the system does not know it.
std::string size_text(const std::string& path) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  return unknown ? "" : ", " + bytes_text(size);
}

void print_distribution(const SliceStatistics& d, const std::string& what) {
  fmt::print("entries a {}: least {}, median {}, mean {:.2f}, 99th percentile {}, most {}; {} of {} are empty\n", what,
             d.smallest, d.median, d.mean, d.p99, d.largest, d.empty, d.slices);
  TextTable table("rrl");
  std::int64_t most = 1;
  for (const std::int64_t count : d.buckets) most = std::max(most, count);
  for (std::size_t k = 0; k < d.buckets.size(); ++k) {
    const std::int64_t low = std::int64_t{1} << k;
    const std::string range = k == 0 ? "1" : fmt::format("{}-{}", low, 2 * low - 1);
    const auto length = static_cast<std::size_t>(40.0 * static_cast<double>(d.buckets[k]) / static_cast<double>(most));
    table.add({range, fmt::format("{}", d.buckets[k]), std::string(length, '#')});
  }
  fmt::print("{}", table.text());
}

bool in_words(const InfoArguments& arguments) {
  return arguments.reporting.in_words() && arguments.svg != "-" && arguments.draw != "-";
}

/// Writes a picture, and says where.
void save(const std::string& file, const std::string& picture, const InfoArguments& arguments) {
  write_text(file, picture);
  if (in_words(arguments)) fmt::print("picture: {}\n", file);
}

/// What a file holds.
struct Facts {
  const FileContents& contents;
  const Storage& tensor;
  std::optional<double> density;  // of the entries; none where there is no room for any
  std::int64_t duplicates = 0;
  std::string symmetric;                // of a matrix
  std::vector<SliceStatistics> slices;  // by mode, of tensors of order 2 and more
};

Facts facts_of(const FileContents& contents, const Storage& tensor) {
  const CoordinateList& entries = contents.entries;
  const std::size_t order = entries.dimensions.size();
  Facts facts{contents, tensor, std::nullopt, 0, "", {}};
  double cells = 1;
  for (const std::int64_t size : entries.dimensions) cells *= static_cast<double>(size);
  if (cells > 0) facts.density = static_cast<double>(entries.size()) / cells;
  if (tensor.stored() < entries.size() && !contents.array) facts.duplicates = entries.size() - tensor.stored();
  if (order == 2) facts.symmetric = symmetry_of(entries);
  for (std::size_t m = 0; m < order && order > 1; ++m)
    facts.slices.push_back(distribution_of(entries, static_cast<int>(m)));
  return facts;
}

void print(const std::string& file, const Facts& facts) {
  const CoordinateList& entries = facts.contents.entries;
  const std::size_t order = entries.dimensions.size();
  fmt::print("{}: {} ({}){}\n", file, file_format_name(facts.contents), facts.contents.symmetry, size_text(file));
  fmt::print("dimensions: {}\n", dimensions_text(entries.dimensions));
  fmt::print("entries: {} of type {}", entries.size(), type_name(entries.values.type()));
  if (facts.density) fmt::print(", density {:.3g}", *facts.density);
  if (facts.duplicates > 0) fmt::print(", {} of them duplicates", facts.duplicates);
  fmt::print("\nas {}: {} stored, {}\n", facts.tensor.format.to_string(), facts.tensor.stored(),
             bytes_text(facts.tensor.bytes()));
  if (facts.tensor.format.has_nodes()) fmt::print("{}", memory_report(facts.tensor));
  if (order == 2) fmt::print("symmetric: {}\n", facts.symmetric);
  if (order == 1) fmt::print("2-norm: {:.12g}\n", norm(facts.tensor));
  for (std::size_t m = 0; m < facts.slices.size(); ++m)
    print_distribution(facts.slices[m], order == 2 ? (m == 0 ? "row" : "column") : fmt::format("slice of mode {}", m));
}

nlohmann::ordered_json json_of_file(const std::string& file, const Facts& facts) {
  const CoordinateList& entries = facts.contents.entries;
  nlohmann::ordered_json json{{"file", file},
                              {"file_format", file_format_name(facts.contents)},
                              {"symmetry", facts.contents.symmetry},
                              {"dimensions", entries.dimensions},
                              {"entries", entries.size()},
                              {"type", type_name(entries.values.type())},
                              {"density", facts.density.value_or(0)},
                              {"duplicates", facts.duplicates},
                              {"stored_as", json_of(facts.tensor)},
                              {"norm", norm(facts.tensor)}};
  if (!facts.symmetric.empty()) json["symmetric"] = facts.symmetric;
  for (const SliceStatistics& d : facts.slices)
    json["slices"].push_back({{"number", d.slices},
                              {"empty", d.empty},
                              {"least", d.smallest},
                              {"median", d.median},
                              {"mean", d.mean},
                              {"p99", d.p99},
                              {"most", d.largest},
                              {"by_powers_of_2", d.buckets}});
  return json;
}

/// The tensor on the machine that the arguments describe; none where they do not.
std::optional<PlacedTensor> placed_by(const InfoArguments& arguments, const Storage& tensor) {
  if (arguments.machine.empty()) return std::nullopt;
  const std::string name = std::filesystem::path(arguments.file).stem().string();
  return place(tensor, arguments.machine, arguments.place, name);
}

/// The tensor on its machine, or else as it is stored.
std::string picture_of(const Storage& tensor, const std::optional<PlacedTensor>& placed,
                       const InfoArguments& arguments) {
  if (placed) return placement_picture(*placed);
  const std::string file = std::filesystem::path(arguments.file).filename().string();
  return draw_tensor(tensor, fmt::format("{} as {}", file, tensor.format.to_string()), arguments.most_boxes);
}

int print_info(const InfoArguments& arguments) {
  if (arguments.machine.empty() != arguments.place.empty())
    user_error("--machine says what the tensor is placed on and --place says how: give both, or neither");
  if (arguments.svg == "-" && arguments.draw == "-")
    user_error("--svg - and --draw - both print on standard output; give one of them a file");
  for (const auto& [option, file] : {std::pair{"--svg -", arguments.svg}, {"--draw -", arguments.draw}})
    if (file == "-") check_standard_output(arguments.reporting, option);
  ReadOptions reading;
  reading.threads = thread_count(0);
  const FileContents contents = read_with_progress(arguments.file, reading, arguments.reporting.quiet);
  const CoordinateList& entries = contents.entries;
  const std::size_t order = entries.dimensions.size();
  std::optional<Format> format;
  if (!arguments.format.empty()) format = parse_format(arguments.format, static_cast<int>(order));
  const Storage tensor = build_contents(contents, format, thread_count(0));
  // What is wrong with them is said before anything else.
  const std::optional<PlacedTensor> placed = placed_by(arguments, tensor);
  const std::string drawn = arguments.draw.empty() ? "" : picture_of(tensor, placed, arguments);
  const Facts facts = facts_of(contents, tensor);
  if (in_words(arguments)) print(arguments.file, facts);
  if (!arguments.svg.empty()) {
    const std::string title =
        fmt::format("{}: {}, {} entries", std::filesystem::path(arguments.file).filename().string(),
                    dimensions_text(entries.dimensions), entries.size());
    save(arguments.svg, spy(entries, title), arguments);
  }
  if (placed && in_words(arguments)) print_parts(*placed);
  if (!drawn.empty()) save(arguments.draw, drawn, arguments);
  if (arguments.reporting.as_json()) {
    nlohmann::ordered_json json = json_of_file(arguments.file, facts);
    if (placed) json["placed"] = json_of_parts(*placed);
    write_json(arguments.reporting, json);
  }
  return Success;
}

}  // namespace

void add_info(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command = root.add_subcommand("info", "Describe a file: sizes, entries, distribution, a picture");
  command->footer(R"help(
Examples:
  lacuna info A.mtx               dimensions, entries, symmetry, entries a row
  lacuna info A.mtx --svg A.svg   and a picture of where the entries are
  lacuna info A.mtx -f d,btree    what its rows take as B-trees
  lacuna info A.mtx -f d,btree --draw A.svg   and a picture of these trees
  lacuna info A.mtx --machine "Grid(4)" --place "A: xy -> ~(xy)" --draw parts.svg
                                   its parts on four processors: entries, bytes, balance, a picture)help");
  command->add_option("FILE", arguments->file, "a .mtx, .ttx, .tns, .rb, .npy or .npz file, also with .gz")->required();
  command->add_option("-f,--format", arguments->format, "how to store it (default: the file's natural format)");
  command->add_option("--svg", arguments->svg,
                      "write a picture of the entries to this file; - prints it instead of words");
  command->add_option("--machine", arguments->machine, "a machine to place it on, as Grid(4,4) or Grid(2,2),Grid(2)");
  command->add_option("--place", arguments->place, "how it is distributed there, as \"A: xy -> x\"");
  command
      ->add_option("--draw", arguments->draw,
                   "draw how it is stored, boxes and arrows, to this file; with --machine, draw its parts")
      ->type_name("FILE");
  command->add_option("--most-boxes", arguments->most_boxes, "draw about so many boxes: the start of a larger tensor")
      ->type_name("N")
      ->transform(whole_number(1, 100'000))
      ->capture_default_str();
  add_reporting_options(*command, arguments->reporting);
  command->callback([arguments, &action] { action = [arguments] { return print_info(*arguments); }; });
}

}  // namespace lacuna::tool
