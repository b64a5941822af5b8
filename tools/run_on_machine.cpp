#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/device/device.h"
#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/distribute/tensors/write.h"
#include "lacuna/io/io.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/progress.h"
#include "tools/run.h"
#include "tools/session.h"
#include "tools/summary.h"
#include "tools/verify.h"
#include "tools/written.h"

namespace lacuna::tool {
namespace {

using Clock = std::chrono::steady_clock;

/// Everything that one run on a machine found out; the same on every rank, but for tensors in one piece.
struct MachineOutcome {
  std::optional<DistributedTensor> result = {};
  DistributedReport report = {};
  double load_ms = 0, first_ms = 0;
  std::vector<double> run_ms = {};
};

/// What all ranks have to be asked for alike: all write and verify together, and what is generated is one
/// tensor.
void agree_on_options(const RunArguments& arguments, const Files& files, Communicator& ranks) {
  std::vector<std::string> written;
  for (const auto& [name, path] : files) written.push_back(fmt::format("-o {}={}", name, path));
  together(ranks,
           {"running a statement", fmt::format("--seed {}", arguments.statement.seed),
            fmt::format("{}", fmt::join(written, " ")), arguments.verify ? "--verify" : "",
            arguments.runs > 0 ? fmt::format("--time {}", arguments.runs) : "",
            arguments.reporting.as_json() ? "--json " + arguments.reporting.json : ""},
           [] {});
}

/// Milliseconds from when all ranks have met until the last of them is done with what all do or none. Collective.
template <typename Run>
double timed(Communicator& ranks, const Run& run) {
  together(ranks, {"a run"}, [] {});
  const Clock::time_point start = Clock::now();
  run();
  const double mine = milliseconds_since(start);
  double most = 0;
  or_abort(ranks, [&] { most = largest_over(ranks, mine); });
  return most;
}

/// The first run plans and compiles; the others are timed, and go on with its plan.
void run(const RunArguments& arguments, Engine& engine, const DistributedRequest& request, Communicator& ranks,
         const Options& options, MachineOutcome& outcome) {
  if (arguments.runs == 0) {
    outcome.first_ms = timed(
        ranks, [&] { outcome.result.emplace(run_distributed(engine, request, ranks, options, &outcome.report)); });
    return;
  }
  PreparedOnMachine prepared;
  outcome.first_ms =
      timed(ranks, [&] { prepared.run_into(outcome.result, engine, request, ranks, options, &outcome.report); });
  Progress progress("running", !arguments.reporting.quiet);
  for (int k = 0; k < arguments.runs; ++k) {
    outcome.run_ms.push_back(timed(ranks, [&] { prepared.run_into(outcome.result, engine, request, ranks, options); }));
    if (ranks.rank() == 0) progress.update((k + 1.0) / arguments.runs);
  }
}

/// Collective. `result`: where the tensor is that, and none where it is an operand.
void write(const std::string& name, const std::string& path, const DistributedTensor* result,
           const DistributedRequest& request, Communicator& ranks) {
  const auto held = request.held.find(name);
  if (result == nullptr && held != request.held.end()) result = held->second.get();
  if (result != nullptr) return write_placed(*result, path, name, ranks);
  on_first(ranks, {"writing " + path}, [&] { write_file(path, request.request.operands.at(name)); });
}

nlohmann::ordered_json json_in_parts(const DistributedTensor& tensor, Communicator& ranks) {
  return {{"dimensions", tensor.dimensions()},     {"type", type_name(tensor.shape().type)},
          {"format", tensor.format().to_string()}, {"nnz", tensor.stored()},
          {"bytes", bytes_of(tensor, ranks)},      {"parts", tensor.placement().parts.size()}};
}

nlohmann::ordered_json json_of_traffic(const Traffic& traffic) {
  return {{"messages", traffic.messages}, {"bytes", traffic.bytes}, {"farthest", traffic.farthest}};
}

/// Collective.
nlohmann::ordered_json json_of_run(const Problem& problem, const DistributedRequest& request,
                                   const MachineOutcome& outcome, bool is_verified,
                                   const std::vector<std::string>& notes, Communicator& ranks) {
  nlohmann::ordered_json json;
  const DistributedTensor& result = *outcome.result;
  json["statement"] = problem.statement.text;
  json["machine"] = result.machine().to_string();
  json["ranks"] = ranks.ranks();
  json["threads"] = problem.threads;
  json["tasks"] = outcome.report.tasks;
  json["steps"] = outcome.report.steps;
  json["load_seconds"] = seconds_of(outcome.load_ms);
  json["first_seconds"] = seconds_of(outcome.first_ms);
  if (!outcome.run_ms.empty()) json["run_seconds"] = json_of_times(outcome.run_ms);
  json["moved"] = {{"operands", json_of_traffic(outcome.report.fetches)},
                   {"results", json_of_traffic(outcome.report.reductions)}};
  json["nnz"] = result.stored();
  if (is_verified) json["verified"] = true;
  json["result"] = json_in_parts(result, ranks);
  json["result"]["name"] = problem.result();
  for (const auto& [name, tensor] : request.request.operands) json["operands"][name] = json_of(tensor);
  for (const auto& [name, tensor] : request.held) json["operands"][name] = json_in_parts(*tensor, ranks);
  json["notes"] = notes;
  return json;
}

/// How long one process takes that plays all processors, one after the other, is said where it is asked for.
void print_times(const MachineOutcome& outcome, const Problem& problem, const Communicator& ranks) {
  if (ranks.ranks() == 1 && outcome.run_ms.empty()) return;
  fmt::print("load {}, first run {} (with planning and compiling), {} thread{} a rank\n", time_text(outcome.load_ms),
             time_text(outcome.first_ms), problem.threads, problem.threads == 1 ? "" : "s");
  if (outcome.run_ms.empty()) return;
  fmt::print("over {} runs more: median {}, least {}\n", outcome.run_ms.size(), time_text(median(outcome.run_ms)),
             time_text(*std::min_element(outcome.run_ms.begin(), outcome.run_ms.end())));
}

/// Those of all operands that a statement reads.
DistributedRequest request_with(const Problem& problem, const SharedOperands& operands, const Communicator& ranks) {
  std::map<std::string, Storage> whole;
  std::map<std::string, DistributedTensorPtr> held;
  for (const std::string& name : problem.operands()) {
    const auto in_whole = operands.whole.find(name);
    const auto in_parts = operands.held.find(name);
    if (in_whole != operands.whole.end()) whole.insert(*in_whole);
    if (in_parts != operands.held.end()) held.insert(*in_parts);
  }
  DistributedRequest request = on_machine(problem, request_of(problem, std::move(whole)), ranks);
  request.held = std::move(held);
  return request;
}

/// Writes what a statement makes or reads, and leaves the other files. Collective.
void write_files(const Problem& problem, const DistributedTensor& result, const DistributedRequest& request,
                 Files& files, Communicator& ranks) {
  const std::vector<std::string> read = problem.operands();
  std::erase_if(files, [&](const auto& file) {
    const auto& [name, path] = file;
    const bool is_result = name == problem.result();
    if (!is_result && std::find(read.begin(), read.end(), name) == read.end()) return false;
    write(name, path, is_result ? &result : nullptr, request, ranks);
    return true;
  });
}

/// Those that the processors of this rank run on.
void use_devices(const DistributedRequest& request, const Communicator& ranks, Target& target) {
  std::vector<std::int64_t> mine;
  for (std::int64_t p = 0; request.machine && p < request.machine->processors(); ++p)
    if (rank_of(p, *request.machine, ranks.ranks()) == ranks.rank()) mine.push_back(request.machine->memory_of(p));
  target.devices = open_devices(*target.device, mine);
  target.on = *std::find_if(target.devices.begin(), target.devices.end(), [](const auto& each) { return each; });
}

/// One statement: runs it, writes, and prints unless `quiet`. Returns its report where JSON is asked for. Collective.
nlohmann::ordered_json run_one(const RunArguments& arguments, const Problem& problem, const SharedOperands& operands,
                               double load_ms, bool quiet, Files& files, Engine& engine, Communicator& ranks) {
  Options options;
  options.target.threads = problem.threads;
  options.target.device = problem.device();
  options.target.deterministic = problem.deterministic;
  if (arguments.interpret) options.target.backend = Target::Backend::Interpreter;
  MachineOutcome outcome;
  outcome.load_ms = load_ms;
  const DistributedRequest request = request_with(problem, operands, ranks);
  if (problem.device() && !arguments.interpret) use_devices(request, ranks, options.target);
  run(arguments, engine, request, ranks, options, outcome);
  const DistributedTensor& result = *outcome.result;
  const bool is_written = files.count(problem.result()) != 0;
  write_files(problem, result, request, files, ranks);
  // What is compared is gathered by all; rank 0 has it.
  Storage whole;
  Request in_whole = request.request;
  if (arguments.verify) {
    whole = whole_of(result, engine, ranks);
    for (const auto& [name, tensor] : request.held) in_whole.operands.emplace(name, whole_of(*tensor, engine, ranks));
  }
  nlohmann::ordered_json json = arguments.reporting.as_json()
                                    ? json_of_run(problem, request, outcome, arguments.verify, operands.notes, ranks)
                                    : nlohmann::ordered_json();
  const std::vector<std::string> operand_lines = describe_operands(request, problem.result(), ranks);
  const std::string result_line = describe(problem.result(), result, ranks);
  const std::string entries = is_written ? "" : sample(problem.result(), result, shown_entries, ranks);
  if (ranks.rank() != 0) return json;
  if (arguments.verify) verify_result(in_whole, whole);
  if (quiet) return json;
  for (const std::string& line : operand_lines) fmt::print("{}\n", line);
  print_notes(operands.notes);
  fmt::print("{}\n{}", result_line, entries);
  if (arguments.verify) fmt::print("verified against the reference evaluator\n");
  print_traffic(outcome.report, ranks);
  print_times(outcome, problem, ranks);
  return json;
}

}  // namespace

int run_on_machine(const RunArguments& arguments, const Problem& problem, const Files& files, Communicator& ranks) {
  agree_on_options(arguments, files, ranks);
  const Clock::time_point start = Clock::now();
  const SharedOperands operands = load_shared_operands(problem, ranks);
  const double load_ms = milliseconds_since(start);
  Engine engine = make_engine();
  Files left = files;
  const bool quiet = goes_to_standard_output(files) || !arguments.reporting.in_words();
  nlohmann::ordered_json json;
  // One after the other: none reads what another one makes.
  for (const Problem& one : problem.one_by_one()) {
    nlohmann::ordered_json each = run_one(arguments, one, operands, load_ms, quiet, left, engine, ranks);
    if (json.is_null()) json = std::move(each);
    else json["further_results"].push_back(std::move(each));
  }
  if (ranks.rank() != 0) return Success;
  print_warnings(problem, engine);
  write_json(arguments.reporting, json);
  return Success;
}

}  // namespace lacuna::tool
