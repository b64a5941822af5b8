#include "tools/command_line.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/support/check.h"
#include "lacuna/support/nearest.h"
#include "tools/options.h"

namespace lacuna::tool {
namespace {

using Words = std::vector<std::string>;

/// The nearest word, or the one that begins so.
std::string did_you_mean(const std::string& written, const Words& known, const std::string& otherwise) {
  constexpr std::size_t telling = 4;
  const auto begins_so = [&](const std::string& word) {
    return written.size() >= telling && word.starts_with(written);
  };
  if (std::count_if(known.begin(), known.end(), begins_so) == 1)
    return fmt::format("; did you mean {}?", *std::find_if(known.begin(), known.end(), begins_so));
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::optional<std::string_view> near = nearest_word(written, views);
  return near ? fmt::format("; did you mean {}?", *near) : otherwise;
}

Words option_names(const CLI::App& command) {
  Words names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

const CLI::Option* find_option(const CLI::App& command, const std::string& name) {
  if (name.size() < 2) return nullptr;
  for (const CLI::Option* option : command.get_options()) {
    const bool is_long = name.starts_with("--");
    const Words& names = is_long ? option->get_lnames() : option->get_snames();
    if (std::find(names.begin(), names.end(), name.substr(is_long ? 2 : 1)) != names.end()) return option;
  }
  return nullptr;
}

/// "-o FILE", or the name of a positional.
std::string spoken(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  const std::string name =
      option.get_snames().empty() ? "--" + option.get_lnames().front() : "-" + option.get_snames().front();
  return fmt::format("{} {}", name, option.get_type_name());
}

/// The arguments of one command.
class Checker {
 public:
  Checker(const CLI::App& root, const CLI::App& command, const Words& arguments)
      : root_(root),
        command_(command),
        arguments_(arguments),
        name_("lacuna " + command.get_name()),
        positionals_(positional_arguments(command)) {}

  void run() {
    for (at_ = 1; at_ < arguments_.size(); ++at_) {
      const std::string& argument = arguments_[at_];
      if (argument == "--help" || argument == "-h") return;  // whatever else is written
      if (argument == "--") is_positional_ = true;
      else if (is_positional_ || argument.size() < 2 || argument[0] != '-') positional(argument);
      else if (argument[1] == '-') long_option(argument);
      else short_option(argument);
    }
    check_required();
  }

 private:
  [[noreturn]] void refuse_option(const std::string& written, const std::string& meant) const {
    for (const CLI::App* other : commands_of(root_))
      if (find_option(*other, written) != nullptr)
        user_error("'{}' has no option {}, but 'lacuna {}' has; '{} --help' lists those that it has", name_, written,
                   other->get_name(), name_);
    user_error("'{}' has no option {}{}", name_, written,
               did_you_mean(meant, option_names(command_), fmt::format("; '{} --help' lists its options", name_)));
  }

  void long_option(const std::string& argument) {
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const CLI::Option* const option = find_option(command_, name);
    if (option == nullptr) refuse_option(name, name);
    if (!takes_value(*option)) return;
    if (equals != std::string::npos) value_of(*option, name, argument.substr(equals + 1));
    else next_value(*option, name);
  }

  void short_option(const std::string& argument) {
    const std::string rest = argument.substr(2);
    // One dash before a long name, which would read as a short option with the rest as its value.
    const std::string as_long = "-" + argument.substr(0, argument.find('='));
    if (!rest.empty() && find_option(command_, as_long) != nullptr)
      user_error("'{}' has no option {}; did you mean {}?", name_, as_long.substr(1), as_long);
    const CLI::Option* const option = find_option(command_, argument.substr(0, 2));
    if (option == nullptr) refuse_option(argument, as_long);
    if (!takes_value(*option)) return;
    if (rest.empty()) next_value(*option, argument);
    else value_of(*option, argument.substr(0, 2), rest);
  }

  bool is_option(const std::string& argument) const {
    if (argument.size() < 2 || argument[0] != '-') return false;
    return find_option(command_, argument.substr(0, argument[1] == '-' ? argument.find('=') : 2)) != nullptr;
  }

  void next_value(const CLI::Option& option, const std::string& name) {
    if (at_ + 1 == arguments_.size() || is_option(arguments_[at_ + 1])) refuse_missing_value(option, name);
    value_of(option, name, arguments_[++at_]);
  }

  [[noreturn]] static void refuse_missing_value(const CLI::Option& option, const std::string& name) {
    user_error("{} needs a value: {} {} ({})", name, name, option.get_type_name(), option.get_description());
  }

  void value_of(const CLI::Option& option, const std::string& name, const std::string& value) {
    if (value.empty() && name.starts_with("--")) refuse_missing_value(option, name);
    if (++seen_[&option] > 1 && option.get_items_expected_max() == 1)
      user_error("{} is given twice; give it once", name);
    refuse_two_words(option, name, value);
  }

  /// NAME=VALUE, with a blank in place of its '='.
  void refuse_two_words(const CLI::Option& option, const std::string& name, const std::string& value) const {
    const std::string type = option.get_type_name();
    if (!type.starts_with("NAME") && !type.starts_with("i=")) return;
    const std::size_t separator = type.find_first_of("=:");
    if (separator == std::string::npos || value.find(type[separator]) != std::string::npos) return;
    if (at_ + 1 == arguments_.size() || is_option(arguments_[at_ + 1])) return;
    const std::string& next = arguments_[at_ + 1];
    if (next.find_first_of(" (=") != std::string::npos) return;
    user_error("{} takes {} as one word; write {} {}{}{}", name, type, name, value, type[separator], next);
  }

  void positional(const std::string& argument) {
    if (++given_ <= positionals_.size()) return;
    Words taken;
    for (const CLI::Option* each : positionals_) taken.push_back(each->get_name(true));
    user_error("'{}' is one argument too many: '{}' takes {}", argument, name_,
               taken.empty() ? "none" : fmt::format("{}", fmt::join(taken, " ")));
  }

  void check_required() const {
    for (std::size_t k = given_; k < positionals_.size(); ++k) require(*positionals_[k]);
    for (const CLI::Option* option : command_.get_options())
      if (!option->get_positional() && seen_.count(option) == 0) require(*option);
  }
  void require(const CLI::Option& option) const {
    if (option.get_required()) user_error("'{}' needs {}: {}", name_, spoken(option), option.get_description());
  }

  const CLI::App& root_;
  const CLI::App& command_;
  const Words& arguments_;
  std::string name_;
  std::vector<const CLI::Option*> positionals_;
  std::map<const CLI::Option*, int> seen_;
  std::size_t at_ = 0, given_ = 0;
  bool is_positional_ = false;  // after "--"
};

[[noreturn]] void refuse_command(const CLI::App& root, const std::string& written) {
  if (written.find('=') != std::string::npos && !written.starts_with('-'))
    user_error("'{}' is a statement where a command is expected; write lacuna run '{}'", written, written);
  Words names;
  for (const CLI::App* command : commands_of(root)) names.push_back(command->get_name());
  user_error("'{}' is no command{}", written, did_you_mean(written, names, "; 'lacuna --help' lists them"));
}

[[noreturn]] void refuse_option_first(const CLI::App& root, const std::string& written) {
  const std::string name = written.substr(0, written.find('='));
  for (const CLI::App* command : commands_of(root))
    if (find_option(*command, name.starts_with("--") ? name : name.substr(0, 2)) != nullptr)
      user_error("{} stands before the command, and options come after it: lacuna {} … {} …", name, command->get_name(),
                 name);
  user_error("lacuna has no option {}{}", name,
             did_you_mean(name, option_names(root), "; 'lacuna --help' shows how it is used"));
}

}  // namespace

void check_command_line(const CLI::App& root, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return;
  const std::string& first = arguments.front();
  if (find_option(root, first) != nullptr) return;
  if (first.size() > 1 && first[0] == '-') refuse_option_first(root, first);
  for (const CLI::App* command : commands_of(root))
    if (command->get_name() == first) return Checker(root, *command, arguments).run();
  refuse_command(root, first);
}

std::string message_of(const CLI::ParseError& error) {
  std::string text = error.what();
  const std::size_t colon = text.find(": must be ");
  if (colon != std::string::npos) return text.erase(colon, 1);
  for (char& c : text)
    if (c == '\n') c = ' ';
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "; 'lacuna --help' shows the commands";
}

}  // namespace lacuna::tool
