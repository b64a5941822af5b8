#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/compile/plan.h"
#include "lacuna/distribute/execute/local_programs.h"
#include "lacuna/explain/explanation.h"
#include "lacuna/io/atomic_write.h"
#include "lacuna/notation/parse.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/problem.h"
#include "tools/session.h"

namespace lacuna::tool {
namespace {

struct Arguments {
  StatementArguments statement;
  std::string svg;
};

Explanation explained(const Problem& problem, const Request& request, Engine& engine) {
  std::map<std::string, double> stored;
  for (const auto& [name, tensor] : request.operands) stored[name] = static_cast<double>(tensor.stored());
  Options options;
  options.target.threads = problem.threads;
  options.stop_before_code = true;
  const Prepared prepared = engine.prepare(request, options);
  return explain(prepared.plan().scheduled, prepared.checked().problem, request.schedule.empty(), stored);
}

/// The picture to its file, or the explanation to the standard output.
void print(const Arguments& arguments, const Explanation& explanation) {
  const bool to_file = !arguments.svg.empty() && arguments.svg != "-";
  if (to_file) {
    AtomicFile picture(arguments.svg);
    picture.append(to_svg(explanation));
    picture.commit();
  }
  fmt::print("{}", arguments.svg == "-" ? to_svg(explanation) : to_text(explanation));
  if (to_file) fmt::print("\npicture: {}\n", arguments.svg);
}

/// What each processor computes, of the sizes and entries of its parts.
void explain_on_machine(const Arguments& arguments, const Problem& problem, const Request& request, Engine& engine) {
  const std::vector<LocalProgram> programs = local_programs(on_machine(problem, request));
  if (programs.empty()) fmt::print("no processor has anything to compute\n");
  for (std::size_t k = 0; k < programs.size(); ++k) {
    if (arguments.svg != "-")
      fmt::print("{}processor {}: {}\n\n", k == 0 ? "" : "\n", programs[k].processors,
                 to_string(programs[k].request.statement));
    Arguments of_this = arguments;
    if (k > 0) of_this.svg.clear();  // the first one is drawn
    if (k == 0 || arguments.svg != "-") print(of_this, explained(problem, programs[k].request, engine));
  }
  if (arguments.svg != "-")
    fmt::print("\n'lacuna show' with the same options prints the plan, and 'lacuna simulate' what moves.\n");
}

int explain_statement(const Arguments& arguments) {
  const Problem problem = understand(arguments.statement);
  const Request request = request_of(problem, load_operands(problem, MissingInput::Empty));
  Engine engine = make_engine();
  if (problem.is_distributed()) explain_on_machine(arguments, problem, request, engine);
  else print(arguments, explained(problem, request, engine));
  print_warnings(problem, engine);
  return Success;
}

}  // namespace

void add_explain(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = root.add_subcommand("explain", "Say what was chosen for a statement, why, and what it costs");
  command->footer(R"(
Examples:
  lacuna explain 'y(i) = A(i,j) * x(j)' -i A=A.mtx -i x=dense
  lacuna explain 'C(i,k) = A(i,j) * B(j,k)' -f A:csr -f B:csr -f C:csr --svg product.svg
Operands without -i are dense unless -f says otherwise; sizes that nothing says are 1000. With --machine, what each
processor computes is explained.)");
  add_statement_options(*command, arguments->statement);
  command->add_option("--svg", arguments->svg, "also draw it, to this file; - draws to the standard output instead")
      ->type_name("FILE");
  command->callback([arguments, &action] { action = [arguments] { return explain_statement(*arguments); }; });
}

}  // namespace lacuna::tool
