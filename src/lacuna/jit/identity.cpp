#include "lacuna/jit/identity.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

namespace lacuna {
namespace {

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

/// Where posix_spawnp will find the program.
std::optional<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? std::optional(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "/bin:/usr/bin";
  for (;;) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    std::string candidate(end == 0 ? "." : rest.substr(0, end));
    candidate.append("/").append(name);
    if (is_program(candidate)) return candidate;
    if (end == rest.size()) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<std::string> compiler_identity(const std::string& compiler) {
  const std::optional<std::string> found = find_program(compiler);
  if (!found) return std::nullopt;
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(*found, failed);
  const std::string path = failed ? *found : real.string();
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return fmt::format("{} {} {}.{}", path, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

std::string processor_identity() {
  // The file has a part a processor, and those of a large machine take long to write; the first says enough.
  std::array<char, 8192> first_part{};
  std::ifstream file("/proc/cpuinfo");
  file.rdbuf()->pubsetbuf(nullptr, 0);
  file.read(first_part.data(), first_part.size());
  std::string_view rest(first_part.data(), static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  rest = rest.substr(0, rest.find("\n\n"));

  constexpr std::string_view told[] = {"vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU "};
  std::string identity;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    if (std::any_of(std::begin(told), std::end(told), [&](std::string_view key) { return line.starts_with(key); })) {
      identity += line;
      identity += '\n';
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return identity;
}

}  // namespace lacuna
