#include "lacuna/distribute/comm/local_ranks.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "lacuna/distribute/comm/launched.h"
#include "lacuna/support/process_status.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The value of a variable in an environment, in which each ends with a zero.
std::optional<std::string_view> value_in(std::string_view environment, std::string_view name) {
  while (!environment.empty()) {
    const std::string_view entry = environment.substr(0, environment.find('\0'));
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
      return entry.substr(name.size() + 1);
    environment.remove_prefix(std::min(environment.size(), entry.size() + 1));
  }
  return std::nullopt;
}

/// Of the job: the number of the rank that a process belongs to, which may be a program around it, as a shell.
std::optional<int> rank_of_process(const std::string& process, std::string_view job) {
  const std::string environment = content_of("/proc/" + process + "/environ");
  const auto rank = value_in(environment, "PMIX_RANK");
  int number = 0;
  if (value_in(environment, "PMIX_NAMESPACE") != job || !rank ||
      std::from_chars(rank->data(), rank->data() + rank->size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

/// Whether the launcher, whose processes the ranks of this computer are, can be seen, and so can they.
bool is_launcher_in_sight(std::string_view job) {
  pid_t process = getpid();
  while (rank_of_process(std::to_string(process), job)) {
    const std::optional<ProcessStatus> status = status_of_process(process);
    if (!status || status->parent <= 1) return false;
    process = status->parent;
  }
  return fs::exists("/proc/" + std::to_string(process));
}

}  // namespace

LocalRanks local_ranks() {
  const char* job = std::getenv("PMIX_NAMESPACE");
  if (job == nullptr || !is_launcher_in_sight(job)) return {};
  std::set<int> running;
  std::error_code error;
  for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error))
    if (const auto rank = rank_of_process(at->path().filename().string(), job)) running.insert(*rank);
  if (error || running.empty()) return {};
  return {ranks_on_this_computer(), static_cast<int>(running.size()), *running.begin(), launched_rank()};
}

}  // namespace lacuna
