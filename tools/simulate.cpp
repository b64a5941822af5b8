#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/distribute/simulate/simulate.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/outputs.h"
#include "tools/problem.h"
#include "tools/reporting.h"
#include "tools/scaling.h"
#include "tools/scaling_picture.h"
#include "tools/session.h"
#include "tools/simulation_inputs.h"
#include "tools/simulation_report.h"
#include "tools/traffic_picture.h"
#include "tools/values.h"

namespace lacuna::tool {
namespace {

struct SimulateArguments {
  StatementArguments statement;
  std::string network;
  std::size_t steps = 16;
  Reporting reporting;
  std::string draw;
  std::string scaling;  // none, strong or weak
  std::int64_t processors = 4096;
};

/// Operands that are not dense are counted as they are, so that they have to be given.
void check_inputs(const Problem& problem, const Request& request) {
  for (const auto& [name, tensor] : request.operands)
    if (!tensor.format.is_dense() && problem.inputs.count(name) == 0)
      throw Error(
          fmt::format("what moves of {} depends on its entries; give it some, as in -i {}=random:0.01", name, name));
}

/// Whether nothing but what is drawn, or written as JSON, goes to standard output.
bool is_quiet(const SimulateArguments& arguments) { return !arguments.reporting.in_words() || arguments.draw == "-"; }

int run_scaling(const SimulateArguments& arguments, const Network& network) {
  const Scaling scaling =
      simulate_scaling(arguments.statement, arguments.scaling == "weak", arguments.processors, network);
  if (!is_quiet(arguments)) print_scaling(scaling);
  if (arguments.reporting.as_json()) write_json(arguments.reporting, scaling_json(scaling, network));
  if (!arguments.draw.empty()) write_text(arguments.draw, scaling_picture(scaling));
  return Success;
}

int run_simulation(const SimulateArguments& arguments) {
  const Network network = parse_network(arguments.network);
  if (arguments.draw == "-") check_standard_output(arguments.reporting, "--draw -");
  if (!arguments.scaling.empty()) return run_scaling(arguments, network);
  const Problem problem = understand(arguments.statement);
  const DistributedRequest request = simulated_request(problem);
  TrafficRecord traffic;
  MessageHook hook;
  if (!arguments.draw.empty()) hook = [&](const SimulatedMessage& message) { traffic.note(message); };
  const Simulation simulation = simulate(request, network, hook);
  for (const std::string& doubt : problem.doubts) print_warning(doubt);
  if (!is_quiet(arguments)) print_simulation(simulation, arguments.steps);
  if (arguments.reporting.as_json()) write_json(arguments.reporting, simulation_json(request, network, simulation));
  if (!arguments.draw.empty()) {
    const std::string title = fmt::format("{} on {}", problem.statement.text, simulation.machine.to_string());
    write_text(arguments.draw, traffic_picture(title, simulation.machine, simulation, traffic));
  }
  return Success;
}

}  // namespace

DistributedRequest simulated_request(const Problem& problem) {
  if (!problem.is_distributed())
    throw Error("there is something to simulate where several processors compute a statement; add --machine 'Grid(4)'");
  Request request = request_of(problem, load_operands(problem, MissingInput::Empty));
  check_inputs(problem, request);
  return on_machine(problem, std::move(request));
}

void add_simulate(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<SimulateArguments>();
  CLI::App* command =
      root.add_subcommand("simulate", "Say what a statement would move on a machine, and how long it would take");
  command->footer(R"(
Examples:
  lacuna simulate 'A(i,j) = B(i,k) * C(k,j)' -d i=8192,j=8192,k=8192 --machine 'Grid(16,16)' \
      --place 'A: xy -> xy' --place 'B: xy -> xy' --place 'C: xy -> xy'
  lacuna simulate 'a(i) = B(i,j) * c(j)' -f B:csr -i B=web.mtx --machine 'Grid(1024)' --place 'B: xy -> ~(xy)' \
      --network alpha=2us,beta=25GB/s,rate=1e9/s
  lacuna simulate 'A(i,j) = B(i,k) * C(k,j)' -d i=512,j=512,k=512 --machine 'Grid(2,2)' --draw traffic.svg
  lacuna simulate 'y(i) = A(i,j) * x(j)' -d i=4096,j=4096 --machine 'Grid(1)' --scaling strong --draw strong.svg
Nothing is computed, so a machine may have thousands of processors. Dense operands need no entries, all others do.
Messages and bytes are those that 'lacuna run' counts. A message takes alpha plus its bytes divided by beta. An
iteration of an innermost loop takes 1/rate. Messages of the next step move while one is computed, unless --network says
overlap=no. With --scaling, the machine is the first of several: each dimension of its outermost grid doubles, up to
--processors.)");
  add_statement_options(*command, arguments->statement);
  command
      ->add_option("--network", arguments->network,
                   "alpha=2us,beta=25GB/s,rate=1e9/s,overlap=no: latency, bandwidth, loop iterations per second, "
                   "no messages meanwhile")
      ->type_name("NAME=VALUE,…");
  command->add_option("--steps", arguments->steps, "print so many steps")
      ->type_name("N")
      ->transform(whole_number(0))
      ->capture_default_str();
  add_reporting_options(*command, arguments->reporting);
  command
      ->add_option(
          "--draw", arguments->draw,
          "draw who sends what to whom in each step, or with --scaling the curves, as SVG; - prints it instead")
      ->type_name("FILE");
  command
      ->add_option("--scaling", arguments->scaling,
                   "strong or weak: the same on ever larger machines, with the same sizes or with sizes that grow")
      ->transform(one_of({"strong", "weak"}));
  command->add_option("--processors", arguments->processors, "the largest machine of --scaling")
      ->type_name("N")
      ->transform(whole_number(1, 1 << 20))
      ->capture_default_str();
  command->callback([arguments, &action] { action = [arguments] { return run_simulation(*arguments); }; });
}

}  // namespace lacuna::tool
