#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

#include "lacuna/distribute/simulate/simulate.h"
#include "tools/scaling.h"

namespace lacuna::tool {

/// "kos = 0", or "in one step".
std::string step_text(const SimulatedStep& step);

/// What a simulation counted, so many of its steps one by one.
void print_simulation(const Simulation& simulation, std::size_t steps);
/// A line for each machine.
void print_scaling(const Scaling& scaling);

/// The same as JSON, all steps.
nlohmann::ordered_json simulation_json(const DistributedRequest& request, const Network& network,
                                       const Simulation& simulation);
nlohmann::ordered_json scaling_json(const Scaling& scaling, const Network& network);

}  // namespace lacuna::tool
