#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/support/error.h"
#include "tools/command.h"
#include "tools/schedule_help.h"
#include "tools/topics.h"

namespace lacuna::tool {
namespace {

int print_topic(const std::string& wanted) {
  if (wanted.empty()) {
    fmt::print("Topics of 'lacuna help':\n\n");
    for (const Topic& topic : help_topics()) fmt::print("  {:<12} {}\n", topic.name, topic.about);
    fmt::print("  {:<12} {}\n", "DIRECTIVE", "a directive of schedules, such as split or precompute");
    return Success;
  }
  std::vector<std::string> names;
  for (const Topic& topic : help_topics()) {
    if (topic.name == wanted) {
      fmt::print("{}", topic.text());
      return Success;
    }
    names.push_back(topic.name);
  }
  if (const DirectiveHelp* const directive = find_directive(wanted)) {
    fmt::print("{}", directive_page(*directive));
    return Success;
  }
  user_error("there is no help on '{}'; topics are {}, and every directive of a schedule", wanted,
             fmt::join(names, ", "));
}

}  // namespace

void add_help(CLI::App& root, Action& action) {
  auto topic = std::make_shared<std::string>();
  CLI::App* command = root.add_subcommand("help", "Explain notation, formats, functions, schedules, errors, …");
  command->add_option("TOPIC", *topic, "what to explain; none lists the topics");
  command->callback([topic, &action] { action = [topic] { return print_topic(*topic); }; });
}

}  // namespace lacuna::tool
