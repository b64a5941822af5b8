#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// What is declared of the command line, for those who list it: help, completion, the manual page.
namespace lacuna::tool {

/// The commands, in the order of their declaration.
std::vector<const CLI::App*> commands_of(const CLI::App& root);
/// The options of a command that have a name and are not hidden, positional arguments left out.
std::vector<const CLI::Option*> named_options(const CLI::App& command);
/// The positional arguments of a command, in their order.
std::vector<const CLI::Option*> positional_arguments(const CLI::App& command);
/// "-o" and "--output", as they are written.
std::vector<std::string> written_names(const CLI::Option& option);
/// Whether a value follows the option.
bool takes_value(const CLI::Option& option);

}  // namespace lacuna::tool
