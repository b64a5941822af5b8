#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace lacuna {
class Communicator;
}

namespace lacuna::tool {

/// What the chosen sub-command does once the whole command line has been read; returns the exit code.
using Action = std::function<int()>;

/// Exit codes of the command.
enum ExitCode : int {
  Success = 0,
  Failed = 1,     // something outside the program: disk full, out of memory, no compiler
  Mistake = 2,    // the user's
  OwnFault = 70,  // a bug of Lacuna
};

// One a sub-command: declares it under `root`; when it is chosen, sets `action`. Under mpirun, `run` acts on all ranks,
// the others on rank 0 alone.
void add_run(CLI::App& root, Action& action, Communicator& ranks);
void add_simulate(CLI::App& root, Action& action);
void add_stream(CLI::App& root, Action& action);
void add_show(CLI::App& root, Action& action);
void add_explain(CLI::App& root, Action& action);
void add_export(CLI::App& root, Action& action);
void add_convert(CLI::App& root, Action& action);
void add_info(CLI::App& root, Action& action);
void add_generate(CLI::App& root, Action& action);
void add_demo(CLI::App& root, Action& action);
void add_levels(CLI::App& root, Action& action);
void add_help(CLI::App& root, Action& action);
void add_completion(CLI::App& root, Action& action);
void add_man(CLI::App& root, Action& action);

/// The whole command: reads the line, acts, reports errors on stderr. Under mpirun, all ranks call it; rank 0 speaks.
/// Never throws.
int run_command(int argc, const char* const* argv);

}  // namespace lacuna::tool
