#include "tools/on_machine.h"

#include <fmt/format.h>

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
