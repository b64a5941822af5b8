#include <fmt/format.h>

#include "bench/contest/agree.h"
#include "bench/distributed/allocations.h"
#include "bench/distributed/kernels.h"
#include "bench/distributed/race.h"
#include "bench/distributed/statement.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

constexpr int launches = 200;  // a run
constexpr std::int64_t rows = 16;
constexpr const char* text = "y(i) = A(i,j) * x(j)";

/// Two processors, which one rank or two play. `vectors`: as many, which take turns.
StatementOnMachine tiny(const Storage& a, const std::vector<Storage>& vectors, Ranks& ranks) {
  const Machine machine{Grid(2)};
  StatementOnMachine statement{text, machine, "", dense_format(1), {{"y", "x -> x"}}, {}};
  statement.operands["A"] = {by_parts(a, "xy -> x", machine, "A", ranks)};
  for (const Storage& x : vectors) statement.operands["x"].push_back(by_parts(x, "x -> x", machine, "x", ranks));
  return statement;
}

/// So many launches of something.
Entry many(const Contestant& launch) {
  const auto run = launch.run;
  return {Contestant{launch.name,
                     [run] {
                       for (int k = 0; k < launches; ++k) run();
                     },
                     launch.result, launch.clear}};
}

struct Rerun {
  std::int64_t messages = 0, bytes = 0;  // of all ranks
  std::int64_t allocations = 0;          // of this one
};

/// What a run does when the same was run before.
Rerun count_rerun(Engine& engine, const StatementOnMachine& statement, Ranks& ranks) {
  PreparedOnMachine prepared;
  std::optional<DistributedTensor> result;
  for (std::size_t n = 0; n < 6; ++n) prepared.run_into(result, engine, statement.request(n), ranks.communicator());
  DistributedReport report;
  const DistributedRequest request = statement.request(4), next = statement.request(5);
  prepared.run_into(result, engine, request, ranks.communicator(), {}, &report);
  prepared.run_into(result, engine, request, ranks.communicator());
  const Options options;
  const std::int64_t before = allocations();
  prepared.run_into(result, engine, next, ranks.communicator(), options);
  return {report.fetches.messages + report.reductions.messages, report.fetches.bytes + report.reductions.bytes,
          allocations() - before};
}

double microseconds(const std::vector<double>& times) { return tool::median(times) * 1e3 / launches; }

void print(const std::string& what, double time, const Rerun& rerun, double goal) {
  fmt::print("  {:<28}{:>12.2f} us   {} messages, {} allocations, goal {}: {}\n", what, time, rerun.messages,
             rerun.allocations, goal, time <= goal ? "met" : "missed");
}

/// Nobody is timed who is wrong.
bool is_right(Engine& engine, const StatementOnMachine& statement, const Storage& a, const Storage& x, Ranks& ranks) {
  const Contestant once = lacuna_on_ranks("", engine, statement, ranks);
  once.run();
  const Storage got = once.result();
  std::optional<std::string> found;
  if (ranks.is_first())
    found = disagreement(engine.run({parse_statement(text), {{"A", a}, {"x", x}}, dense_format(1), {}, {}, {}}), got);
  if (found) fmt::print("    a launch is wrong: {}\n", *found);
  return !ranks.first_says(found.has_value());
}

}  // namespace

bool race_launch(Engine& engine, Ranks& ranks, const Effort& effort) {
  const Storage a = build(generate_uniform({rows, rows}, 4 * rows, 1), csr_format());
  const Storage x = generate_dense({rows}, 1), other = generate_dense({rows}, 2);
  const StatementOnMachine same = tiny(a, {x}, ranks), changing = tiny(a, {x, other}, ranks);
  if (!is_right(engine, changing, a, x, ranks)) return false;
  const Rerun of_same = count_rerun(engine, same, ranks), of_changing = count_rerun(engine, changing, ranks);
  const auto per_rank = static_cast<int>(of_changing.messages) / ranks.count();
  const std::size_t bytes = per_rank == 0 ? 0 : static_cast<std::size_t>(of_changing.bytes / of_changing.messages);
  const Contestant messages{"", [&] { ranks.pass_around(per_rank, bytes); }, {}, {}};
  const std::vector<Entry> entries{many(lacuna_on_ranks("", engine, same, ranks)),
                                   many(lacuna_on_ranks("", engine, changing, ranks)), many(messages)};
  const Times times = take_turns(ranks, entries, effort);
  if (!ranks.is_first()) return true;
  const double goal = ranks.count() == 1 ? 10 : 20, sent = microseconds(times[2]);
  fmt::print("\nLaunching a statement that was planned, 2 processors on {} rank{}\n", ranks.count(),
             ranks.count() == 1 ? "" : "s");
  print("nothing changed", microseconds(times[0]), of_same, goal);
  print(ranks.count() == 1 ? "another vector" : "another vector, less messages", microseconds(times[1]) - sent,
        of_changing, goal);
  if (ranks.count() > 1) fmt::print("  {:<28}{:>12.2f} us\n", "the messages alone", sent);
  return true;
}

}  // namespace lacuna::contest
