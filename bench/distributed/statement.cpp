#include "bench/distributed/statement.h"

#include <algorithm>
#include <optional>

#include "lacuna/notation/parse.h"

namespace lacuna::contest {
namespace {

/// The requests are made before, as a program has them that says a statement once.
struct RankRace {
  Engine& engine;
  Ranks& ranks;
  std::vector<DistributedRequest> requests;
  PreparedOnMachine prepared = {};
  std::optional<DistributedTensor> last = {};
  std::size_t runs = 0;

  void run() {
    prepared.run_into(last, engine, requests[runs % requests.size()], ranks.communicator());
    ++runs;
  }
  Storage result() const { return gathered(*last, ranks.communicator(), Recipients::First); }
  void clear() { last.reset(); }
};

}  // namespace

DistributedTensorPtr by_parts(const Storage& tensor, const std::string& distribution, const Machine& machine,
                              const std::string& name, Ranks& ranks) {
  const Distribution where = parse_distribution(name + ": " + distribution, machine).distribution;
  const DistributedTensor whole(tensor, where, name, ranks.communicator());
  auto held = std::make_shared<DistributedTensor>(whole.layout(), ranks.communicator());
  for (const auto& [number, part] : whole.parts()) held->set_part(number, part);
  held->count_stored(ranks.communicator());
  return held;
}

DistributedRequest StatementOnMachine::request(std::size_t n) const {
  DistributedRequest out{{}, machine, {}};
  out.request.statement = parse_statement(statement);
  out.request.schedule = parse_schedule(schedule);
  out.request.result_format = result_format;
  for (const auto& [name, where] : placed)
    out.placed.emplace(name, parse_distribution(name + ": " + where, machine).distribution);
  for (const auto& [name, turns] : operands) out.held.emplace(name, turns[n % turns.size()]);
  return out;
}

Contestant lacuna_on_ranks(const std::string& name, Engine& engine, const StatementOnMachine& statement, Ranks& ranks) {
  std::size_t turns = 1;
  for (const auto& [operand, each] : statement.operands) turns = std::max(turns, each.size());
  std::vector<DistributedRequest> requests;
  for (std::size_t n = 0; n < turns; ++n) requests.push_back(statement.request(n));
  return contestant_of(name, std::make_shared<RankRace>(RankRace{engine, ranks, std::move(requests)}));
}

}  // namespace lacuna::contest
