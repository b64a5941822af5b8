#include "tools/simulation_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lacuna/support/text_table.h"
#include "tools/summary.h"

namespace lacuna::tool {
namespace {

using Json = nlohmann::ordered_json;

std::string traffic_text(const Traffic& traffic) {
  if (traffic.messages == 0) return "nothing moves";
  return fmt::format("{}, {}, at most {} away", counted(traffic.messages, "message"), bytes_text(traffic.bytes),
                     counted(traffic.farthest, "processor"));
}

double ratio(double most, double mean) { return mean > 0 ? most / mean : 1; }

Json traffic_json(const Traffic& traffic, bool knows_bytes) {
  Json json{{"messages", traffic.messages}, {"bytes", traffic.bytes}, {"farthest", traffic.farthest}};
  if (!knows_bytes) json["bytes"] = nullptr;
  return json;
}

Json spread_json(double most, double mean) { return {{"most", most}, {"mean", mean}, {"balance", ratio(most, mean)}}; }

Json network_json(const Network& network) {
  return {{"latency", network.latency},
          {"bandwidth", network.bandwidth},
          {"rate", network.rate},
          {"overlaps", network.overlaps}};
}

Json step_json(const SimulatedStep& step) {
  Json at = Json::object();
  for (const auto& [variable, value] : step.at) at[variable] = value;
  Json json{{"at", at}};
  if (step.only_moves) json["broadcasts"] = true;
  json.update(traffic_json(step.traffic, true));
  json["memory"] = step.most_memory;
  json["iterations"] = spread_json(step.most_turns, step.mean_turns);
  json["moving_seconds"] = step.moving;
  json["computing_seconds"] = step.computing;
  return json;
}

}  // namespace

std::string step_text(const SimulatedStep& step) {
  if (step.only_moves) return "broadcasts";
  std::string text;
  for (const auto& [variable, value] : step.at)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", variable, value);
  return text.empty() ? "in one step" : text;
}

void print_simulation(const Simulation& s, std::size_t steps) {
  for (std::size_t k = 0; k < std::min(steps, s.steps.size()); ++k) {
    const SimulatedStep& step = s.steps[k];
    fmt::print("{}: {}; moving {}, computing {}\n", step_text(step), traffic_text(step.traffic),
               seconds_text(step.moving), seconds_text(step.computing));
  }
  if (s.steps.size() > steps) fmt::print("… {} in all\n", counted(std::ssize(s.steps), "step"));
  fmt::print("tasks: {}\n", s.tasks);
  fmt::print("operands: {}\n", traffic_text(s.fetches));
  fmt::print("results: {}{}\n", traffic_text(s.reductions),
             s.knows_result || s.reductions.messages == 0 ? "" : " (what they weigh is known when they are computed)");
  fmt::print("memory of a processor: at most {}, which is {:.2f} times the mean\n", bytes_text(s.most_memory),
             ratio(static_cast<double>(s.most_memory), s.mean_memory));
  fmt::print("work of a processor: at most {:.4g} iterations of its innermost loops, which is {:.2f} times the mean\n",
             s.most_turns, ratio(s.most_turns, s.mean_turns));
  fmt::print("expected time: {}\n", seconds_text(s.seconds()));
}

void print_scaling(const Scaling& scaling) {
  TextTable table("rrrrrr");
  table.add({"machine", "time", "computing", "moving", "memory", "efficiency"});
  for (const ScalingPoint& p : scaling.points)
    table.add({p.machine, seconds_text(p.seconds), seconds_text(p.computing), seconds_text(p.moving),
               bytes_text(p.memory), fmt::format("{:.1f} %", 100 * scaling.efficiency(p))});
  fmt::print("{}", table.text());
}

Json simulation_json(const DistributedRequest& request, const Network& network, const Simulation& s) {
  Json json{{"statement", request.request.statement.text},
            {"schedule", request.request.schedule.text},
            {"machine", s.machine.to_string()},
            {"processors", s.machine.processors()},
            {"network", network_json(network)},
            {"tasks", s.tasks}};
  json["steps"] = Json::array();
  for (const SimulatedStep& step : s.steps) json["steps"].push_back(step_json(step));
  json["operands"] = traffic_json(s.fetches, true);
  json["results"] = traffic_json(s.reductions, s.knows_result || s.reductions.messages == 0);
  json["memory"] = spread_json(static_cast<double>(s.most_memory), s.mean_memory);
  json["iterations"] = spread_json(s.most_turns, s.mean_turns);
  json["reducing_seconds"] = s.reducing;
  json["seconds"] = s.seconds();
  return json;
}

Json scaling_json(const Scaling& scaling, const Network& network) {
  Json json{{"statement", scaling.statement},
            {"scaling", scaling.weak ? "weak" : "strong"},
            {"network", network_json(network)}};
  json["points"] = Json::array();
  for (const ScalingPoint& p : scaling.points) {
    Json sizes = Json::object();
    for (const auto& [variable, size] : p.sizes) sizes[variable] = size;
    json["points"].push_back({{"machine", p.machine},
                              {"processors", p.processors},
                              {"sizes", sizes},
                              {"messages", p.messages},
                              {"bytes", p.bytes},
                              {"memory", p.memory},
                              {"iterations", p.turns},
                              {"computing_seconds", p.computing},
                              {"moving_seconds", p.moving},
                              {"seconds", p.seconds},
                              {"efficiency", scaling.efficiency(p)}});
  }
  return json;
}

}  // namespace lacuna::tool
