#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "lacuna/support/check.h"
#include "tools/command.h"
#include "tools/options.h"

// Scripts that complete commands and options in shells, made from the declarations that the command line is read by.
namespace lacuna::tool {
namespace {

std::string words(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : named_options(command))
    for (const std::string& name : written_names(*option)) names.push_back(name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string bash_script(const CLI::App& root) {
  std::vector<std::string> names;
  std::string cases;
  for (const CLI::App* command : commands_of(root)) {
    names.push_back(command->get_name());
    cases += fmt::format("    {}) options=\"{}\" ;;\n", command->get_name(), words(*command));
  }
  return fmt::format(R"(# Completion of lacuna in bash: source <(lacuna completion bash)
_lacuna() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} options=""
  if [[ $COMP_CWORD -eq 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "{} --help --version" -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  # Anything but an option is a statement or a file; bash itself completes those.
  if [[ $current == -* ]]; then mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current"); fi
}}
complete -o default -F _lacuna lacuna
)",
                     fmt::join(names, " "), cases);
}

std::string zsh_script(const CLI::App& root) {
  return "# Completion of lacuna in zsh: source <(lacuna completion zsh)\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash_script(root);
}

/// In single quotes of fish.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_script(const CLI::App& root) {
  std::string out = "# Completion of lacuna in fish: lacuna completion fish | source\n";
  for (const CLI::App* command : commands_of(root))
    out += fmt::format("complete -c lacuna -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                       quoted(command->get_description()));
  for (const CLI::App* command : commands_of(root)) {
    for (const CLI::Option* option : named_options(*command)) {
      out += fmt::format("complete -c lacuna -n '__fish_seen_subcommand_from {}'", command->get_name());
      for (const std::string& name : option->get_snames()) out += " -s " + name;
      for (const std::string& name : option->get_lnames()) out += " -l " + name;
      if (takes_value(*option)) out += " -r";
      out += fmt::format(" -d {}\n", quoted(option->get_description()));
    }
  }
  return out;
}

int print_script(const CLI::App& root, const std::string& shell) {
  if (shell == "bash") fmt::print("{}", bash_script(root));
  else if (shell == "zsh") fmt::print("{}", zsh_script(root));
  else if (shell == "fish") fmt::print("{}", fish_script(root));
  else user_error("there is no completion for the shell '{}'; bash, zsh and fish have one", shell);
  return Success;
}

}  // namespace

void add_completion(CLI::App& root, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      root.add_subcommand("completion", "Print a script that completes commands and options in a shell");
  command->footer(R"(
Examples:
  source <(lacuna completion bash)         in ~/.bashrc
  source <(lacuna completion zsh)          in ~/.zshrc
  lacuna completion fish | source          in ~/.config/fish/config.fish)");
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->callback([shell, &action, &root] { action = [shell, &root] { return print_script(root, *shell); }; });
}

}  // namespace lacuna::tool
