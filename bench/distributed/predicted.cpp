#include "bench/distributed/predicted.h"

#include <algorithm>
#include <cmath>

#include "bench/distributed/on_one_processor.h"
#include "bench/distributed/race.h"
#include "bench/distributed/statement.h"
#include "lacuna/distribute/execute/settled_launch.h"
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

/// A statement on ranks, in memory of its own, that has run often enough to have settled.
class Settled {
 public:
  Settled(Engine& engine, Ranks& ranks, const Machine& machine, const Predicted& what)
      : ranks_(ranks), lacuna_(lacuna_on_ranks("", engine, by_parts_of(what, machine, ranks), ranks)) {
    lacuna_.clear = nullptr;  // a program has its last result while it computes the next
    for (int run = 0; run < SettledLaunch::runs_to_settle; ++run) lacuna_.run();
  }
  /// The median milliseconds of some runs, about as many as a calibration takes, after three that do not count, as
  /// there: caches get its values back. As the first rank sees it.
  double now(bool is_quick) {
    for (int run = 0; run < 2; ++run) lacuna_.run();
    return tool::median(take_turns(ranks_, {{lacuna_}}, is_quick ? Effort{0, 1} : Effort{0.05, 5})[0]);
  }

 private:
  Ranks& ranks_;
  Contestant lacuna_;
};

}  // namespace

PredictedTime predict(Engine& engine, Ranks& ranks, const Effort& effort, const Machine& machine,
                      const Predicted& what) {
  const OnOneProcessor bound(ranks.rank());
  const DistributedRequest whole = in_whole(what, machine);
  const bool is_quick = effort.seconds == 0;
  const int rounds = is_quick ? 1 : 3,
            turns = is_quick ? 1 : std::max(1, static_cast<int>(std::lround(effort.seconds)));
  std::vector<PredictedTime> all;
  for (int round = 0; round < rounds; ++round) {
    Calibration calibration(engine, whole, ranks.communicator());
    Settled settled(engine, ranks, machine, what);
    for (int turn = 0; turn < turns; ++turn) {
      Network network = calibration.now();
      network.again = true;
      const double measured = settled.now(is_quick);
      all.push_back({measured, simulate(whole, network).seconds() * 1e3, to_string(network)});
    }
  }
  const auto middle = all.begin() + std::ssize(all) / 2;
  std::nth_element(all.begin(), middle, all.end(),
                   [](const PredictedTime& a, const PredictedTime& b) { return a.off() < b.off(); });
  return *middle;
}

}  // namespace lacuna::contest
