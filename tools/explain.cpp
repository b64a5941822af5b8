#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/distribute/run/local_programs.h"
#include "lacuna/explain/explanation.h"
#include "lacuna/notation/parse.h"
#include "tools/command.h"
#include "tools/explanation_json.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/outputs.h"
#include "tools/problem.h"
#include "tools/reporting.h"
#include "tools/session.h"

namespace lacuna::tool {
namespace {

struct ExplainArguments {
  Reporting reporting;
  StatementArguments statement;
  std::string svg;
};

Explanation explained(const Problem& problem, const Request& request, Engine& engine) {
  std::map<std::string, double> stored;
  for (const auto& [name, tensor] : request.operands) stored[name] = static_cast<double>(tensor.stored());
  Options options;
  options.target.threads = problem.threads;
  options.target.device = problem.device();
  options.target.deterministic = problem.deterministic;
  options.stop_before_code = true;
  const Prepared prepared = engine.prepare(request, options);
  return explain(prepared.plan().scheduled, prepared.checked().problem, request.schedule.empty(), stored);
}

/// Whether the explanation goes to standard output in words.
bool in_words(const ExplainArguments& arguments) { return arguments.reporting.in_words() && arguments.svg != "-"; }

/// The picture to its file or standard output, and the explanation in words.
void print(const ExplainArguments& arguments, const Explanation& explanation) {
  if (!arguments.svg.empty()) write_text(arguments.svg, to_svg(explanation));
  if (!in_words(arguments)) return;
  fmt::print("{}", to_text(explanation));
  if (!arguments.svg.empty()) fmt::print("\npicture: {}\n", arguments.svg);
}

/// What each processor computes, of the sizes and entries of its parts.
nlohmann::ordered_json explain_on_machine(const ExplainArguments& arguments, const Problem& problem,
                                          const Request& request, Engine& engine) {
  const std::vector<LocalProgram> programs = local_programs(on_machine(problem, request));
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  const bool words = in_words(arguments);
  if (programs.empty() && words) fmt::print("no processor has anything to compute\n");
  for (std::size_t k = 0; k < programs.size(); ++k) {
    if (words)
      fmt::print("{}processor {}: {}\n\n", k == 0 ? "" : "\n", programs[k].processors,
                 to_string(programs[k].request.statement));
    ExplainArguments of_this = arguments;
    if (k > 0) of_this.svg.clear();  // the first one is drawn
    if (k > 0 && !words && !arguments.reporting.as_json()) break;
    const Explanation explanation = explained(problem, programs[k].request, engine);
    if (k == 0 || words) print(of_this, explanation);
    if (arguments.reporting.as_json())
      json.push_back({{"processors", programs[k].processors}, {"explanation", json_of(explanation)}});
  }
  if (words) fmt::print("\n'lacuna show' with the same options prints the plan, and 'lacuna simulate' what moves.\n");
  return json;
}

int explain_statement(const ExplainArguments& arguments) {
  if (arguments.svg == "-") check_standard_output(arguments.reporting, "--svg -");
  const Problem problem = understand(arguments.statement);
  const Request request = request_of(problem, load_operands(problem, MissingInput::Empty));
  Engine engine = make_engine();
  if (problem.is_distributed()) {
    write_json(arguments.reporting, explain_on_machine(arguments, problem, request, engine));
  } else {
    const Explanation explanation = explained(problem, request, engine);
    print(arguments, explanation);
    if (arguments.reporting.as_json()) write_json(arguments.reporting, json_of(explanation));
  }
  print_warnings(problem, engine);
  return Success;
}

}  // namespace

void add_explain(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* command = root.add_subcommand("explain", "Say what was chosen for a statement, why, and what it costs");
  command->footer(R"(
Examples:
  lacuna explain 'y(i) = A(i,j) * x(j)' -i A=A.mtx -i x=dense
  lacuna explain 'C(i,k) = A(i,j) * B(j,k)' -f A:csr -f B:csr -f C:csr --svg product.svg
Operands without -i are dense unless -f says otherwise; sizes that nothing says are 1000. With --machine, what each
processor computes is explained.)");
  add_statement_options(*command, arguments->statement);
  add_target_option(*command, arguments->statement);
  command->add_option("--svg", arguments->svg, "also draw it, to this file; - draws to the standard output instead")
      ->type_name("FILE");
  add_reporting_options(*command, arguments->reporting);
  command->callback([arguments, &action] { action = [arguments] { return explain_statement(*arguments); }; });
}

}  // namespace lacuna::tool
