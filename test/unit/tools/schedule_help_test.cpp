// The help on directives: complete, its examples accepted, showing a difference, and computing what they say.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/notation/parse.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/schedule_help.h"
#include "tools/session.h"
#include "tools/verify.h"

namespace lacuna::tool::schedule_help_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ScheduleHelp, HasAPageForEveryDirectiveInTheirOrder) {
  ASSERT_EQ(directive_pages().size(), directive_help().size());
  for (std::size_t k = 0; k < directive_help().size(); ++k) {
    EXPECT_EQ(directive_pages()[k].name, directive_help()[k].name);
    EXPECT_THAT(schedule_page(), HasSubstr(std::string(directive_help()[k].form)));
  }
}

TEST(ScheduleHelp, ExamplesUseTheirDirective) {
  for (const DirectivePage& page : directive_pages())
    EXPECT_THAT(std::string(page.example.directive), HasSubstr(std::string(page.name) + "("));
}

TEST(ScheduleHelp, ExamplesShowWhatTheDirectiveChanges) {
  for (const DirectivePage& page : directive_pages()) {
    const std::string before = loops_before(page.example), after = loops_after(page.example);
    EXPECT_THAT(before, HasSubstr("forall ")) << page.name;
    EXPECT_NE(before, after) << page.name;
  }
}

TEST(ScheduleHelp, PagesShowTheLoopsAndTheCommandThatPrintsThem) {
  const std::string page = directive_page(*find_directive("unroll"));
  EXPECT_THAT(page, StartsWith("unroll(i,n): "));
  EXPECT_THAT(page, HasSubstr("lacuna show --stage concrete 'y(i) = A(i,j) * x(j)' -f A:csr -s 'unroll(j,4)'"));
  EXPECT_THAT(page, HasSubstr("  forall i\n    y(i) = t\n    where\n      forall j\n        t += A(i,j) * x(j)\n"));
  EXPECT_THAT(page, HasSubstr("      forall j  (unroll 4)\n"));
}

TEST(ScheduleHelp, PagesFitAWindowOfAHundredAndTwentyColumns) {
  for (const DirectivePage& page : directive_pages()) {
    for (const std::string_view text : {page.does, page.legal}) {
      std::size_t length = 0;
      for (const char c : text) {
        length = c == '\n' ? 0 : length + 1;
        EXPECT_LE(length, 118U) << page.name;
      }
    }
  }
}

TEST(ScheduleHelp, ExamplesComputeTheirStatement) {
  for (const DirectivePage& page : directive_pages()) {
    SCOPED_TRACE(page.name);
    StatementArguments arguments;
    arguments.expression = page.example.statement;
    for (const std::string_view format : page.example.formats) arguments.formats.emplace_back(format);
    arguments.schedules = {example_schedule(page.example)};
    const Statement statement = parse_statement(arguments.expression);
    // As `lacuna show` has them: dense where no format is given.
    for (const std::string& name : operand_names(statement)) {
      const bool stored = std::any_of(arguments.formats.begin(), arguments.formats.end(),
                                      [&](const std::string& format) { return format.starts_with(name + ":"); });
      arguments.inputs.push_back(name + (stored ? "=random:0.2" : "=dense"));
    }
    // The example of bound promises at least 500 rows.
    for (const IndexVar& v : all_variables(statement))
      arguments.sizes.push_back(v.name() + (v.name() == "i" ? "=600" : "=12"));
    arguments.machine = page.example.machine;
    const Problem problem = understand(arguments);
    const Request request = request_of(problem, load_operands(problem, MissingInput::Refuse));
    Options options;
    options.target = {Target::Backend::Interpreter, 2};
    Engine engine = make_engine();
    verify_result(request, problem.is_distributed() ? run_in_process(engine, on_machine(problem, request), options)
                                                    : engine.run(request, options));
  }
}

}  // namespace
}  // namespace lacuna::tool::schedule_help_test
