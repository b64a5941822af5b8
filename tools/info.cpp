#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/io/atomic_write.h"
#include "lacuna/tensor/nodes/usage.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/place.h"
#include "tools/statistics.h"
#include "tools/summary.h"
#include "tools/svg.h"

namespace lacuna::tool {
namespace {

struct Arguments {
  std::string file;
  std::string svg;
  std::string format;
  std::string machine;
  std::string place;
  std::string draw;
};

std::string file_format_name(const FileContents& contents) {
  switch (contents.file_format) {
    case FileFormat::MatrixMarket: return contents.array ? "Matrix Market, array" : "Matrix Market, coordinate";
    case FileFormat::Frostt: return "FROSTT";
    case FileFormat::RutherfordBoeing: return "Rutherford-Boeing";
  }
  throw InternalError("internal error: a FileFormat outside its enumeration");
}

void print_distribution(const Distribution& d, const std::string& what) {
  fmt::print("entries a {}: least {}, median {}, mean {:.2f}, 99 % {}, most {}; {} of {} are empty\n", what, d.smallest,
             d.median, d.mean, d.p99, d.largest, d.empty, d.slices);
  std::int64_t most = 1;
  for (const std::int64_t count : d.buckets) most = std::max(most, count);
  for (std::size_t k = 0; k < d.buckets.size(); ++k) {
    const std::int64_t low = std::int64_t{1} << k;
    const std::string range = k == 0 ? "1" : fmt::format("{}-{}", low, 2 * low - 1);
    const auto length = static_cast<std::size_t>(40.0 * static_cast<double>(d.buckets[k]) / static_cast<double>(most));
    fmt::print("  {:>14}  {:>10}  {}\n", range, d.buckets[k], std::string(length, '#'));
  }
}

/// What the dynamic levels of a tensor take, a line for each type of nodes and each pool.
void print_nodes(const Storage& tensor) {
  for (int k = 0; k < tensor.order(); ++k) {
    if (!tensor.format.level(k).is_dynamic()) continue;
    fmt::print("level {}, {}: {} elements\n", k + 1, tensor.format.level(k).name(),
               tensor.levels[static_cast<std::size_t>(k)].positions);
    for (const nodes::Usage& each : nodes::usage_of(tensor, k))
      fmt::print("  {:<16} {:>10} of {} bytes: {} in use, {} reserved\n", each.name, each.taken, each.bytes_each,
                 bytes_text(each.taken * each.bytes_each), bytes_text(each.reserved * each.bytes_each));
  }
}

void write_picture(const std::string& path, const std::string& svg) {
  AtomicFile picture(path);
  picture.append(svg);
  picture.commit();
  fmt::print("picture: {}\n", path);
}

/// The tensor on the machine that the arguments describe; none where they do not.
std::optional<PlacedTensor> placed_by(const Arguments& arguments, const Storage& tensor) {
  if (arguments.machine.empty()) return std::nullopt;
  const std::string name = std::filesystem::path(arguments.file).stem().string();
  return place(tensor, arguments.machine, arguments.place, name);
}

int print_info(const Arguments& arguments) {
  if (arguments.machine.empty() != arguments.place.empty())
    user_error("--machine says what the tensor is placed on and --place says how: give both, or neither");
  if (!arguments.draw.empty() && arguments.machine.empty())
    user_error("--draw draws a tensor on its machine: give --machine and --place, or use --svg");
  const FileContents contents = read_with_progress(arguments.file, std::nullopt, thread_count(0));
  const CoordinateList& entries = contents.entries;
  const std::size_t order = entries.dimensions.size();
  std::optional<Format> format;
  if (!arguments.format.empty()) format = parse_format(arguments.format, static_cast<int>(order));
  const Storage tensor = build_contents(contents, format, thread_count(0));
  // What is wrong with them is said before anything else.
  const std::optional<PlacedTensor> placed = placed_by(arguments, tensor);
  const std::string drawn = arguments.draw.empty() ? "" : placement_picture(*placed);
  double cells = 1;
  for (const std::int64_t size : entries.dimensions) cells *= static_cast<double>(size);
  fmt::print("{}: {} ({}), {}\n", arguments.file, file_format_name(contents), contents.symmetry,
             bytes_text(static_cast<std::int64_t>(std::filesystem::file_size(arguments.file))));
  fmt::print("dimensions: {}\n", dimensions_text(entries.dimensions));
  fmt::print("entries: {} of type {}", entries.size(), type_name(entries.values.type()));
  if (cells > 0) fmt::print(", density {:.3g}", static_cast<double>(entries.size()) / cells);
  if (tensor.stored() < entries.size() && !contents.array) {
    fmt::print(", {} of them duplicates", entries.size() - tensor.stored());
  }
  fmt::print("\nas {}: {} stored, {}\n", tensor.format.to_string(), tensor.stored(), bytes_text(tensor.bytes()));
  print_nodes(tensor);
  if (order == 2) fmt::print("symmetric: {}\n", symmetry_of(entries));
  if (order == 1) fmt::print("2-norm: {:.12g}\n", norm(tensor));
  for (std::size_t m = 0; m < order && order > 1; ++m) {
    const std::string what = order == 2 ? (m == 0 ? "row" : "column") : fmt::format("slice of mode {}", m + 1);
    print_distribution(distribution_of(entries, static_cast<int>(m)), what);
  }
  if (!arguments.svg.empty()) {
    const std::string title =
        fmt::format("{}: {}, {} entries", std::filesystem::path(arguments.file).filename().string(),
                    dimensions_text(entries.dimensions), entries.size());
    write_picture(arguments.svg, spy(entries, title));
  }
  if (placed) print_pieces(*placed);
  if (!drawn.empty()) write_picture(arguments.draw, drawn);
  return Success;
}

}  // namespace

void add_info(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = root.add_subcommand("info", "Describe a file: sizes, entries, distribution, a picture");
  command->footer(R"help(
Examples:
  lacuna info A.mtx               dimensions, entries, symmetry, entries a row
  lacuna info A.mtx --svg A.svg   and a picture of where the entries lie
  lacuna info A.mtx -f d,btree    what its rows take as B-trees
  lacuna info A.mtx --machine "Grid(4)" --place "A: xy -> ~(xy)" --draw parts.svg
                                  its parts on four processors: entries, bytes, balance, a picture)help");
  command->add_option("FILE", arguments->file, "a .mtx, .ttx, .tns or .rb file, also with .gz")->required();
  command->add_option("-f,--format", arguments->format, "how to store it (default: the file's natural format)");
  command->add_option("--svg", arguments->svg, "write a picture of the entries to this file");
  command->add_option("--machine", arguments->machine, "a machine to place it on, as Grid(4,4) or Grid(2,2),Grid(2)");
  command->add_option("--place", arguments->place, "where its parts live there, as \"A: xy -> x\"");
  command->add_option("--draw", arguments->draw, "write a picture of the tensor on the machine to this file");
  command->callback([arguments, &action] { action = [arguments] { return print_info(*arguments); }; });
}

}  // namespace lacuna::tool
