#include "lacuna/jit/identity.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "lacuna/jit/command.h"

namespace lacuna {

namespace {

std::string program_identity(const std::string& found) {
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(found, failed);
  const std::string path = failed ? found : real.string();
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return path;
  return fmt::format("{} {} {}.{}", path, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

}  // namespace

std::optional<std::string> compiler_identity(const std::string& compiler) {
  const std::vector<std::string> words = words_of_command(compiler);
  if (!find_program(words.front())) return std::nullopt;
  std::string identity;
  for (const std::string& word : words) {
    const std::optional<std::string> found = find_program(word);
    identity += (identity.empty() ? "" : "\n") + word + (found ? " " + program_identity(*found) : "");
  }
  return identity;
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
