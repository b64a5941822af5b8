#pragma once

#include <sys/types.h>

#include <optional>

namespace lacuna {

/// What the system tells of a process.
struct ProcessStatus {
  pid_t parent = 0;
  bool has_ended = false;  // and nobody has asked for its exit code yet
};

/// None where there is no such process, it is out of sight, or the system has no /proc.
std::optional<ProcessStatus> status_of_process(pid_t process);

}  // namespace lacuna
