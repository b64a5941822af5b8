#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/compile/plan.h"
#include "lacuna/explain/explanation.h"
#include "lacuna/io/atomic_write.h"
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

int explain_statement(const Arguments& arguments) {
  const Problem problem = understand_on_one(arguments.statement, "explain");
  const Request request = request_of(problem, load_operands(problem, MissingInput::Empty));
  std::map<std::string, double> stored;
  for (const auto& [name, tensor] : request.operands) stored[name] = static_cast<double>(tensor.stored());
  Options options;
  options.target.threads = problem.threads;
  options.stop_before_code = true;

  Engine engine = make_engine();
  const Prepared prepared = engine.prepare(request, options);
  const Explanation explanation =
      explain(prepared.plan().scheduled, prepared.checked().problem, problem.schedule.empty(), stored);
  const bool to_file = !arguments.svg.empty() && arguments.svg != "-";
  if (to_file) {
    AtomicFile picture(arguments.svg);
    picture.append(to_svg(explanation));
    picture.commit();
  }
  fmt::print("{}", arguments.svg == "-" ? to_svg(explanation) : to_text(explanation));
  if (to_file) fmt::print("\npicture: {}\n", arguments.svg);
  print_warnings(engine);
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
Operands without -i are dense unless -f says otherwise; sizes that nothing says are 1000.)");
  add_statement_options(*command, arguments->statement);
  hide_machine(*command);
  command->add_option("--svg", arguments->svg, "also draw it, to this file; - draws to the standard output instead")
      ->type_name("FILE");
  command->callback([arguments, &action] { action = [arguments] { return explain_statement(*arguments); }; });
}

}  // namespace lacuna::tool
