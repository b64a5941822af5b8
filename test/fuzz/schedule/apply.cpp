#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "support/random_request.h"
#include "support/reference_check.h"

// The first byte chooses a statement, the others are its schedule, as in "bsplit(i,io,ii,4)". The schedule is either
// refused with an Error or gives, in the checking interpreter, what the definition says.
namespace lacuna {
namespace {

const std::map<std::string, std::int64_t> extents = {{"i", 7}, {"j", 6}, {"k", 5}, {"l", 3}};

/// Statements whose loops differ in kind: dense, sparse, merged, scattered, in trees of tensors; results, too.
std::vector<Request> make_requests() {
  const auto request = [](const std::string& text, const std::map<std::string, RandomOperand>& operands,
                          const std::string& result) { return random_request(text, operands, extents, result); };
  return {
      request("y(i) = A(i,j) * x(j)", {{"A", {"csr", 15}}, {"x", {"dense"}}}, "dense"),           // a
      request("y(i) = A(i,j) * x(j)", {{"A", {"dcsc", 12}}, {"x", {"compressed", 4}}}, "dense"),  // b
      request("C(i,j) = A(i,k) * B(k,j)", {{"A", {"dense"}}, {"B", {"dense"}}}, "dense"),         // c
      request("C(i,j) = A(i,k) * B(k,j)", {{"A", {"csr", 14}}, {"B", {"csr", 11}}}, "csr"),       // d
      request("C(i,j) = A(i,j) + B(i,j) * D(i,j)", {{"A", {"csr", 9}}, {"B", {"dcsr", 14}}, {"D", {"coo", 20}}},
              "csr"),  // e
      request("S(i,j) = B(i,j) * (C(i,k) * D(j,k))", {{"B", {"csr", 13}}, {"C", {"dense"}}, {"D", {"dense"}}},
              "csr"),  // f
      request("A(i,l) = B(i,j,k) * D(k,l) * C(j,l)", {{"B", {"csf", 20}}, {"C", {"dense"}}, {"D", {"dense"}}},
              "dense"),                                                              // g
      request("s = x(i) * y(i)", {{"x", {"compressed", 5}}, {"y", {"dense"}}}, ""),  // h
      request("y(i) = b(i) + A(i,j) * x(j) - sum(k, C(i,k))",
              {{"b", {"compressed", 3}}, {"A", {"coo", 15}}, {"x", {"bitmap", 3}}, {"C", {"hashed", 8}}},
              "compressed"),                                               // i
      request("B(i,k) = T(i,j,k)", {{"T", {"csf", 25}}}, "dense,bitmap"),  // j
  };
}

/// Pieces by the million are legal, and are run through one by one.
bool is_small(const Schedule& s) {
  if (s.directives.size() > 8) return false;
  for (const Directive& d : s.directives) {
    const auto* split = std::get_if<directive::Split>(&d.kind);
    if (split != nullptr && split->size > 8) return false;
  }
  return true;
}

[[noreturn]] void fail(const Request& request, const std::string& what) {
  std::fprintf(stderr, "%s under %s: %s\n", request.statement.text.c_str(), to_string(request.schedule).c_str(),
               what.c_str());
  std::abort();
}

void run(std::string_view input) {
  static Engine engine{JitOptions{}};
  static const std::vector<Request> requests = make_requests();
  if (input.empty()) return;
  Request request = requests[static_cast<std::uint8_t>(input[0] - 'a') % requests.size()];
  Options options;
  options.target = {Target::Backend::Interpreter, 2};
  try {
    request.schedule = parse_schedule(input.substr(1));
    if (!is_small(request.schedule)) return;
    const Storage result = engine.run(request, options);
    if (const auto difference = wrong(request, result)) fail(request, *difference);
  } catch (const Error&) {
    return;
  } catch (const std::exception& fault) {
    fail(request, fault.what());
  }
}

}  // namespace
}  // namespace lacuna

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lacuna::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
