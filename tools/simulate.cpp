#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/distribute/simulate/simulate.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/problem.h"
#include "tools/session.h"
#include "tools/summary.h"

namespace lacuna::tool {
namespace {

struct Arguments {
  StatementArguments statement;
  std::string network;
  std::size_t steps = 16;
};

/// Operands that are not dense are counted as they are, so that they have to be given.
void check_inputs(const Problem& problem, const Request& request) {
  for (const auto& [name, tensor] : request.operands)
    if (!tensor.format.is_dense() && problem.inputs.count(name) == 0)
      throw Error(
          fmt::format("what moves of {} depends on its entries; give it some, as in -i {}=random:0.01", name, name));
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

std::string traffic_text(const Traffic& traffic) {
  if (traffic.messages == 0) return "nothing moves";
  return fmt::format("{} messages, {}, at most {} processor{} away", traffic.messages, bytes_text(traffic.bytes),
                     traffic.farthest, traffic.farthest == 1 ? "" : "s");
}

std::string at_text(const launch::Values& at) {
  std::string text;
  for (const auto& [variable, value] : at) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", variable, value);
  return text.empty() ? "in one step" : text;
}

double ratio(double most, double mean) { return mean > 0 ? most / mean : 1; }

void print(const Simulation& s, std::size_t steps) {
  for (std::size_t k = 0; k < std::min(steps, s.steps.size()); ++k) {
    const SimulatedStep& step = s.steps[k];
    fmt::print("{}: {}; moving {}, computing {}\n", at_text(step.at), traffic_text(step.traffic),
               seconds_text(step.moving), seconds_text(step.computing));
  }
  if (s.steps.size() > steps) fmt::print("… {} steps in all\n", s.steps.size());
  fmt::print("tasks: {}\n", s.tasks);
  fmt::print("operands: {}\n", traffic_text(s.fetches));
  fmt::print("results: {}{}\n", traffic_text(s.reductions),
             s.knows_result || s.reductions.messages == 0 ? "" : " (what they weigh is known when they are computed)");
  fmt::print("memory of a processor: at most {}, which is {:.2f} times the mean\n", bytes_text(s.most_memory),
             ratio(static_cast<double>(s.most_memory), s.mean_memory));
  fmt::print("work of a processor: at most {:.4g} turns of its innermost loops, which is {:.2f} times the mean\n",
             s.most_turns, ratio(s.most_turns, s.mean_turns));
  fmt::print("expected time: {}\n", seconds_text(s.seconds()));
}

int run_simulation(const Arguments& arguments) {
  const Problem problem = understand(arguments.statement);
  if (!problem.is_distributed())
    throw Error("there is something to simulate where several processors compute a statement; add --machine 'Grid(4)'");
  const Network network = parse_network(arguments.network);
  const Request request = request_of(problem, load_operands(problem, MissingInput::Empty));
  check_inputs(problem, request);
  print(simulate(on_machine(problem, request), network), arguments.steps);
  return Success;
}

}  // namespace

void add_simulate(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      root.add_subcommand("simulate", "Say what a statement would move on a machine, and how long it would take");
  command->footer(R"(
Examples:
  lacuna simulate 'A(i,j) = B(i,k) * C(k,j)' -d i=8192,j=8192,k=8192 --machine 'Grid(16,16)' \
      --place 'A: xy -> xy' --place 'B: xy -> xy' --place 'C: xy -> xy'
  lacuna simulate 'a(i) = B(i,j) * c(j)' -f B:csr -i B=web.mtx --machine 'Grid(1024)' --place 'B: xy -> ~(xy)' \
      --network alpha=2us,beta=25GB/s,rate=1e9/s
Nothing is computed, so a machine may have thousands of processors. Dense operands need no entries, others have to have
theirs. Messages and bytes are those that 'lacuna run' counts. A message takes alpha and its bytes over beta; a turn of
an innermost loop takes 1/rate; what the next step needs moves while one is computed.)");
  add_statement_options(*command, arguments->statement);
  command
      ->add_option("--network", arguments->network,
                   "alpha=2us,beta=25GB/s,rate=1e9/s: latency, bandwidth, speed of loops")
      ->type_name("NAME=VALUE,…");
  command->add_option("--steps", arguments->steps, "print so many steps")->capture_default_str();
  command->callback([arguments, &action] { action = [arguments] { return run_simulation(*arguments); }; });
}

}  // namespace lacuna::tool
