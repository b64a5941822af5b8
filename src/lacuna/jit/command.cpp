#include "lacuna/jit/command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "lacuna/support/error.h"

namespace lacuna {
namespace {

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

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

std::vector<std::string> words_of_command(const std::string& text) {
  if (find_program(text)) return {text};
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.empty()) throw RuntimeFailure("LACUNA_CC names no C compiler; set it to GCC or Clang, or unset it");
  return words;
}

}  // namespace lacuna
