#include "lacuna/support/environment.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lacuna {
namespace {

constexpr std::array<EnvironmentSwitch, 10> switches = {{
    {"LACUNA_CC", "the C compiler that compiles kernels, GCC or Clang, also with arguments: 'ccache gcc'", "cc"},
    {"LACUNA_MPICC", "the C compiler of the MPI that ranks use", "mpicc"},
    {"LACUNA_CACHE_DIR", "the folder of compiled kernels", "$XDG_CACHE_HOME/lacuna, else ~/.cache/lacuna"},
    {"LACUNA_CACHE", "1 keeps compiled kernels on disk, 0 does not", "1"},
    {"LACUNA_KEEP_C", "a folder to keep the C text of every kernel in", "keep none"},
    {"LACUNA_LEVELS", "folders of level files, with ':' between them, searched before the built-in ones", "none"},
    {"LACUNA_IN_PLACE", "from how many bytes on ranks of one computer read a part in place; no: never", "1000000"},
    {"OMP_NUM_THREADS", "how many threads a parallel kernel uses", "all processors"},
    {"NO_COLOR", "if it is set, messages on a terminal have no colours (no-color.org)", "not set"},
    {"TERM", "dumb: a terminal without colours", "as the terminal sets it"},
}};

class Reader {
 public:
  explicit Reader(const std::map<std::string, std::string>& variables) : variables_(variables) {}

  Environment read() {
    warn_of_unknown();
    if (auto compiler = value("LACUNA_CC")) result_.c_compiler = *compiler;
    if (auto compiler = value("LACUNA_MPICC")) result_.mpi_compiler = *compiler;
    if (auto folder = value("LACUNA_KEEP_C")) result_.keep_c = *folder;
    if (auto folders = value("LACUNA_LEVELS")) result_.level_folders = split_folders(*folders);
    result_.cache_dir = cache_dir();
    result_.disk_cache = !result_.cache_dir.empty() && cache_is_on();
    result_.threads = threads();
    result_.colours = !value("NO_COLOR") && value("TERM").value_or("dumb") != "dumb";
    read_in_place();
    return std::move(result_);
  }

 private:
  /// A variable that is set to nothing counts as unset, as in most programs.
  std::optional<std::string> value(const std::string& name) const {
    auto found = variables_.find(name);
    if (found == variables_.end() || found->second.empty()) return std::nullopt;
    return found->second;
  }

  void warn_of_unknown() {
    std::vector<std::string_view> known;
    for (const EnvironmentSwitch& each : switches) known.push_back(each.name);
    for (const auto& [name, unused] : variables_) {
      if (!name.starts_with("LACUNA_") || std::find(known.begin(), known.end(), name) != known.end()) continue;
      result_.warnings.push_back(fmt::format("the environment variable {} is unknown and has no effect; known are {}",
                                             name, fmt::join(known, ", ")));
    }
  }

  static std::vector<std::filesystem::path> split_folders(std::string_view text) {
    std::vector<std::filesystem::path> folders;
    while (!text.empty()) {
      const std::string_view folder = text.substr(0, text.find(':'));
      if (!folder.empty()) folders.emplace_back(folder);
      text.remove_prefix(std::min(folder.size() + 1, text.size()));
    }
    return folders;
  }

  std::filesystem::path cache_dir() const {
    if (auto folder = value("LACUNA_CACHE_DIR")) return *folder;
    // The XDG rules say to ignore a relative path here.
    if (auto base = value("XDG_CACHE_HOME"); base && base->starts_with('/')) {
      return std::filesystem::path(*base) / "lacuna";
    }
    if (auto home = value("HOME")) return std::filesystem::path(*home) / ".cache" / "lacuna";
    return {};
  }

  bool cache_is_on() {
    const std::string text = value("LACUNA_CACHE").value_or("1");
    if (text != "0" && text != "1") {
      result_.warnings.push_back(fmt::format("LACUNA_CACHE must be 0 or 1, not '{}'; the cache stays on", text));
    }
    return text != "0";
  }

  void read_in_place() {
    const auto text = value("LACUNA_IN_PLACE");
    if (!text) return;
    std::int64_t bytes = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), bytes);
    if (*text == "no") result_.in_place_from = std::nullopt;
    else if (error == std::errc{} && end == text->data() + text->size() && bytes >= 0) result_.in_place_from = bytes;
    else
      result_.warnings.push_back(fmt::format("LACUNA_IN_PLACE must be a number of bytes or no, not '{}'; it stays {}",
                                             *text, *result_.in_place_from));
  }

  std::optional<int> threads() {
    const auto text = value("OMP_NUM_THREADS");
    if (!text) return std::nullopt;
    // OpenMP allows a list, one number a level of nesting; only the outermost concerns us.
    int count = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), count);
    const bool ended = end == text->data() + text->size() || *end == ',';
    if (error == std::errc{} && ended && count > 0) return count;
    result_.warnings.push_back(
        fmt::format("OMP_NUM_THREADS must be a number of threads above 0, not '{}'; all processors are used", *text));
    return std::nullopt;
  }

  const std::map<std::string, std::string>& variables_;
  Environment result_;
};

}  // namespace

std::span<const EnvironmentSwitch> environment_switches() { return switches; }

Environment environment_from(const std::map<std::string, std::string>& variables) { return Reader(variables).read(); }

Environment read_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment_from(variables);
}

}  // namespace lacuna
