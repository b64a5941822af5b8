#include "tools/schedule_help.h"

#include <algorithm>

#include <fmt/format.h>

#include "lacuna/notation/parse.h"
#include "lacuna/support/error.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/problem.h"
#include "tools/session.h"

namespace lacuna::tool {
namespace {

std::string loops_under(const DirectiveExample& example, const std::string& schedule) {
  StatementArguments arguments;
  arguments.expression = example.statement;
  for (const std::string_view format : example.formats) arguments.formats.emplace_back(format);
  arguments.schedules = {schedule};
  arguments.threads = 1;
  if (launch::is_distributed(parse_schedule(schedule))) arguments.machine = example.machine;
  const Problem problem = understand(arguments);
  if (problem.is_distributed()) {
    const Request request = request_of(problem, load_operands(problem, MissingInput::Empty));
    return plan_distributed(on_machine(problem, request)).to_string(4);
  }
  std::string loops;
  Options options;
  options.stop_before_code = true;
  options.on_stage = [&](const Stage& stage) {
    if (stage.name == "concrete") loops = stage.text;
  };
  make_engine().prepare(request_of(problem, load_operands(problem, MissingInput::Empty)), options);
  return loops;
}

std::string indented(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    out += line == "\n" ? "" : indent;
    out += line;
    text.remove_prefix(end);
  }
  if (!out.empty() && out.back() != '\n') out += '\n';
  return out;
}

}  // namespace

const DirectivePage& page_of(const DirectiveHelp& directive) {
  for (const DirectivePage& page : directive_pages()) {
    if (page.name == directive.name) return page;
  }
  throw InternalError(fmt::format("internal error: the directive {} has no page of help", directive.name));
}

std::string example_schedule(const DirectiveExample& example) {
  return fmt::format("{}{}{}", example.before, example.before.empty() ? "" : ", ", example.directive);
}

std::string loops_before(const DirectiveExample& example) {
  if (!example.before.empty()) return loops_under(example, std::string(example.before));
  // Without directives, loops are chosen automatically. One that changes nothing gives those that directives begin
  // with.
  const Statement statement = parse_statement(std::string(example.statement));
  const std::string first = all_variables(statement).front().name();
  return loops_under(example, fmt::format("parallelize({},NotParallel)", first));
}

std::string loops_after(const DirectiveExample& example) { return loops_under(example, example_schedule(example)); }

std::string directive_page(const DirectiveHelp& directive) {
  const DirectivePage& page = page_of(directive);
  const DirectiveExample& example = page.example;
  std::string command =
      fmt::format("lacuna show --stage {} '{}'", example.machine.empty() ? "concrete" : "plan", example.statement);
  for (const std::string_view format : example.formats) command += fmt::format(" -f {}", format);
  if (!example.machine.empty()) command += fmt::format(" --machine '{}'", example.machine);
  command += fmt::format(" -s '{}'", example_schedule(example));

  std::string text = fmt::format("{}: {}\n\n", directive.form, directive.summary);
  text += indented(page.does, "") + "\nWhat must hold:\n\n" + indented(page.legal, "  ");
  text += fmt::format("\nExample: {}\n\n  {}\n\n", example.about, command);
  text += example.before.empty() ? "Before:\n\n" : fmt::format("Before, under {}:\n\n", example.before);
  text += indented(loops_before(example), "  ");
  text += fmt::format("\nAfter {}:\n\n", example.directive);
  return text + indented(loops_after(example), "  ");
}

std::string schedule_page() {
  std::string text =
      R"(A schedule says how the loops of a statement run; it changes the speed, never the result. Without one, it is
chosen automatically. With one, directives are applied one after the other to plain loops:

  lacuna run 'y(i) = A(i,j) * x(j)' -i A=A.mtx -i x=dense -s 'split(i,io,ii,64), parallelize(io,CPUThread)'

Directives are separated by commas, semicolons or newlines, and -s may be given several times. Names are those
of the statement's variables and tensors, and those that directives before made. A directive that cannot be
applied is refused, with the reason and what would do. 'lacuna show --stage concrete' prints the loops,
'lacuna show --stage schedule' the schedule that is chosen automatically, as directives to edit and give back.

The plain loops nest in the order that is chosen automatically, which depends on formats and sizes: begin with
reorder where the order matters. Sums and workspaces that the result needs are put in by themselves, at the end.

)";
  for (const DirectiveHelp& each : directive_help()) text += fmt::format("  {}\n      {}\n", each.form, each.summary);
  return text +
         "\n'lacuna help DIRECTIVE', such as 'lacuna help split', explains one, with its loops before and after.\n";
}

}  // namespace lacuna::tool
