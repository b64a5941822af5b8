#pragma once

#include <map>
#include <string>

#include "lacuna/schedule/language/schedule.h"
#include "support/by_parts.h"
#include "support/random_request.h"
#include "support/reference_check.h"

/// What the tests of distributed statements share.
namespace lacuna {

/// A random request on a machine. `placed` by tensor: "xy -> x".
inline DistributedRequest on_machine(Request request, const std::string& machine,
                                     const std::map<std::string, std::string>& placed, const std::string& schedule) {
  DistributedRequest out{std::move(request), {}, {}};
  out.request.schedule = parse_schedule(schedule);
  if (!machine.empty()) out.machine = parse_machine(machine);
  for (const auto& [name, text] : placed) out.placed.emplace(name, parse_distribution(text, *out.machine).distribution);
  return out;
}

/// The ranks that run the tests.
inline Communicator*& test_ranks() {
  static Communicator* ranks = nullptr;
  return ranks;
}

/// As the test's ranks hold it.
inline DistributedTensorPtr by_parts(const Storage& tensor, const Distribution& distribution, const std::string& name) {
  return by_parts(tensor, distribution, name, *test_ranks());
}
inline DistributedRequest by_parts(DistributedRequest request) { return by_parts(std::move(request), *test_ranks()); }

/// Runs it in the interpreter; how the result differs from the definition, empty when it does not, and elsewhere than
/// on rank 0, which has the result.
inline std::string run_and_compare(const DistributedRequest& request, DistributedReport* report = nullptr) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  const Storage got = run_on(*test_ranks(), engine, request, options, report);
  if (test_ranks()->rank() != 0) return "";
  return wrong(request.request, got).value_or("");
}

/// The same with its placed operands held by parts.
inline std::string run_by_parts_and_compare(const DistributedRequest& request, DistributedReport* report = nullptr) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  const Storage got = run_on(*test_ranks(), engine, by_parts(request), options, report);
  if (test_ranks()->rank() != 0) return "";
  return wrong(request.request, got).value_or("");
}

}  // namespace lacuna
