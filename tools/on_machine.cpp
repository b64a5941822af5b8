#include "tools/on_machine.h"

#include <fmt/format.h>

#include "tools/summary.h"

namespace lacuna::tool {

DistributedRequest on_machine(const Problem& problem, Request request) {
  return {std::move(request), problem.machine, problem.placed};
}

void print_traffic(const DistributedReport& report) {
  fmt::print("{} task{} in {} step{}\n", report.tasks, report.tasks == 1 ? "" : "s", report.steps,
             report.steps == 1 ? "" : "s");
  const auto print = [](const char* what, const Traffic& traffic) {
    if (traffic.messages == 0) return fmt::print("{}: nothing moved\n", what);
    fmt::print("{}: {} messages, {}, at most {} processor{} away\n", what, traffic.messages, bytes_text(traffic.bytes),
               traffic.farthest, traffic.farthest == 1 ? "" : "s");
  };
  print("operands", report.fetches);
  print("results", report.reductions);
}

}  // namespace lacuna::tool
