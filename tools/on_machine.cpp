#include "tools/on_machine.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/compile/nodes.h"
#include "lacuna/distribute/communicate/together.h"
#include "lacuna/distribute/exchange/numbers.h"
#include "tools/summary.h"

namespace lacuna::tool {

void refuse_several_on_machine(const Problem& problem) {
  if (problem.further.empty()) return;
  throw Error("several statements share a kernel on one processor; on a machine, run one after the other");
}

DistributedRequest on_machine(const Problem& problem, Request request) {
  return {std::move(request), problem.machine, problem.placed};
}

DistributedRequest on_machine(const Problem& problem, Request request, const Communicator& ranks) {
  DistributedRequest out = on_machine(problem, std::move(request));
  if (!problem.is_distributed()) out.machine = Machine{Grid(ranks.ranks())};
  return out;
}

Storage whole_of(const std::string& name, const DistributedRequest& request, Engine& engine, Communicator& ranks) {
  const auto held = request.held.find(name);
  if (held == request.held.end()) return request.request.operands.at(name);
  Storage whole;
  or_abort(ranks, [&] { whole = gathered(*held->second, ranks, Recipients::First); });
  return ranks.rank() == 0 ? stored_as(engine, whole, held->second->format()) : whole;
}

std::vector<std::string> describe_operands(const DistributedRequest& request, const std::string& result,
                                           Communicator& ranks) {
  std::map<std::string, std::string> lines;
  const auto called = [&](const std::string& name) { return name == result ? "old " + name : name; };
  for (const auto& [name, tensor] : request.request.operands) lines[name] = describe(called(name), tensor);
  for (const auto& [name, tensor] : request.held) {
    std::int64_t bytes = 0;
    for (const std::int64_t p : tensor->parts_counted_here()) bytes += tensor->part(p).storage.bytes();
    or_abort(ranks, [&] { bytes = sums_over(ranks, {bytes})[0]; });
    lines[name] =
        fmt::format("{}: {}, {}, {}, {} stored, {} in {} parts", called(name), fmt::join(tensor->dimensions(), " x "),
                    type_name(tensor->shape().type), tensor->format().to_string(), tensor->stored(), bytes_text(bytes),
                    tensor->placement().parts.size());
  }
  std::vector<std::string> out;
  for (const auto& line : lines) out.push_back(line.second);
  return out;
}

void print_traffic(const DistributedReport& report, const Communicator& ranks) {
  fmt::print("{} task{} in {} step{}", report.tasks, report.tasks == 1 ? "" : "s", report.steps,
             report.steps == 1 ? "" : "s");
  if (ranks.ranks() > 1) fmt::print(", by {} ranks", ranks.ranks());
  fmt::print("\n");
  const auto print = [](const char* what, const Traffic& traffic) {
    if (traffic.messages == 0) return fmt::print("{}: nothing moved\n", what);
    fmt::print("{}: {} messages, {}, at most {} processor{} away\n", what, traffic.messages, bytes_text(traffic.bytes),
               traffic.farthest, traffic.farthest == 1 ? "" : "s");
  };
  print("operands", report.fetches);
  print("results", report.reductions);
}

}  // namespace lacuna::tool
