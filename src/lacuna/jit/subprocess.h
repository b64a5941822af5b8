#pragma once

#include <map>
#include <string>
#include <vector>

namespace lacuna {

/// How a program ended.
struct ProcessResult {
  bool started = true;  // false: there is no such program, or it may not be run; `output` says why
  int exit_status = 0;  // when it ended by itself
  int signal = 0;       // when it was killed, else 0
  std::string output;   // what it wrote to stdout and stderr, cut after 64 KiB
  bool succeeded() const { return started && exit_status == 0 && signal == 0; }
};

/// Runs a program (looked for in PATH unless argv[0] has a slash) without a shell and waits for it. Its input is empty,
/// and its environment this process's with `changes`. Throws RuntimeFailure when the system has no processes or file
/// descriptors left.
ProcessResult run_process(const std::vector<std::string>& argv, const std::map<std::string, std::string>& changes = {});

}  // namespace lacuna
