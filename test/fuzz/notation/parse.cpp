#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"

// Any bytes are either refused with an Error or a statement that prints, reads back equal, and can be analysed.
namespace lacuna {
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void analyse(const Statement& s) {
  check_meaning(s);
  FactsByName facts;
  facts[s.lhs.tensor.name()] = {};
  for (const std::string& name : operand_names(s)) facts[name] = {};
  require(!terms_of(s).empty());
  compute_type(s, facts);
  check_divisions(s, facts);
  infer_dimensions(s, facts);
}

void run(std::string_view text) {
  Statement s{Access{TensorVar("y", 0), {}}, false, Expr(0), ""};
  try {
    s = parse_statement(text);
  } catch (const Error& error) {
    require(!describe_with_caret(error).empty());
    return;
  }
  const Statement again = parse_statement(to_string(s));
  require(equal(s.rhs, again.rhs) && s.accumulate == again.accumulate && to_string(s) == to_string(again));
  try {
    analyse(s);
  } catch (const Error&) {
    return;
  }
}

}  // namespace
}  // namespace lacuna

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lacuna::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
