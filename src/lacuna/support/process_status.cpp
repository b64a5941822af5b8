#include "lacuna/support/process_status.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace lacuna {

/// The file is "PID (NAME) STATE PARENT …", and a name may have any characters.
std::optional<ProcessStatus> status_of_process(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(") ");
  constexpr std::size_t to_state = 2, to_parent = 4;
  if (name_end == std::string::npos || name_end + to_parent > text.size()) return std::nullopt;
  const char state = text[name_end + to_state];
  ProcessStatus status{0, state == 'Z' || state == 'X'};
  const char* parent = text.data() + name_end + to_parent;
  if (std::from_chars(parent, text.data() + text.size(), status.parent).ec != std::errc()) return std::nullopt;
  return status;
}

}  // namespace lacuna
