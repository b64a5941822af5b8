#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "lacuna/distribute/comm/launched.h"
#include "lacuna/io/io.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/problem.h"
#include "tools/progress.h"
#include "tools/run.h"
#include "tools/session.h"
#include "tools/summary.h"
#include "tools/values.h"
#include "tools/verify.h"
#include "tools/written.h"

namespace lacuna::tool {
namespace {

using Clock = std::chrono::steady_clock;

/// Everything one `lacuna run` found out.
struct Outcome {
  std::vector<Storage> results;  // in the order of the statements
  Report compile;
  Report last;
  std::vector<double> kernel_ms;
  double load_ms = 0;
  double verify_ms = 0;
  bool verified = false;
  std::vector<std::string> notes;
};

void add_notes(std::vector<std::string>& notes, const std::vector<std::string>& more) {
  for (const std::string& note : more) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
}

Outcome evaluate(const RunArguments& arguments, const Problem& problem, Engine& engine, const Request& request) {
  Outcome outcome;
  Options options;
  options.target.threads = problem.threads;
  options.target.device = problem.device();
  options.target.deterministic = problem.deterministic;
  if (arguments.interpret) options.target.backend = Target::Backend::Interpreter;
  else if (problem.device() == DeviceLanguage::Cuda) options.target.on = open_cuda();
  else if (problem.device() == DeviceLanguage::OpenCl) options.target.on = open_opencl();
  Prepared prepared = engine.prepare(request, options);
  outcome.compile = prepared.compile_report();
  add_notes(outcome.notes, outcome.compile.notes);
  // A timed run is preceded by one that touches the memory and wakes the threads.
  if (arguments.runs > 0) prepared.run_all();
  const int runs = std::max(1, arguments.runs);
  {
    Progress progress("running", !arguments.reporting.quiet);
    for (int k = 0; k < runs; ++k) {
      outcome.results = prepared.run_all(&outcome.last);
      outcome.kernel_ms.push_back(outcome.last.kernel_ms);
      progress.update((k + 1.0) / runs);
    }
  }
  add_notes(outcome.notes, outcome.last.notes);
  if (arguments.verify) {
    const Clock::time_point start = Clock::now();
    verify_results(request, outcome.results);
    outcome.verify_ms = milliseconds_since(start);
    outcome.verified = true;
  }
  return outcome;
}

nlohmann::ordered_json json_of_run(const Problem& problem, const Request& request, const Outcome& outcome) {
  nlohmann::ordered_json json;
  json["statement"] = problem.statement.text;
  for (const Statement& s : problem.further) json["further"].push_back(s.text);
  json["compile_seconds"] = seconds_of(outcome.compile.compile_ms);
  json["load_seconds"] = seconds_of(outcome.load_ms);
  json["prepare_seconds"] = seconds_of(outcome.last.prepare_ms);
  json["kernel_seconds"] = json_of_times(outcome.kernel_ms);
  json["finish_seconds"] = seconds_of(outcome.last.finish_ms);
  json["threads"] = problem.threads;
  json["nnz"] = outcome.results.front().stored();
  json["cached"] = outcome.compile.from_memory ? "memory" : outcome.compile.from_disk ? "disk" : "no";
  if (outcome.verified) json["verified"] = true;
  json["result"] = json_of(outcome.results.front());
  json["result"]["name"] = problem.result();
  for (std::size_t n = 0; n < problem.further.size(); ++n) {
    json["further_results"].push_back(json_of(outcome.results[n + 1]));
    json["further_results"].back()["name"] = problem.further[n].lhs.tensor.name();
  }
  for (const auto& [name, tensor] : request.operands) json["operands"][name] = json_of(tensor);
  json["notes"] = outcome.notes;
  return json;
}

void print_counters(const loop::Counters& counters) {
  fmt::print("interpreted: {} operations, {} loaded, {} stored\n", counters.operations,
             bytes_text(counters.bytes_loaded), bytes_text(counters.bytes_stored));
  for (const auto& [variable, trips] : counters.trips) fmt::print("  {} iterations of {}\n", trips, variable);
}

void print_operands(const Problem& problem, const Request& request) {
  for (const auto& [name, tensor] : request.operands)
    fmt::print("{}\n", describe(problem.is_result(name) ? "old " + name : name, tensor));
}

/// Results that are written to no file are shown in part.
void print_result(const std::string& name, const Storage& result, const Files& files) {
  fmt::print("{}\n", describe(name, result));
  if (files.count(name) == 0) fmt::print("{}", sample(name, result, shown_entries));
}

void print_summary(const RunArguments& arguments, const Problem& problem, const Request& request,
                   const Outcome& outcome, const Files& files) {
  print_operands(problem, request);
  print_notes(outcome.notes);
  const std::vector<Statement> statements = problem.statements();
  for (std::size_t n = 0; n < statements.size(); ++n)
    print_result(statements[n].lhs.tensor.name(), outcome.results[n], files);
  if (outcome.verified) fmt::print("verified against the reference evaluator in {}\n", time_text(outcome.verify_ms));
  const char* cached = outcome.compile.from_memory ? " (from memory)"
                       : outcome.compile.from_disk ? " (from the cache)"
                                                   : "";
  fmt::print("load {}, compile {}{}, prepare {}, kernel {}, finish {} on {} thread{}\n", time_text(outcome.load_ms),
             time_text(outcome.compile.compile_ms), cached, time_text(outcome.last.prepare_ms),
             time_text(outcome.last.kernel_ms), time_text(outcome.last.finish_ms), problem.threads,
             problem.threads == 1 ? "" : "s");
  if (arguments.runs > 0) {
    fmt::print("kernel over {} runs: median {}, least {}\n", outcome.kernel_ms.size(),
               time_text(median(outcome.kernel_ms)),
               time_text(*std::min_element(outcome.kernel_ms.begin(), outcome.kernel_ms.end())));
  }
  if (arguments.interpret) print_counters(outcome.last.counters);
}

/// Where there is no machine but places on one, each rank is a processor.
StatementArguments on_ranks(StatementArguments arguments, const Communicator& ranks) {
  if (is_launched_by_mpi() && arguments.machine.empty() && !arguments.placed.empty())
    arguments.machine = fmt::format("Grid({})", ranks.ranks());
  return arguments;
}

int run_statement(const RunArguments& arguments, Communicator& ranks) {
  Problem problem = understand_several(on_ranks(arguments.statement, ranks));
  problem.quiet = arguments.reporting.quiet;
  const Files files = read_outputs(problem, arguments.outputs);
  if (goes_to_standard_output(files)) check_standard_output(arguments.reporting, "-o NAME=-");
  if (problem.is_distributed() || ranks.ranks() > 1) return run_on_machine(arguments, problem, files, ranks);
  const Clock::time_point start = Clock::now();
  const Request request = request_of(problem, load_operands(problem, MissingInput::Refuse));
  const double load_ms = milliseconds_since(start);

  Engine engine = make_engine();
  Outcome outcome = evaluate(arguments, problem, engine, request);
  outcome.load_ms = load_ms;
  print_warnings(problem, engine);

  const std::vector<Statement> statements = problem.statements();
  for (const auto& [name, path] : files) {
    const auto made = std::find_if(statements.begin(), statements.end(),
                                   [&, tensor = name](const Statement& s) { return s.lhs.tensor.name() == tensor; });
    const bool is_result = made != statements.end();
    write_file(path, is_result ? outcome.results[static_cast<std::size_t>(made - statements.begin())]
                               : request.operands.at(name));
  }
  if (arguments.reporting.as_json()) write_json(arguments.reporting, json_of_run(problem, request, outcome));
  if (arguments.reporting.in_words() && !goes_to_standard_output(files))
    print_summary(arguments, problem, request, outcome, files);
  return Success;
}

}  // namespace

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void add_run(CLI::App& root, Action& action, Communicator& ranks) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = root.add_subcommand("run", "Evaluate a statement");
  command->footer(R"(
Examples:
  lacuna run 'y(i) = A(i,j) * x(j)' -i A=A.mtx -i x=dense
  lacuna run 'y(i) = A(i,j) * x(j)' -i A=random:0.01 -i x=dense -d i=1000,j=2000 -o y=y.tns
  lacuna run 'C(i,k) = A(i,j) * B(j,k)' -i A=A.mtx -i B=B.mtx -f C:csr -o C=C.mtx
  lacuna run 'A(i,l) = B(i,k,j) * C(k,l) * D(j,l)' -i B=B.tns -i C=dense -i D=dense -d l=32 --time 10
  lacuna run 's = A(i,j) * A(i,j)' -i A=A.mtx --verify
  lacuna run 'y(i) = A(i,j) * x(j); d(i) = A(i,j)' -i A=A.mtx -i x=dense   two results of one kernel
Without -f an operand takes its file's natural format (coordinate .mtx: csr, array .mtx and .npy: dense, .tns: csf,
.rb: csc, .npz: as saved) and the result the one that 'lacuna help formats' describes. Without -o a summary is printed.)");
  add_statement_options(*command, arguments->statement);
  add_target_option(*command, arguments->statement);
  command
      ->add_option(
          "-o,--output", arguments->outputs,
          "write a tensor to a file; repeat it for each. NAME=- writes to standard output, and nothing else is")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  command->add_option("--time", arguments->runs, "run it N times more; report the median and the least time")
      ->type_name("N")
      ->transform(whole_number(1, 1'000'000));
  command->add_flag("--verify", arguments->verify,
                    "compare with the reference evaluator (slow; exit 70 if they differ)");
  command->add_flag("--interpret", arguments->interpret,
                    "run in the checking interpreter instead of compiling; without --machine, counts");
  add_reporting_options(*command, arguments->reporting);
  command->callback(
      [arguments, &action, &ranks] { action = [arguments, &ranks] { return run_statement(*arguments, ranks); }; });
}

}  // namespace lacuna::tool
