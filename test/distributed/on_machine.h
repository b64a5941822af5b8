#pragma once

#include <map>
#include <string>

#include "lacuna/compile/nodes.h"
#include "lacuna/distribute/exchange/move.h"
#include "lacuna/distribute/execute/execute.h"
#include "lacuna/schedule/schedule.h"
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

/// The tensor as the test's ranks hold it by parts, where a distribution puts them; none of them knows it in whole.
inline DistributedTensorPtr by_parts(const Storage& tensor, const Distribution& distribution, const std::string& name) {
  const Machine& machine = distribution.machine();
  std::vector<DistVar> modes(static_cast<std::size_t>(tensor.order()));
  std::vector<DistTarget> targets(static_cast<std::size_t>(machine.level(0).dimensions()), broadcast());
  if (tensor.order() > 0) targets[0] = modes.back();
  // Where they lie at first, by counts or not, is another way.
  const bool counts = counts_positions(distribution, made_of_arrays(tensor.format));
  const DistributedTensor whole(tensor, counts ? Distribution(modes, machine, targets) : distribution, name,
                                *test_ranks());
  auto held = std::make_shared<DistributedTensor>(whole.layout(), *test_ranks());
  for (const auto& [number, part] : whole.parts()) held->set_part(number, part);
  held->count_stored(*test_ranks());
  if (!counts) return held;
  return std::make_shared<DistributedTensor>(placed_anew(*held, distribution, name, *test_ranks()));
}

/// The same request, with every operand held by parts that it places somewhere.
inline DistributedRequest by_parts(DistributedRequest request) {
  for (const auto& [name, distribution] : request.placed) {
    const auto operand = request.request.operands.find(name);
    if (operand == request.request.operands.end()) continue;
    request.held.emplace(name, by_parts(operand->second, distribution, name));
    request.request.operands.erase(operand);
  }
  return request;
}

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
