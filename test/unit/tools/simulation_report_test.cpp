#include "tools/simulation_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/random_request.h"
#include "tools/traffic_picture.h"

namespace lacuna::tool::simulation_report_test {
namespace {

/// Rows of B and a, blocks of c, of which much moves; then sums of a, which lies on one processor.
DistributedRequest matrix_times_vector(const std::string& result) {
  const Machine machine = parse_machine("Grid(4)");
  DistributedRequest request{
      random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 90}}, {"c", {"dense"}}}, {{"i", 30}, {"j", 40}}),
      machine,
      {}};
  const std::map<std::string, std::string> placed = {{"a", result}, {"B", "xy -> y"}, {"c", "x -> 0"}};
  for (const auto& [name, where] : placed)
    request.placed.emplace(name, parse_distribution(where, machine).distribution);
  request.request.schedule = parse_schedule("distribute({j},{jo},{ji},M)");
  return request;
}

TEST(SimulationReport, JsonSaysWhatWasCounted) {
  const DistributedRequest request = matrix_times_vector("x -> x");
  const Simulation simulation = simulate(request, {});
  const auto json = simulation_json(request, {}, simulation);
  EXPECT_EQ(json.at("machine"), "Grid(4)");
  EXPECT_EQ(json.at("processors"), 4);
  EXPECT_EQ(json.at("operands").at("bytes"), simulation.fetches.bytes);
  EXPECT_EQ(json.at("results").at("messages"), simulation.reductions.messages);
  EXPECT_DOUBLE_EQ(json.at("seconds"), simulation.seconds());
  EXPECT_GE(json.at("iterations").at("balance"), 1);
  std::int64_t bytes = 0;
  for (const auto& step : json.at("steps")) bytes += step.at("bytes").get<std::int64_t>();
  EXPECT_EQ(bytes, simulation.fetches.bytes);
  EXPECT_EQ(json.at("steps").size(), simulation.steps.size());
  EXPECT_GT(json.at("steps").at(0).at("memory"), 0);
}

/// Bytes that nobody knows are not given as 0.
TEST(SimulationReport, JsonDoesNotGuessWhatSparseResultsWeigh) {
  DistributedRequest request = matrix_times_vector("x -> x");
  request.request.result_format = parse_format("compressed", 1);
  const auto json = simulation_json(request, {}, simulate(request, {}));
  EXPECT_TRUE(json.at("results").at("bytes").is_null());
}

TEST(TrafficRecord, HasAllThatMoves) {
  TrafficRecord traffic;
  const Simulation simulation =
      simulate(matrix_times_vector("x -> 3"), {}, [&](const SimulatedMessage& m) { traffic.note(m); });
  const auto total = [](const TrafficRecord::Flows& flows) {
    TrafficRecord::Load sum;
    for (const auto& [key, load] : flows) {
      EXPECT_NE(key.second.first, key.second.second);
      sum.messages += load.messages;
      sum.bytes += load.bytes;
    }
    return std::pair(sum.messages, sum.bytes);
  };
  ASSERT_EQ(traffic.steps().size(), 1U);
  EXPECT_EQ(total(traffic.steps()[0]), std::pair(simulation.fetches.messages, simulation.fetches.bytes));
  EXPECT_EQ(total(traffic.result()), std::pair(simulation.reductions.messages, simulation.reductions.bytes));
  for (const auto& [key, load] : traffic.result()) EXPECT_EQ(key.second.second, 3);
}

}  // namespace
}  // namespace lacuna::tool::simulation_report_test
