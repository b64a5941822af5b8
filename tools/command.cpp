#include "tools/command.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/comm/world.h"
#include "lacuna/support/environment.h"
#include "lacuna/support/error.h"
#include "tools/colour.h"
#include "tools/command_line.h"
#include "tools/interruption.h"
#include "tools/version.h"

namespace lacuna::tool {
namespace {

constexpr const char* introduction =
    R"(Lacuna computes with tensors in which most entries are zero. You write what to compute and how each
tensor is stored. Lacuna generates one fused C kernel, compiles it and runs it.)";

constexpr const char* examples = R"(
Examples:
  lacuna generate rmat 10000x10000 --nnz 80000 -o A.mtx       make a matrix
  lacuna info A.mtx --svg A.svg                               look at it
  lacuna run 'y(i) = A(i,j) * x(j)' -i A=A.mtx -i x=dense     multiply it with a random vector
  lacuna run 'C(i,k) = A(i,j) * B(j,k)' -i A=A.mtx -i B=A.mtx -f C:csr -o C=C.mtx
  lacuna show --stage c 'y(i) = A(i,j) * x(j)' -f A:csr       read the generated C
  lacuna explain 'y(i) = A(i,j) * x(j)' -f A:csr              see what was chosen, why, and what it costs
  lacuna export 'y(i) = A(i,j) * x(j)' -f A:csr -o spmv       take it into your own program
  lacuna demo                                                 see it work, beside textbook loops

'lacuna COMMAND --help' explains a command. 'lacuna help' lists the other topics.)";

/// The command line as it can be pasted into a shell, for bug reports.
std::string command_line(int argc, const char* const* argv) {
  std::string line;
  for (int k = 0; k < argc; ++k) {
    const std::string argument = argv[k];
    const bool plain = !argument.empty() && argument.find_first_not_of(
                                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                                                "UVWXYZ0123456789_-./=:,+") == std::string::npos;
    std::string quoted = "'";
    for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += (k == 0 ? "" : " ") + (plain ? argument : quoted + "'");
  }
  return line;
}

int report(ExitCode code, const std::string& message) {
  std::fflush(stdout);
  std::fputs(fmt::format("lacuna: {} {}\n", coloured("error:", Colour::Red, stderr), message).c_str(), stderr);
  return code;
}

std::string describe_bug(const std::string& what, int argc, const char* const* argv) {
  return fmt::format(
      "{}\nThis is a bug of Lacuna {}, not a mistake of yours. Please report it with the files it read "
      "and this command line:\n  {}",
      what, version(), command_line(argc, argv));
}

int parse_and_act(int argc, const char* const* argv, Communicator& ranks) {
  CLI::App app(introduction, "lacuna");
  Action action;
  app.footer(examples);
  app.set_version_flag("--version", "lacuna " + version());
  app.require_subcommand(0, 1);
  add_run(app, action, ranks);
  add_simulate(app, action);
  add_stream(app, action);
  add_show(app, action);
  add_explain(app, action);
  add_export(app, action);
  add_convert(app, action);
  add_info(app, action);
  add_generate(app, action);
  add_demo(app, action);
  add_levels(app, action);
  add_help(app, action);
  add_completion(app, action);
  add_man(app, action);
  check_command_line(app, {argv + 1, argv + argc});
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    if (stop.get_exit_code() == 0) {  // --help and --version
      app.exit(stop);
      return Success;
    }
    throw Error(message_of(stop));
  }
  for (const std::string& warning : read_environment().warnings) {
    std::fputs(fmt::format("lacuna: warning: {}\n", warning).c_str(), stderr);
  }
  if (!action) {
    std::fputs(app.help().c_str(), stdout);
    return Success;
  }
  if (ranks.rank() != 0 && !app.got_subcommand("run")) return Success;
  return action();
}

/// Rank 0 speaks for all.
void be_quiet_unless_first(const Communicator& ranks) {
  if (ranks.rank() == 0) return;
  if (std::freopen("/dev/null", "w", stdout) == nullptr) throw RuntimeFailure("cannot open /dev/null");
}

int act_on_all(int argc, const char* const* argv, Communicator& ranks) {
  int code = Success;
  together(ranks, {"the end of the command"}, [&] {
    be_quiet_unless_first(ranks);
    code = parse_and_act(argc, argv, ranks);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw RuntimeFailure(fmt::format("cannot write to the standard output: {}", std::strerror(errno)));
  });
  return code;
}

}  // namespace

int run_command(int argc, const char* const* argv) {
  Interruption interruption;
  std::unique_ptr<Communicator> ranks;
  std::string message;
  int code = Success;
  try {
    ranks = world();
    code = act_on_all(argc, argv, *ranks);
    interruption.wait_if_taken();
    return code;
  } catch (const Error& error) {
    message = describe_with_caret(error);
    code = Mistake;
  } catch (const RuntimeFailure& failure) {
    message = failure.what();
    code = Failed;
  } catch (const std::bad_alloc&) {
    message = "out of memory";
    code = Failed;
  } catch (const std::system_error& failure) {
    message = failure.what();  // no threads, no files, … left
    code = Failed;
  } catch (const std::exception& bug) {
    message = describe_bug(bug.what(), argc, argv);
    code = OwnFault;
  } catch (...) {
    message = describe_bug("internal error: an unknown exception", argc, argv);
    code = OwnFault;
  }
  interruption.wait_if_taken();
  if (ranks == nullptr || ranks->rank() == 0) return report(static_cast<ExitCode>(code), message);
  return code;
}

}  // namespace lacuna::tool
