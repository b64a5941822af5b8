#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/io/io.h"
#include "tools/command.h"
#include "tools/problem.h"
#include "tools/reporting.h"
#include "tools/sources.h"
#include "tools/summary.h"
#include "tools/values.h"
#include "tools/written.h"

namespace lacuna::tool {
namespace {

struct GenerateArguments {
  Reporting reporting;
  std::string kind;
  std::string size;
  std::optional<std::int64_t> nonzeros;
  std::optional<double> density;
  std::optional<std::int64_t> band;
  std::optional<double> skew;
  std::string type = "float64";
  std::string output;
  std::uint64_t seed = 1;
};

int generate_file(const GenerateArguments& arguments) {
  if (arguments.output == standard_output) check_standard_output(arguments.reporting, "-o -");
  GeneratorSpec spec;
  const std::optional<GeneratorSpec::Kind> kind = find_generator(arguments.kind);
  if (!kind) throw Error(unknown_kind_message(arguments.kind));
  const std::optional<Type> type = parse_type(arguments.type);
  if (!type) throw Error(unknown_type_message(arguments.type));
  spec.kind = *kind;
  spec.size = parse_size(arguments.size);
  spec.nonzeros = arguments.nonzeros;
  spec.density = arguments.density;
  spec.band = arguments.band;
  spec.skew = arguments.skew;
  check_settings(spec);
  const Storage tensor = generate(spec, std::nullopt, *type, arguments.seed, thread_count(0));
  write_file(arguments.output, tensor);
  report_written(arguments.reporting, arguments.output, tensor);
  return Success;
}

}  // namespace

void add_generate(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<GenerateArguments>();
  CLI::App* command = root.add_subcommand("generate", "Write a file of synthetic data");
  command->footer(R"(
Kinds:
  rmat       a power-law graph                   lacuna generate rmat 10000x10000 --nnz 80000 -o A.mtx
  banded     every entry within --band           lacuna generate banded 1000x1000 --band 2 -o A.mtx
  stencil2d  5-point Laplacian of a grid         lacuna generate stencil2d 100x100 -o L.mtx
  stencil3d  7-point Laplacian of a grid         lacuna generate stencil3d 20x20x20 -o L.mtx
  uniform    uniformly random, any order         lacuna generate uniform 100x100x100 --nnz 5000 -o B.tns
  skewed     random with a power law a mode      lacuna generate skewed 1000x500x200 --nnz 50000 --skew 1.5 -o B.tns
  dense      every entry                         lacuna generate dense 1000x16 -o C.mtx
The same seed gives the same file on every machine.)");
  command->add_option("KIND", arguments->kind, fmt::format("{}", fmt::join(generator_names(), ", ")))->required();
  command->add_option("SIZE", arguments->size, "dimensions, as 1000x2000 (the grid for stencils)")->required();
  command
      ->add_option("-o,--output", arguments->output,
                   "the file: .mtx, .ttx, .tns, .rb, .npy or .npz, also with .gz; - is standard output")
      ->type_name("FILE")
      ->required();
  command->add_option("--nnz", arguments->nonzeros, "how many entries, such as 8000 or 8e3")
      ->type_name("N")
      ->transform(whole_number(0));
  command->add_option("--density", arguments->density, "which fraction of all entries")
      ->type_name("D")
      ->transform(real_number(0, 1));
  command->add_option("--band", arguments->band, fmt::format("half bandwidth (banded; default: {})", default_band))
      ->type_name("N")
      ->transform(whole_number(0));
  command
      ->add_option("--skew", arguments->skew,
                   fmt::format("exponent of the power law (skewed; default: {})", default_skew))
      ->type_name("X")
      ->transform(positive_number());
  command->add_option("-t,--type", arguments->type, "element type")->type_name("TYPE")->capture_default_str();
  command->add_option("--seed", arguments->seed, "another seed, other data")
      ->type_name("N")
      ->transform(whole_number(0))
      ->capture_default_str();
  add_reporting_options(*command, arguments->reporting);
  command->callback([arguments, &action] { action = [arguments] { return generate_file(*arguments); }; });
}

}  // namespace lacuna::tool
