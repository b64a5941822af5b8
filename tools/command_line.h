#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace lacuna::tool {

/// Compares the arguments with the commands and options that are declared, before CLI11 parses them. Throws Error,
/// which says what was probably meant: an unknown command or option, a value or an argument too few or too many.
void check_command_line(const CLI::App& root, const std::vector<std::string>& arguments);

/// What CLI11 found wrong with a value, as a sentence.
std::string message_of(const CLI::ParseError& error);

}  // namespace lacuna::tool
