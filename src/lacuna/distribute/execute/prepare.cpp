#include "lacuna/distribute/execute/prepare.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/compile/nodes.h"
#include "lacuna/concrete/sparsity.h"
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
  if (launch::is_distributed(request.schedule)) return launch::on_machine(request.schedule, machine);
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

/// What is stored twice is added up in the operand's own type, which integers that are converted notice: a bool is true
/// once only.
void check_duplicates(const launch::Launch& launch, const Storage& storage, Type computed) {
  const LevelFormat& last = storage.format.level(storage.order() - 1);
  if (last.unique || !is_integer(storage.type) || storage.type == computed) return;
  user_error(
      "distribute: {0} may store one coordinate several times, to be added up in {1} before the statement is computed "
      "in {2}, so that its entries cannot be dealt out; distribute a variable, or store {0} without duplicates",
      launch.operands[launch.positions->operand].tensor, type_name(storage.type), type_name(computed));
}

/// An explicit sum of integers is made in their type, which wraps, before it is converted: parts of it cannot be.
void check_explicit_sums(const launch::Launch& launch, const FactsByName& facts, Type computed) {
  for (const Term& term : terms_of(launch.statement)) {
    const Type own = type_of(term.expr, facts);
    if (!is_integer(own) || own == computed) continue;
    for (const Expr* e = &term.expr; const Sum* sum = as<Sum>(*e); e = &sum->body) {
      for (const launch::Loop& loop : launch.loops) {
        const std::vector<std::string> roots = launch.variables.roots_of(loop.variable);
        if (std::find(roots.begin(), roots.end(), sum->var.name()) != roots.end())
          user_error(
              "distribute: {0} adds up values of type {2} over {1}, to be converted to {3} afterwards, so that the "
              "values of {1} cannot be dealt out; distribute another variable, or convert what is added up, as in "
              "{3}(…)",
              to_string(term.expr), sum->var.name(), type_name(own), type_name(computed));
      }
    }
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

/// Whether every value of a term is computed from an entry that some operand stores, so that it is stored, 0 or not.
bool is_structural(const Term& term, const Request& request) {
  return concrete::always_structural(
      term.expr, [&](const Access& a) { return !operand_of(request, a.tensor.name()).format.is_dense(); });
}

/// A result that is not full holds what is structural or not 0 (semantics.md): of sums in pieces of what is not
/// structural, nobody knows that before they are added up; and of sums in another type, before they are converted.
void check_pattern(const PreparedLaunch& prepared, const Request& request) {
  const launch::Launch& launch = prepared.plan.launch;
  const bool converts = request.statement.accumulate && prepared.sum_type != prepared.result_type;
  if (prepared.result_format.is_dense() || !(launch.adds_up() || converts)) return;
  for (const Term& term : terms_of(launch.statement)) {
    if (is_structural(term, request)) continue;
    const std::string format = prepared.result_format.to_string();
    if (launch.adds_up())
      user_error(
          "distribute: {0} is {1}, and sums of dense tensors are dealt out, in {2}: which of them come to 0 is known "
          "only at the end; store {0} dense, or do not distribute what is summed over",
          launch.result.tensor, format, to_string(term.expr));
    user_error(
        "distribute: {0} is {1} of {3}, and {2} is added to it in {4}: what becomes 0 is known only at the end; store "
        "{0} dense, or as {4}",
        launch.result.tensor, format, to_string(term.expr), type_name(prepared.result_type),
        type_name(prepared.sum_type));
  }
}

/// Entries that are yet to be computed cannot be counted.
void check_has_all(const TensorPlacement& placement, const std::vector<std::int64_t>& dimensions,
                   const std::string& name, const Distribution& where) {
  std::int64_t volume = 0;
  bool counts = false;
  for (const TensorPlacement::Part& part : placement.parts) {
    volume += volume_of(part.what.coordinates);
    counts = counts || part.what.cuts_positions();
  }
  if (counts || volume != volume_of(all_of(dimensions)))
    user_error(
        "{} is placed {}, by numbers of what it stores, which is known only when it is computed; place it in "
        "blocks, as in x -> x",
        name, where.to_string());
}

/// Where the request places the result, of which nobody knows yet what it stores.
std::optional<TensorPlacement> placement_of_result(const DistributedRequest& request, const PreparedLaunch& prepared) {
  const launch::Operand& result = prepared.plan.launch.result;
  const auto placed = request.placed.find(result.tensor);
  if (placed == request.placed.end()) return std::nullopt;
  std::vector<std::int64_t> dimensions;
  for (const IndexVar& v : result.indices) dimensions.push_back(prepared.plan.launch.values_of(v, {}).size());
  const Storage nothing = empty_tensor(prepared.sum_type, dimensions, prepared.local_format());
  TensorPlacement placement = placement_of(partition(nothing, placed->second, result.tensor));
  check_has_all(placement, dimensions, result.tensor, placed->second);
  return placement;
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
  const Type computed = compute_type(statement, facts);
  for (const Term& term : terms_of(statement)) {
    const bool converts = type_of(term.expr, facts) != computed;
    launch.conversions.push_back(converts ? std::optional(computed) : std::nullopt);
  }
  check_explicit_sums(launch, facts, computed);
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
  if (launch.positions) {
    const Storage& whole = out.tensor(launch.positions->operand).whole();
    check_duplicates(launch, whole, computed);
    deal_positions(launch, whole, tasks);
  }
  narrow_to_images(out, tasks);
  out.plan = make_plan(std::move(launch), *machine, std::move(placements), std::move(tasks));
  out.result_format = result_format_of(request);
  const auto old = request.operands.find(statement.lhs.tensor.name());
  out.result_type = request.result_type                                     ? *request.result_type
                    : statement.accumulate && old != request.operands.end() ? old->second.type
                                                                            : computed;
  const bool sums = out.plan.launch.adds_up() || statement.accumulate;
  out.sum_type = !sums                                                   ? out.result_type
                 : old != request.operands.end() && statement.accumulate ? promote(computed, old->second.type)
                                                                         : computed;
  check_pattern(out, request);
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
