#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "lacuna/format/distribution/distribution.h"
#include "lacuna/support/error.h"

// Any bytes, the first line a machine and the rest a distribution on it, are either refused with an Error whose place
// lies in them, or are printed so that they read back equal.
namespace lacuna {
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

/// None where the text is refused.
template <typename F>
auto read(std::string_view text, const F& parse) -> std::optional<decltype(parse(text))> {
  try {
    return parse(text);
  } catch (const Error& error) {
    require(error.text() == text && error.where().known() && error.where().begin <= text.size());
    require(!describe_with_caret(error).empty());
    return std::nullopt;
  }
}

void run(std::string_view text) {
  const std::size_t line = std::min(text.find('\n'), text.size());
  const auto machine = read(text.substr(0, line), [](std::string_view t) { return parse_machine(t); });
  if (!machine) return;
  require(parse_machine(machine->to_string()) == *machine);
  std::string_view rest = text.substr(std::min(line + 1, text.size()));
  if (rest.ends_with('\n')) rest.remove_suffix(1);
  const auto named = read(rest, [&](std::string_view t) { return parse_distribution(t, *machine); });
  if (!named) return;
  require(parse_distribution(named->distribution.to_string(), *machine).distribution == named->distribution);
}

}  // namespace
}  // namespace lacuna

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lacuna::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
