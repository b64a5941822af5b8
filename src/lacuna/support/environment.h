#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

/// One environment variable that Lacuna reads, for `lacuna help environment`.
struct EnvironmentSwitch {
  std::string_view name;
  std::string_view meaning;
  std::string_view default_value;
};

/// Every environment variable that Lacuna reads. They choose tools, places and thread counts, never what is computed.
std::span<const EnvironmentSwitch> environment_switches();

/// What the environment says, as a value that is passed to whoever needs it.
struct Environment {
  std::string c_compiler = "cc";
  std::string mpi_compiler = "mpicc";
  /// False when LACUNA_CACHE is 0 or when there is no place for a cache (neither LACUNA_CACHE_DIR nor a home folder).
  bool disk_cache = true;
  std::filesystem::path cache_dir;
  /// Where to keep the C text of every kernel; none to keep none.
  std::optional<std::filesystem::path> keep_c;
  /// The folders of LACUNA_LEVELS, which are searched for level files before the built-in ones.
  std::vector<std::filesystem::path> level_folders;
  /// The number of threads that OMP_NUM_THREADS asks for; none when it does not say.
  std::optional<int> threads;
  /// From how many bytes on a rank reads what another one of its computer has where it lies; none where all is sent.
  std::optional<std::int64_t> in_place_from = 1'000'000;
  /// Whether messages on a terminal may have colours.
  bool colours = true;
  /// One message for each LACUNA_… variable that is unknown and each value that could not be used.
  std::vector<std::string> warnings;
};

/// Reads the process's environment. Never throws on a bad value: the default stands, and `warnings` says so.
Environment read_environment();
/// The same for a given set of variables (name to value).
Environment environment_from(const std::map<std::string, std::string>& variables);

}  // namespace lacuna
