#include "lacuna/distribute/execute/prepare.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/compile/nodes.h"
#include "lacuna/distribute/execute/images.h"
#include "lacuna/distribute/launch/automatic.h"
#include "lacuna/distribute/partition/level_sets.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"

namespace lacuna {
namespace {

FactsByName facts_of(const Request& request) {
  FactsByName facts;
  for (const auto& [name, storage] : request.operands) facts[name] = {storage.type, storage.dimensions};
  return facts;
}

std::map<std::string, Format> formats_of(const Request& request) {
  std::map<std::string, Format> formats;
  for (const auto& [name, storage] : request.operands) formats.emplace(name, storage.format);
  return formats;
}

const Storage& operand_of(const Request& request, const std::string& name) {
  const auto found = request.operands.find(name);
  if (found == request.operands.end()) user_error("the operand {} has no entries; give it some", name);
  return found->second;
}

/// As asked, with the machine's sizes in it; or as the tensors lie.
Schedule schedule_of(const DistributedRequest& distributed, const std::optional<Machine>& machine) {
  const Request& request = distributed.request;
  if (launch::is_distributed(request.schedule))
    return machine ? launch::on_machine(request.schedule, *machine) : request.schedule;
  if (!machine) user_error("nothing is distributed and there is no machine; give one, or distribute a loop");
  if (!request.schedule.empty())
    user_error("the schedule distributes no loop on the machine {}; add distribute, or leave the schedule out",
               machine->to_string());
  std::map<std::string, launch::PlacedOperand> operands;
  for (const auto& [name, storage] : request.operands) operands[name] = {storage.format, storage.stored()};
  return launch::distribute_automatically(request.statement, *machine, distributed.placed, operands);
}

void check_placed(const DistributedRequest& request, const Machine& machine) {
  const std::vector<std::string> names = operand_names(request.request.statement);
  for (const auto& [name, distribution] : request.placed) {
    if (std::find(names.begin(), names.end(), name) == names.end() &&
        name != request.request.statement.lhs.tensor.name())
      user_error("{} is placed on the machine, but is no tensor of the statement", name);
    if (distribution.machine() != machine)
      user_error("{} is placed on the machine {}, but the statement runs on {}; use one machine", name,
                 distribution.machine().to_string(), machine.to_string());
  }
}

/// Deals out the positions of the operand that is cut by them, and says what that leaves of its variables.
void deal_positions(const launch::Launch& launch, const Storage& storage, std::vector<Task>& tasks) {
  const launch::PositionCut& cut = *launch.positions;
  const launch::Operand& operand = launch.operands[cut.operand];
  const IndexSet all = live_positions(storage, whole_of(storage))[static_cast<std::size_t>(cut.level)];
  for (Task& task : tasks) {
    const std::optional<Interval> part = launch.variables.part_of_positions(cut.variable, task.at, all.size());
    task.positions = part ? all.slice(*part) : all;
    IndexSet outermost = *task.positions;
    for (int k = cut.level; k > 0; --k) outermost = parents_of(storage, k, outermost);
    const IndexVar& v = operand.indices[static_cast<std::size_t>(storage.format.map().mode_of(0))];
    task.narrowed[v.name()] =
        outermost.empty() ? IndexSet() : IndexSet::range(outermost_coordinates(storage, outermost));
  }
}

/// A result that is not full holds what is structural or not 0 (semantics.md): of sums in pieces of dense operands
/// only, nobody knows that before they are added up.
void check_pattern(const launch::Launch& launch, const Format& result, const Request& request) {
  if (!launch.adds_up() || result.is_dense()) return;
  for (const Term& term : terms_of(launch.statement)) {
    bool sparse = false;
    for (const Access& access : accesses(term.expr))
      sparse = sparse || !operand_of(request, access.tensor.name()).format.is_dense();
    if (!sparse)
      user_error(
          "distribute: {} is {}, and sums of dense tensors are dealt out: which of them come to 0 is known only at the "
          "end; store {} dense, or do not distribute what is summed over",
          launch.result.tensor, result.to_string(), launch.result.tensor);
  }
}

/// Where the request places the result, of which nobody knows yet what it stores.
std::optional<TensorPlacement> placement_of_result(const DistributedRequest& request, const PreparedLaunch& prepared) {
  const launch::Operand& result = prepared.plan.launch.result;
  const auto placed = request.placed.find(result.tensor);
  if (placed == request.placed.end()) return std::nullopt;
  std::vector<std::int64_t> dimensions;
  for (const IndexVar& v : result.indices) dimensions.push_back(prepared.plan.launch.values_of(v, {}).size());
  const Storage nothing = empty_tensor(prepared.sum_type, dimensions, prepared.local_format());
  return placement_of(partition(nothing, placed->second, result.tensor));
}

}  // namespace

PreparedLaunch prepare_launch(const DistributedRequest& distributed, const Communicator& ranks) {
  const Request& request = distributed.request;
  const Statement& statement = request.statement;
  check_meaning(statement);
  const FactsByName facts = facts_of(request);
  for (const std::string& name : operand_names(statement)) operand_of(request, name);
  const std::map<IndexVar, std::int64_t> extents = infer_dimensions(statement, facts, request.sizes);
  std::optional<Machine> machine = distributed.machine;
  if (!machine && !distributed.placed.empty()) machine = distributed.placed.begin()->second.machine();
  const Schedule schedule = schedule_of(distributed, machine);
  launch::Launch launch = launch::make_launch(statement, schedule, extents, formats_of(request));
  if (!machine) machine = machine_of(launch);
  check_placed(distributed, *machine);

  PreparedLaunch out{{}, {launch, *machine, {}, {}, {}}, {}, {}, {}, {}};
  std::vector<TensorPlacement> placements;
  for (const launch::Operand& operand : launch.operands) {
    const auto placed = distributed.placed.find(operand.tensor);
    const Storage& storage = operand_of(request, operand.tensor);
    const auto tensor = out.tensors.try_emplace(
        operand.tensor, storage,
        placed == distributed.placed.end() ? everywhere(storage.order(), *machine) : placed->second, operand.tensor,
        ranks);
    placements.push_back(tensor.first->second.placement());
  }
  std::vector<Task> tasks = make_tasks(launch, *machine);
  if (launch.positions) deal_positions(launch, out.tensor(launch.positions->operand).whole(), tasks);
  narrow_to_images(out, tasks);
  const Format result = result_format_of(request);
  check_pattern(launch, result, request);
  out.plan = make_plan(std::move(launch), *machine, std::move(placements), std::move(tasks));
  out.result_format = result;
  const Type computed = compute_type(statement, facts);
  const auto old = request.operands.find(statement.lhs.tensor.name());
  out.result_type = request.result_type                                     ? *request.result_type
                    : statement.accumulate && old != request.operands.end() ? old->second.type
                                                                            : computed;
  const bool sums = out.plan.launch.adds_up() || statement.accumulate;
  out.sum_type = !sums                                                   ? out.result_type
                 : old != request.operands.end() && statement.accumulate ? promote(computed, old->second.type)
                                                                         : computed;
  out.reduction = plan_reduction(out.plan, placement_of_result(distributed, out), statement.accumulate);
  return out;
}

LaunchPlan plan_distributed(const DistributedRequest& request) { return prepare_launch(request, *nobody()).plan; }

Format PreparedLaunch::local_format() const { return made_of_arrays(result_format); }

Format result_format_of(const Request& request) {
  return request.result_format ? *request.result_format : infer_result_format(request.statement, formats_of(request));
}

std::vector<std::string> fingerprint(const DistributedRequest& distributed) {
  const Request& request = distributed.request;
  std::vector<std::string> items{to_string(request.statement), to_string(request.schedule)};
  if (distributed.machine) items.push_back(distributed.machine->to_string());
  for (const auto& [name, distribution] : distributed.placed)
    items.push_back(fmt::format("{}: {}", name, distribution.to_string()));
  for (const auto& [name, tensor] : request.operands)
    items.push_back(fmt::format("{}: {}, {}, {}, {} entries", name, fmt::join(tensor.dimensions, " x "),
                                type_name(tensor.type), tensor.format.to_string(), tensor.places()));
  return items;
}

}  // namespace lacuna
