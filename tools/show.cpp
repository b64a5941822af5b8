#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/distribute/run/local_programs.h"
#include "lacuna/notation/parse.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/problem.h"
#include "tools/session.h"
#include "tools/values.h"

namespace lacuna::tool {
namespace {

struct ShowArguments {
  StatementArguments statement;
  std::string stage = "all";
};

void print_stage(const Stage& stage) {
  const std::string title = fmt::format("{} (made by src/lacuna/{})", stage.name, stage.folder);
  // The C stage can be piped into a file and compiled, heading and all.
  if (stage.name == "c") fmt::print("/* {} */\n{}", title, stage.text);
  else fmt::print("== {} ==\n{}", title, stage.text);
  if (!stage.text.empty() && stage.text.back() != '\n') fmt::print("\n");
}

/// The stages of compiling a request that are asked for.
void print_stages(const ShowArguments& arguments, const Problem& problem, const Request& request, Engine& engine) {
  std::vector<Stage> stages;
  Options options;
  options.target.threads = problem.threads;
  options.target.device = problem.device();
  options.target.deterministic = problem.deterministic;
  options.on_stage = [&](const Stage& stage) { stages.push_back(stage); };
  options.shows_passes = arguments.stage == "passes";
  options.shows_ptx = arguments.stage == "ptx";
  options.stop_before_code =
      arguments.stage != "c" && arguments.stage != "device" && arguments.stage != "ptx" && arguments.stage != "all";
  const Prepared prepared = engine.prepare(request, options);
  std::string printed;
  for (const Stage& stage : stages) {
    if (arguments.stage != "all" && stage.name != arguments.stage) continue;
    if (!printed.empty()) fmt::print("\n");
    printed += stage.text;
    print_stage(stage);
  }
  if (arguments.stage == "iterators" && printed.empty())
    fmt::print("No nodes are walked beside what other operands store.\n");
  for (const std::string& note : prepared.compile_report().notes) {
    if (printed.find(note) != std::string::npos) continue;
    if (arguments.stage == "c") fmt::print("/* note: {} */\n", note);
    else fmt::print("note: {}\n", note);
  }
}

/// The plan, or a stage of what each processor computes.
void show_on_machine(const ShowArguments& arguments, const Problem& problem, const DistributedRequest& request,
                     Engine& engine) {
  if (arguments.stage == "plan" || arguments.stage == "all") {
    fmt::print("== plan (made by src/lacuna/distribute) ==\n{}", describe_plan(request));
    return;
  }
  bool is_first = true;
  for (const LocalProgram& program : local_programs(request)) {
    if (!is_first) fmt::print("\n");
    is_first = false;
    const bool is_code = arguments.stage == "c";
    fmt::print("{}processor {}: {}{}\n", is_code ? "/* " : "", program.processors, to_string(program.request.statement),
               is_code ? " */" : "");
    print_stages(arguments, problem, program.request, engine);
  }
}

int show_statement(const ShowArguments& arguments) {
  const Problem problem = understand_several(arguments.statement);
  const Request request = request_of(problem, load_operands(problem, MissingInput::Empty));
  if (arguments.stage == "plan" && !problem.is_distributed())
    throw Error("there is a plan where several processors compute a statement; add --machine 'Grid(4)'");
  if (arguments.stage == "ptx" && problem.device() != DeviceLanguage::Cuda)
    throw Error("there is PTX of programs for CUDA: add --target cuda");
  Engine engine = make_engine();
  if (problem.is_distributed()) {
    for (const Problem& one : problem.one_by_one()) {
      std::map<std::string, Storage> read;
      for (const std::string& name : one.operands()) read.insert(*request.operands.find(name));
      show_on_machine(arguments, one, on_machine(one, request_of(one, std::move(read))), engine);
    }
  } else {
    print_stages(arguments, problem, request, engine);
  }
  print_warnings(problem, engine);
  return Success;
}

}  // namespace

void add_show(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<ShowArguments>();
  CLI::App* command = root.add_subcommand("show", "Print the stages of a statement's compilation");
  command->footer(R"(
Examples:
  lacuna show 'y(i) = A(i,j) * x(j)' -f A:csr                 every stage
  lacuna show --stage schedule 'y(i) = A(i,j) * x(j)' -f A:csr  directives to copy, change and give back with -s
  lacuna show --stage c 'C(i,j) = A(i,j) + B(i,j)' -f A:csr -f B:csr -f C:csr
Operands without -i are empty and, without -f, dense; sizes that nothing says are 1000.)");
  add_statement_options(*command, arguments->statement);
  add_target_option(*command, arguments->statement);
  command
      ->add_option(
          "--stage", arguments->stage,
          "notation, schedule, concrete, lattice, iterators, passes (the loops after each pass), loops, c, "
          "device (what a device runs), ptx (what NVRTC makes of that for CUDA) or all (but passes and ptx); on a "
          "machine plan, or one of them for each processor")
      ->transform(one_of({"notation", "schedule", "concrete", "lattice", "iterators", "passes", "loops", "c", "device",
                          "ptx", "plan", "all"}))
      ->capture_default_str();
  command->callback([arguments, &action] { action = [arguments] { return show_statement(*arguments); }; });
}

}  // namespace lacuna::tool
