#include <iostream>

#include <gtest/gtest.h>

#include "fuzz/faults/update_faults.h"
#include "fuzz/history/run_history.h"
#include "lacuna/compile/plan/update_plan.h"
#include "lacuna/loop/passes.h"

namespace lacuna::fuzz {
namespace {

// What CI fuzzes with.
constexpr std::uint64_t first_seed = 2'000'000;
constexpr int histories = 300;

/// Changes the kernels that an engine is going to update the history's operand with; says whether it did.
bool plant(const UpdateFault& fault, Engine& engine, const Options& options, const History& history) {
  const Operand& operand = history.operand();
  if (!updates_in_place(operand.format)) return false;
  UpdateRequest request{operand.format, operand.type, {}, UpdateOperation::Add};
  for (int k = 0; k < operand.format.order(); ++k)
    request.coordinates.push_back(
        coordinate_type(operand.dimensions[static_cast<std::size_t>(operand.format.map().mode_of(k))]));
  bool planted = false;
  for (const UpdateOperation operation : {UpdateOperation::Add, UpdateOperation::Assign, UpdateOperation::Erase}) {
    request.operation = operation;
    if (operation == UpdateOperation::Erase && operand.format.level(operand.format.order() - 1).full()) continue;
    // The engine keeps the plan and hands it out again. It was not made const.
    auto& plan = const_cast<UpdatePlan&>(*engine.update_plan(request, options));
    if (!fault.plant(plan.lowered.module)) continue;
    loop::verify(plan.lowered.module);
    plan.interpreter.emplace(plan.lowered.module);
    planted = true;
  }
  return planted;
}

TEST(PlantedFaults, OfUpdatesAreEachFoundByTheHistoriesThatCiFuzzesWith) {
  struct Planted {
    UpdateFault fault;
    int planted = 0, found = 0;
  };
  std::vector<Planted> faults;
  for (UpdateFault& fault : update_faults()) faults.push_back({std::move(fault)});
  HistoryRunner runner(Target::Backend::Interpreter, JitOptions{});
  runner.limit_steps(200'000);
  Rejections rejections;
  HistoryCounts counts;
  std::size_t missing = faults.size();
  for (int n = 0; n < histories && missing > 0; ++n) {
    Random random(first_seed + static_cast<std::uint64_t>(n));
    const History history = draw_history(random, rejections);
    const Outcome sound = runner.run(history, counts);
    ASSERT_FALSE(sound.bad()) << sound.message;
    for (Planted& each : faults) {
      if (each.found > 0) continue;
      bool planted = false;
      const Outcome outcome =
          runner.run(history, counts, [&](Engine& engine, const Options& options, const History& h) {
            planted = plant(each.fault, engine, options, h);
          });
      each.planted += planted ? 1 : 0;
      if (!planted || !outcome.bad()) continue;
      each.found = n + 1;
      --missing;
      std::cout << "history " << n + 1 << " finds: " << each.fault.name << std::endl;
    }
  }
  for (const Planted& each : faults) {
    EXPECT_GT(each.found, 0) << each.fault.name << ": planted in " << each.planted << " histories and never found";
  }
}

}  // namespace
}  // namespace lacuna::fuzz
