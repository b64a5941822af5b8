#include <nlohmann/json.hpp>

#include "bench/loopnests/report.h"

namespace lacuna::contest {
namespace {

nlohmann::json outcome_json(const Outcome& outcome) {
  nlohmann::json timings = nlohmann::json::array();
  for (const Timing& each : outcome.timings)
    timings.push_back({{"name", each.name}, {"median_ms", each.median}, {"times_ms", each.times}});
  return {{"input", outcome.input},
          {"threads", outcome.threads},
          {"contestants", timings},
          {"best_other", outcome.best},
          {"automatic_over_best", outcome.speed.value},
          {"low", outcome.speed.low},
          {"high", outcome.speed.high},
          {"fused_over_separate", outcome.fused},
          {"automatic_over_separate", outcome.automatic},
          {"notes", outcome.notes}};
}

}  // namespace

std::string to_json(const std::vector<NestReport>& reports) {
  nlohmann::json all = nlohmann::json::array();
  for (const NestReport& report : reports) {
    nlohmann::json outcomes = nlohmann::json::array();
    for (const Outcome& outcome : report.outcomes) outcomes.push_back(outcome_json(outcome));
    all.push_back({{"name", report.benchmark.name},
                   {"statement", report.benchmark.statement},
                   {"goal_fused", report.benchmark.goal},
                   {"outcomes", outcomes}});
  }
  return nlohmann::json{{"benchmarks", all}}.dump(2) + "\n";
}

}  // namespace lacuna::contest
