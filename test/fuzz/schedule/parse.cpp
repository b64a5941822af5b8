#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lacuna/schedule/language/schedule.h"

// Any bytes are either refused with an Error whose place lies in them, or a schedule that prints, and what is printed
// reads back and prints the same.
namespace lacuna {
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void run(std::string_view text) {
  Schedule s;
  try {
    s = parse_schedule(text);
  } catch (const Error& error) {
    require(error.text() == text && error.where().known() && error.where().begin <= text.size());
    require(!describe_with_caret(error).empty());
    return;
  }
  for (const Directive& d : s.directives) {
    require(d.where.known() && d.where.end <= text.size());
  }
  const Schedule again = parse_schedule(to_string(s));
  require(again.directives.size() == s.directives.size() && to_string(again) == to_string(s));
}

}  // namespace
}  // namespace lacuna

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lacuna::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
