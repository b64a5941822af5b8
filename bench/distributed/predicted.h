#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/contest/measure.h"
#include "bench/distributed/ranks.h"
#include "lacuna/compile/engine.h"
#include "lacuna/format/distribution/machine.h"

namespace lacuna::contest {

/// A statement whose operands are given in whole to the simulator, and by parts to the ranks. Those that change from
/// run to run have several values of one pattern, which take turns.
struct Predicted {
  std::string name, statement, schedule;
  Format result_format;
  std::map<std::string, std::string> placed;
  std::map<std::string, std::vector<Storage>> operands;
};

/// Milliseconds of a run.
struct PredictedTime {
  double measured, predicted;
  std::string network;  // as it was calibrated

  double off() const { return predicted / measured - 1; }
  static constexpr double goal = 0.3;
  bool is_met() const { return off() <= goal && off() >= -goal; }
};

/// Measured beside what the simulator says for this machine, which is calibrated right before, some runs of each at a
/// time: a machine that others use, too, is faster and slower from one second to the next, and two of its processors
/// are now one core's and now far apart. There are as many such pairs as the effort has seconds, in each of three
/// memories; of all, the one that is off by the median. What is returned counts on the first rank. Collective.
PredictedTime predict(Engine& engine, Ranks& ranks, const Effort& effort, const Machine& machine,
                      const Predicted& what);

}  // namespace lacuna::contest
