#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/support/check.h"
#include "lacuna/support/nearest.h"
#include "lacuna/support/text_table.h"
#include "tools/command.h"
#include "tools/options.h"
#include "tools/schedule_help.h"
#include "tools/topics.h"

namespace lacuna::tool {
namespace {

/// What was probably meant: a topic, a command or a directive.
std::string suggestion(const CLI::App& root, const std::string& wanted) {
  std::vector<std::string> names;
  for (const Topic& topic : help_topics()) names.push_back(topic.name);
  for (const CLI::App* command : commands_of(root)) names.push_back(command->get_name());
  for (const DirectiveHelp& directive : directive_help()) names.emplace_back(directive.name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::optional<std::string_view> near = nearest_word(wanted, views);
  return near ? fmt::format("; did you mean {}?", *near)
              : "; 'lacuna help' lists the topics, and every command and directive of a schedule is one";
}

int print_topic(const CLI::App& root, const std::string& wanted) {
  if (wanted.empty()) {
    fmt::print("Topics of 'lacuna help':\n\n");
    TextTable table("ll");
    for (const Topic& topic : help_topics()) table.add({topic.name, topic.about});
    table.add({"DIRECTIVE", "a directive of schedules, such as split or precompute"});
    table.add({"COMMAND", "a command, such as run: the same as 'lacuna run --help'"});
    fmt::print("{}", table.text());
    return Success;
  }
  for (const Topic& topic : help_topics()) {
    if (topic.name != wanted) continue;
    fmt::print("{}", topic.text());
    return Success;
  }
  if (const DirectiveHelp* const directive = find_directive(wanted)) {
    fmt::print("{}", directive_page(*directive));
    return Success;
  }
  for (const CLI::App* command : commands_of(root)) {
    if (command->get_name() != wanted) continue;
    fmt::print("{}", command->help("lacuna"));
    return Success;
  }
  user_error("there is no help on '{}'{}", wanted, suggestion(root, wanted));
}

}  // namespace

void add_help(CLI::App& root, Action& action) {
  auto topic = std::make_shared<std::string>();
  CLI::App* command = root.add_subcommand("help", "Explain notation, formats, functions, schedules, errors, …");
  command->add_option("TOPIC", *topic, "what to explain; none lists the topics");
  command->callback([topic, &action, &root] { action = [topic, &root] { return print_topic(root, *topic); }; });
}

}  // namespace lacuna::tool
