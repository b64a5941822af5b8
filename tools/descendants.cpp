#include "tools/descendants.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "lacuna/support/process_status.h"

namespace lacuna::tool {
namespace {

std::optional<pid_t> process_in(std::string_view text) {
  pid_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
    const std::optional<pid_t> process = process_in(entry.path().filename().native());
    const std::optional<ProcessStatus> status = process ? status_of_process(*process) : std::nullopt;
    if (status && !status->has_ended) children.emplace(status->parent, *process);
  }
  return children;
}

}  // namespace

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

std::vector<pid_t> descendants() {
  const std::multimap<pid_t, pid_t> children = children_by_parent();
  std::vector<pid_t> all, left{::getpid()};
  while (!left.empty()) {
    const auto [begin, end] = children.equal_range(left.back());
    left.pop_back();
    for (auto child = begin; child != end; ++child) {
      all.push_back(child->second);
      left.push_back(child->second);
    }
  }
  return all;
}

bool kill_descendants() {
  const std::vector<pid_t> all = descendants();
  for (const pid_t process : all) ::kill(process, SIGKILL);
  return !all.empty();
}

}  // namespace lacuna::tool
