#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "tools/command.h"
#include "tools/options.h"
#include "tools/version.h"

// The manual page, made from the declarations that the command line is read by.
namespace lacuna::tool {
namespace {

/// Text of roff: no line begins with what roff takes for a request, and dashes are those that are typed.
std::string roff(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
    begins = c == '\n';
  }
  return out;
}

std::string option_entry(const CLI::Option& option) {
  std::string names = fmt::format("{}", fmt::join(written_names(option), ", "));
  std::string entry = fmt::format(".TP\n\\fB{}\\fR", roff(names));
  if (takes_value(option)) entry += fmt::format(" \\fI{}\\fR", roff(option.get_type_name()));
  return entry + fmt::format("\n{}\n", roff(option.get_description()));
}

std::string command_section(const CLI::App& command) {
  std::string usage = "lacuna " + command.get_name();
  for (const CLI::Option* each : positional_arguments(command)) usage += " " + each->get_name(true);
  std::string out = fmt::format(".SS {}\n{}.\n", roff(usage), roff(command.get_description()));
  for (const CLI::Option* each : positional_arguments(command))
    out += fmt::format(".TP\n\\fI{}\\fR\n{}\n", roff(each->get_name(true)), roff(each->get_description()));
  for (const CLI::Option* option : named_options(command)) out += option_entry(*option);
  return out;
}

std::string page(const CLI::App& root) {
  std::string out = fmt::format(R"(.TH LACUNA 1 "" "lacuna {}" "User Commands"
.SH NAME
lacuna \- compile and run sparse tensor algebra
.SH SYNOPSIS
.B lacuna
.I COMMAND
[\fIOPTION\fR]... [\fIARGUMENT\fR]...
.SH DESCRIPTION
{}
.SH COMMANDS
)",
                                version(), roff(root.get_description()));
  for (const CLI::App* command : commands_of(root)) out += command_section(*command);
  out += R"(.SH EXIT STATUS
.TP
0
Success.
.TP
1
Something outside the program failed: the C compiler, the disk, memory.
.TP
2
The command line, a statement or a file is wrong.
.TP
70
A bug of Lacuna.
.SH ENVIRONMENT
\fBlacuna help environment\fR lists the variables.
.SH SEE ALSO
\fBlacuna help\fR lists the topics: notation, formats, schedules, machines and others.
)";
  return out;
}

}  // namespace

void add_man(CLI::App& root, Action& action) {
  CLI::App* command = root.add_subcommand("man", "Print the manual page");
  command->footer(R"(
Examples:
  lacuna man | man -l -                                       read it
  lacuna man > ~/.local/share/man/man1/lacuna.1               install it)");
  command->callback([&action, &root] {
    action = [&root] {
      fmt::print("{}", page(root));
      return Success;
    };
  });
}

}  // namespace lacuna::tool
