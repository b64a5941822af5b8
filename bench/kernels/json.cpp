#include <nlohmann/json.hpp>

#include "bench/kernels/report.h"

namespace lacuna::contest {
namespace {

nlohmann::json outcome_json(const Outcome& outcome) {
  nlohmann::json timings = nlohmann::json::array();
  for (const Timing& each : outcome.timings) {
    timings.push_back({{"name", each.name}, {"median_ms", each.median}, {"times_ms", each.times}});
  }
  return {{"input", outcome.input},           {"threads", outcome.threads},           {"contestants", timings},
          {"fastest_other", outcome.fastest}, {"speed", outcome.speed.value},         {"speed_low", outcome.speed.low},
          {"speed_high", outcome.speed.high}, {"bandwidth_share", outcome.bandwidth}, {"notes", outcome.notes}};
}

nlohmann::json means_json(const KernelReport& report) {
  nlohmann::json means = nlohmann::json::array();
  const Goal& goal = report.kernel.goal;
  for (const int threads : thread_counts(report)) {
    const double speed = mean_speed(report, threads);
    const double share = least_bandwidth(report, threads);
    nlohmann::json mean = {{"threads", threads}, {"speed", speed}, {"speed_met", speed >= goal.speed}};
    if (goal.bandwidth > 0) mean["bandwidth_met"] = share >= goal.bandwidth;
    means.push_back(mean);
  }
  return means;
}

}  // namespace

std::string to_json(const std::vector<KernelReport>& reports, const Field& field) {
  nlohmann::json kernels = nlohmann::json::array();
  for (const KernelReport& report : reports) {
    nlohmann::json outcomes = nlohmann::json::array();
    for (const Outcome& outcome : report.outcomes) outcomes.push_back(outcome_json(outcome));
    const Goal& goal = report.kernel.goal;
    kernels.push_back({{"name", report.kernel.name},
                       {"statement", report.kernel.statement},
                       {"byte_model", report.kernel.byte_model},
                       {"goal_speed", goal.speed},
                       {"goal_bandwidth", goal.bandwidth},
                       {"outcomes", outcomes},
                       {"means", means_json(report)}});
  }
  nlohmann::json bandwidths = nlohmann::json::object();
  for (const auto& [threads, rate] : field.bandwidths) bandwidths[std::to_string(threads)] = rate;
  nlohmann::json peers = nlohmann::json::array();
  for (const Peer& peer : field.peers) peers.push_back(peer.name);
  const nlohmann::json all = {{"read_bandwidth_bytes_per_second", bandwidths}, {"peers", peers}, {"kernels", kernels}};
  return all.dump(2) + "\n";
}

}  // namespace lacuna::contest
