#include "tools/options.h"

#include <CLI/CLI.hpp>

namespace lacuna::tool {

std::vector<const CLI::App*> commands_of(const CLI::App& root) {
  return root.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> named_options(const CLI::App& command) {
  std::vector<const CLI::Option*> named;
  for (const CLI::Option* option : command.get_options())
    if (const bool hidden = option->get_group().empty();
        !hidden && (!option->get_lnames().empty() || !option->get_snames().empty()))
      named.push_back(option);
  return named;
}

std::vector<const CLI::Option*> positional_arguments(const CLI::App& command) {
  std::vector<const CLI::Option*> positionals;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional()) positionals.push_back(option);
  return positionals;
}

std::vector<std::string> written_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

}  // namespace lacuna::tool
