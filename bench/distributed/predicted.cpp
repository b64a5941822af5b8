#include "bench/distributed/predicted.h"

#include <algorithm>

#include "bench/distributed/on_one_processor.h"
#include "bench/distributed/race.h"
#include "bench/distributed/statement.h"
#include "lacuna/distribute/simulate/calibrate.h"
#include "lacuna/notation/parse.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

DistributedRequest in_whole(const Predicted& what, const Machine& machine) {
  DistributedRequest request{{}, machine, {}};
  request.request.statement = parse_statement(what.statement);
  request.request.schedule = parse_schedule(what.schedule);
  request.request.result_format = what.result_format;
  for (const auto& [tensor, where] : what.placed)
    request.placed.emplace(tensor, parse_distribution(where, machine).distribution);
  for (const auto& [tensor, turns] : what.operands) request.request.operands.emplace(tensor, turns.front());
  return request;
}

/// Another tensor that lies alike, with these values in place of its own: they share their coordinates.
DistributedTensorPtr with_values_of(const DistributedTensor& first, const DistributedTensor& other, Ranks& ranks) {
  auto held = std::make_shared<DistributedTensor>(first.layout(), ranks.communicator());
  for (const auto& [number, part] : first.parts()) {
    LocalPart changed = part;
    changed.storage.values = other.part(number).storage.values;
    held->set_part(number, std::move(changed));
  }
  held->count_stored(ranks.communicator());
  return held;
}

/// Runs after which a kept plan knows where values go, and moves nothing else.
constexpr int settling = 3;

StatementOnMachine by_parts_of(const Predicted& what, const Machine& machine, Ranks& ranks) {
  StatementOnMachine out{what.statement, machine, what.schedule, what.result_format, {}, {}};
  for (const auto& [tensor, where] : what.placed)
    if (what.operands.count(tensor) == 0) out.placed.emplace(tensor, where);
  for (const auto& [tensor, turns] : what.operands) {
    std::vector<DistributedTensorPtr>& held = out.operands[tensor];
    for (const Storage& each : turns) {
      const DistributedTensorPtr part = by_parts(each, what.placed.at(tensor), machine, tensor, ranks);
      held.push_back(held.empty() ? part : with_values_of(*held.front(), *part, ranks));
    }
  }
  return out;
}

/// By run, as the first rank sees it.
std::vector<double> measured_times(Engine& engine, Ranks& ranks, const Effort& effort, const Machine& machine,
                                   const Predicted& what) {
  const StatementOnMachine statement = by_parts_of(what, machine, ranks);
  Contestant lacuna = lacuna_on_ranks("", engine, statement, ranks);
  lacuna.clear = nullptr;  // a program has its last result while it computes the next
  for (int run = 0; run < settling; ++run) lacuna.run();
  return take_turns(ranks, {{lacuna}}, effort)[0];
}

}  // namespace

PredictedTime predict(Engine& engine, Ranks& ranks, const Effort& effort, const Machine& machine,
                      const Predicted& what) {
  const OnOneProcessor bound(ranks.rank());
  const DistributedRequest whole = in_whole(what, machine);
  const int rounds = effort.seconds > 0 ? 3 : 1;
  Effort each = effort;
  each.seconds /= rounds;
  each.most = (effort.most + rounds - 1) / rounds;
  std::vector<std::pair<double, std::string>> predictions;  // with the network that each is for
  std::vector<double> measured;
  for (int round = 0; round < rounds; ++round) {
    Network network = calibrated(engine, whole, ranks.communicator());
    network.again = true;
    predictions.emplace_back(simulate(whole, network).seconds() * 1e3, to_string(network));
    const std::vector<double> times = measured_times(engine, ranks, each, machine, what);
    measured.insert(measured.end(), times.begin(), times.end());
  }
  std::sort(predictions.begin(), predictions.end());
  const auto& [expected, network] = predictions[predictions.size() / 2];
  return {ranks.is_first() ? tool::median(measured) : 0, expected, network};
}

}  // namespace lacuna::contest
