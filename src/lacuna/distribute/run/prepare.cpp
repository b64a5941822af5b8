#include "lacuna/distribute/run/prepare.h"

#include <algorithm>
#include <exception>

#include <fmt/ranges.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/concrete/sparsity.h"
#include "lacuna/distribute/parts/value_map.h"
#include "lacuna/distribute/plan/automatic.h"
#include "lacuna/distribute/plan/broadcasts.h"
#include "lacuna/distribute/run/images.h"
#include "lacuna/distribute/run/kept_partition.h"
#include "lacuna/distribute/tensors/held_counter.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

FactsByName facts_of(const DistributedRequest& request) {
  FactsByName facts;
  for (const auto& [name, storage] : request.request.operands) facts[name] = {storage.type, storage.dimensions};
  for (const auto& [name, tensor] : request.held) facts[name] = {tensor->shape().type, tensor->dimensions()};
  return facts;
}

std::map<std::string, Format> formats_of(const DistributedRequest& request) {
  std::map<std::string, Format> formats;
  for (const auto& [name, storage] : request.request.operands) formats.emplace(name, storage.format);
  for (const auto& [name, tensor] : request.held) formats.emplace(name, tensor->format());
  return formats;
}

void check_operands(const DistributedRequest& request, const Communicator& ranks) {
  for (const std::string& name : operand_names(request.request.statement))
    if (request.request.operands.count(name) + request.held.count(name) == 0)
      user_error("the operand {} has no entries; give it some", name);
  for (const auto& [name, tensor] : request.held) {
    internal_check(request.request.operands.count(name) == 0, "{} is given both entirely and by parts", name);
    if (!tensor->is_held_by(ranks))
      user_error("{} is held by other ranks than those that run the statement; use one set of ranks", name);
  }
}

/// Where tensors are that lie as a distribution says.
std::map<std::string, Distribution> distributions_of(const DistributedRequest& request) {
  std::map<std::string, Distribution> all = request.placed;
  for (const auto& [name, tensor] : request.held)
    if (tensor->distribution()) all.emplace(name, *tensor->distribution());
  return all;
}

/// As asked, with the machine's sizes in it; or as the tensors lie, in several ways, the best first.
std::vector<Schedule> schedules_of(const DistributedRequest& distributed, const std::optional<Machine>& machine,
                                   const std::map<IndexVar, std::int64_t>& extents) {
  const Request& request = distributed.request;
  if (launch::is_distributed(request.schedule)) return {launch::on_machine(request.schedule, machine)};
  if (!machine) user_error("nothing is distributed and there is no machine; give one, or distribute a loop");
  if (!request.schedule.empty())
    user_error("the schedule distributes no loop on the machine {}; add distribute, or leave the schedule out",
               machine->to_string());
  std::map<std::string, launch::PlacedOperand> operands;
  for (const auto& [name, storage] : request.operands) operands[name] = {storage.format, storage.stored()};
  for (const auto& [name, tensor] : distributed.held) operands[name] = {tensor->format(), tensor->stored()};
  return launch::automatic_distributions(request.statement, *machine, extents, distributions_of(distributed), operands);
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
  for (const auto& [name, tensor] : request.held) {
    if (tensor->machine() != machine)
      user_error("{} is placed on the machine {}, but the statement runs on {}; use one machine", name,
                 tensor->machine().to_string(), machine.to_string());
    const auto placed = request.placed.find(name);
    if (placed != request.placed.end() && tensor->distribution() != placed->second &&
        name != request.request.statement.lhs.tensor.name())
      user_error("{} is to be placed as {}, but has another distribution; place it again first", name,
                 placed->second.to_string());
  }
}

/// What is stored twice is added up in the operand's own type, which integers that are converted notice: a bool is true
/// once only.
void check_duplicates(const launch::Launch& launch, const PartShape& shape, Type computed) {
  const LevelFormat& last = shape.format.level(shape.format.order() - 1);
  if (last.unique || !is_integer(shape.type) || shape.type == computed) return;
  user_error(
      "distribute: {0} may store one coordinate several times, to be added up in {1} before the statement is computed "
      "in {2}, so that its entries cannot be partitioned; distribute a variable, or store {0} without duplicates",
      launch.operands[launch.positions->operand].tensor, type_name(shape.type), type_name(computed));
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
              "values of {1} cannot be partitioned; distribute another variable, or convert what is added up, as in "
              "{3}(…)",
              to_string(term.expr), sum->var.name(), type_name(own), type_name(computed));
      }
    }
  }
}

/// Deals out the positions of the operand that is cut by them, and says what that leaves of its variables.
void deal_positions(LaunchPlan& plan, PositionCounter& counter, const Restriction& whole, std::vector<Task>& tasks,
                    const Format& format) {
  launch::Launch& launch = plan.launch;
  const launch::PositionCut& cut = *launch.positions;
  const std::int64_t size = counter.count(whole, cut.level);
  if (launch.awaits_count()) {
    launch.set_count(size);
    tasks = make_tasks(launch, plan.machine);
  }
  std::vector<Interval> ranks;
  for (const Task& task : tasks)
    ranks.push_back(launch.variables.part_of_positions(cut.variable, task.at, size).value_or(Interval{0, size}));
  const std::vector<CountedPiece> pieces = counter.pieces(ranks);
  const IndexVar& v = launch.operands[cut.operand].indices[static_cast<std::size_t>(format.map().mode_of(0))];
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    tasks[t].positions = pieces[t].positions;
    tasks[t].stretch = pieces[t].stretch;
    tasks[t].narrowed[v.name()] = IndexSet::range(pieces[t].outermost);
  }
}

void deal_positions(PreparedLaunch& launch, std::vector<Task>& tasks, Communicator& ranks) {
  const DistributedTensor& tensor = launch.tensor(launch.plan.launch.positions->operand);
  const Format& format = tensor.shape().format;
  if (tensor.is_whole()) {
    WholeCounter counter(tensor.whole());
    return deal_positions(launch.plan, counter, whole_of(tensor.whole()), tasks, format);
  }
  HeldCounter counter(tensor, ranks);
  deal_positions(launch.plan, counter, whole_of(tensor.dimensions()), tasks, format);
}

/// Whether every value of a term is computed from an entry that some operand stores, so that it is stored, 0 or not.
bool is_structural(const Term& term, const std::map<std::string, Format>& formats) {
  return concrete::always_structural(term.expr,
                                     [&](const Access& a) { return !formats.at(a.tensor.name()).is_dense(); });
}

/// A result that is not full holds what is structural or not 0 (semantics.md): of sums in pieces of what is not
/// structural, nobody knows that before they are added up; and of sums in another type, before they are converted.
void check_pattern(const PreparedLaunch& prepared, const std::map<std::string, Format>& formats) {
  const launch::Launch& launch = prepared.plan.launch;
  const bool converts = prepared.accumulates && prepared.sum_type != prepared.result_type;
  if (prepared.result_format.is_dense() || !(launch.adds_up() || converts)) return;
  for (const Term& term : terms_of(launch.statement)) {
    if (is_structural(term, formats)) continue;
    const std::string format = prepared.result_format.to_string();
    if (launch.adds_up())
      user_error(
          "distribute: {0} is {1}, and sums of dense tensors are partitioned, in {2}: which of them are 0 is known "
          "only at the end; store {0} dense, or do not distribute what is summed over",
          launch.result.tensor, format, to_string(term.expr));
    user_error(
        "{0} is {1} of {3}, and {2} is added to it in {4}: on a machine, what becomes 0 is known only at the end; "
        "store "
        "{0} dense, or as {4}",
        launch.result.tensor, format, to_string(term.expr), type_name(prepared.result_type),
        type_name(prepared.sum_type));
  }
}

/// Where the request places the result. Nobody knows yet what it stores: where that is to be counted, blocks have to do
/// until it is there.
void place_result(const DistributedRequest& request, PreparedLaunch& out) {
  const launch::Operand& result = out.plan.launch.result;
  const auto placed = request.placed.find(result.tensor);
  const auto old = request.held.find(result.tensor);
  if (placed != request.placed.end()) out.result_distribution = placed->second;
  else if (out.accumulates && old != request.held.end()) out.result_distribution = old->second->distribution();
  if (!out.result_distribution) return;
  check_distribution(*out.result_distribution, out.local_format(), result.tensor);
  BlockCounter counter(out.local_format());
  out.placed_result = placement_of(*out.result_distribution, out.local_format(), whole_of(dimensions_of(out)), counter);
  out.moves_result = counts_positions(*out.result_distribution, out.local_format());
}

/// The types that the result is computed in, and has.
void choose_types(const DistributedRequest& request, const FactsByName& facts, PreparedLaunch& out) {
  const Statement& statement = request.request.statement;
  const Type computed = compute_type(statement, facts, request.request.result_type);
  const auto old = facts.find(statement.lhs.tensor.name());
  const bool adds_to_old = statement.accumulate && old != facts.end();
  out.result_type = request.request.result_type ? *request.request.result_type
                    : adds_to_old               ? old->second.type
                                                : computed;
  const bool sums = out.plan.launch.adds_up() || statement.accumulate;
  out.sum_type = !sums ? out.result_type : adds_to_old ? promote(computed, old->second.type) : computed;
  out.computed_type = computed;
  out.accumulates = statement.accumulate;
}

}  // namespace

int rank_of(const LaunchPlan& plan, std::int64_t processor, const Communicator& ranks) {
  return rank_of(processor, plan.machine, ranks.ranks());
}

namespace {

/// What a request says whichever way it is dealt out.
struct Inferred {
  explicit Inferred(const DistributedRequest& distributed)
      : facts(facts_of(distributed)),
        formats(formats_of(distributed)),
        distributions(distributions_of(distributed)),
        extents(infer_dimensions(distributed.request.statement, facts, distributed.request.sizes)),
        computed(compute_type(distributed.request.statement, facts, distributed.request.result_type)) {}

  FactsByName facts;
  std::map<std::string, Format> formats;
  std::map<std::string, Distribution> distributions;
  std::map<IndexVar, std::int64_t> extents;
  Type computed;
};

/// Those of an operand that every rank has. What is held by parts is counted together, when all is checked.
void count_positions(const Request& request, launch::Launch& launch) {
  const auto whole = request.operands.find(launch.operands[launch.positions->operand].tensor);
  if (whole == request.operands.end()) return;
  WholeCounter counter(whole->second);
  launch.set_count(counter.count(whole_of(whole->second), launch.positions->level));
}

PreparedLaunch start_launch(const DistributedRequest& distributed, const Inferred& inferred,
                            std::optional<Machine> machine, const Schedule& schedule, const Communicator& ranks) {
  const Request& request = distributed.request;
  const Statement& statement = request.statement;
  const FactsByName& facts = inferred.facts;
  const Type computed = inferred.computed;
  const Format result_format = result_format_of(distributed);
  launch::Launch launch = launch::make_launch(statement, schedule, inferred.extents, inferred.formats, result_format,
                                              inferred.distributions);
  for (const Term& term : terms_of(statement)) {
    const bool converts = type_of(term.expr, facts) != computed;
    launch.conversions.push_back(converts ? std::optional(computed) : std::nullopt);
  }
  check_explicit_sums(launch, facts, computed);
  if (launch.awaits_count()) count_positions(request, launch);
  if (!machine) machine = machine_of(launch);
  check_placed(distributed, *machine);

  PreparedLaunch out{{}, {launch, *machine, {}, {}, {}}, {}, result_format};
  if (!launch.awaits_count()) out.plan.tasks = make_tasks(launch, *machine);
  for (const launch::Operand& operand : launch.operands) {
    const std::string& name = operand.tensor;
    if (out.tensors.count(name) != 0) continue;
    const auto held = distributed.held.find(name);
    if (held != distributed.held.end()) {
      out.tensors.emplace(name, held->second);
      continue;
    }
    const Storage& storage = request.operands.at(name);
    const auto placed = distributed.placed.find(name);
    out.tensors.emplace(
        name, std::make_shared<const DistributedTensor>(
                  storage, placed == distributed.placed.end() ? everywhere(storage.order(), *machine) : placed->second,
                  name, ranks));
  }
  if (launch.positions) check_duplicates(launch, out.tensor(launch.positions->operand).shape(), computed);
  choose_types(distributed, facts, out);
  check_pattern(out, inferred.formats);
  place_result(distributed, out);
  return out;
}

}  // namespace

PreparedLaunch start_launch(const DistributedRequest& distributed, const Communicator& ranks) {
  check_meaning(distributed.request.statement);
  check_operands(distributed, ranks);
  std::optional<Machine> machine = distributed.machine;
  if (!machine && !distributed.placed.empty()) machine = distributed.placed.begin()->second.machine();
  if (!machine && !distributed.held.empty()) machine = distributed.held.begin()->second->machine();
  const Inferred inferred(distributed);
  check_divisions(distributed.request.statement, inferred.facts);
  const std::vector<Schedule> schedules = schedules_of(distributed, machine, inferred.extents);
  // Not every way to deal out a statement is allowed; what is wrong with the best one is said where none is.
  std::exception_ptr refused;
  for (const Schedule& schedule : schedules) {
    try {
      return start_launch(distributed, inferred, machine, schedule, ranks);
    } catch (const Error&) {
      if (refused == nullptr) refused = std::current_exception();
    }
  }
  internal_check(refused != nullptr, "there is no way to distribute {}", distributed.request.statement.text);
  std::rethrow_exception(refused);
}

namespace {

TensorLayout layout_of_result(const PreparedLaunch& launch) {
  const PartShape shape{launch.local_format(), launch.result_type, Scalar::zero(launch.result_type)};
  return {
      dimensions_of(launch),   launch.result_format, shape,
      launch.reduction.owners, launch.plan.machine,  launch.moves_result ? std::nullopt : launch.result_distribution};
}

}  // namespace

void finish_launch(PreparedLaunch& out, Communicator& ranks) {
  std::vector<Task> tasks = std::move(out.plan.tasks);
  if (out.plan.launch.positions) deal_positions(out, tasks, ranks);
  narrow_to_images(out, tasks, ranks);
  std::vector<TensorPlacement> placements;
  for (std::size_t o = 0; o < out.plan.launch.operands.size(); ++o) placements.push_back(out.tensor(o).placement());
  out.plan = make_plan(std::move(out.plan.launch), out.plan.machine, std::move(placements), std::move(tasks));
  std::vector<bool> is_dense;
  for (std::size_t o = 0; o < out.plan.launch.operands.size(); ++o)
    is_dense.push_back(out.tensor(o).shape().format.is_dense() && !out.plan.launch.deals_out(o));
  add_broadcasts(out.plan, is_dense);
  if (std::optional<KeptPartition> kept = kept_partition(out)) {
    out.reduction = plan_reduction(out.plan, std::move(kept->placement), kept->tasks);
    out.moves_result = false;
  } else {
    out.reduction = plan_reduction(out.plan, out.placed_result, out.accumulates, out.local_format().is_dense());
  }
  out.result_layout = std::make_shared<const TensorLayout>(layout_of_result(out));
}

PreparedLaunch prepare_launch(const DistributedRequest& request, Communicator& ranks) {
  PreparedLaunch launch = start_launch(request, ranks);
  finish_launch(launch, ranks);
  return launch;
}

LaunchPlan plan_distributed(const DistributedRequest& request) {
  const std::unique_ptr<Communicator> planner = nobody();
  return plan_distributed(request, *planner);
}

LaunchPlan plan_distributed(const DistributedRequest& request, Communicator& ranks) {
  return prepare_launch(request, ranks).plan;
}

namespace {

/// Which entries are dealt out is said in positions of the whole, where somebody knows that.
bool is_dealt_out_of_all(const PreparedLaunch& launch, const Transfer& transfer) {
  const auto o = static_cast<std::size_t>(transfer.operand);
  return launch.plan.launch.deals_out(o) && launch.tensor(o).is_whole();
}

}  // namespace

const Storage& sent_from(const PreparedLaunch& launch, const Transfer& transfer) {
  const DistributedTensor& tensor = launch.tensor(static_cast<std::size_t>(transfer.operand));
  return is_dealt_out_of_all(launch, transfer) ? tensor.whole() : tensor.part(*transfer.part).storage;
}

LocalPart sent_part(const PreparedLaunch& launch, const Transfer& transfer, SentValues values) {
  const Storage& given = sent_from(launch, transfer);
  const Storage from = values == SentValues::Numbers ? numbered(given) : given;
  if (is_dealt_out_of_all(launch, transfer)) return local_part(from, transfer.what);
  Restriction what = transfer.what;
  what.positions.assign(what.positions.size(), std::nullopt);  // the part has no others
  const DistributedTensor& tensor = launch.tensor(static_cast<std::size_t>(transfer.operand));
  return cut(LocalPart{tensor.part(*transfer.part).sets, from}, what);
}

std::vector<std::int64_t> dimensions_of(const PreparedLaunch& launch) {
  std::vector<std::int64_t> dimensions;
  for (const IndexVar& v : launch.plan.launch.result.indices)
    dimensions.push_back(launch.plan.launch.values_of(v, {}).size());
  return dimensions;
}

Format PreparedLaunch::local_format() const { return array_format_of(result_format); }

Format result_format_of(const DistributedRequest& request) {
  return request.request.result_format ? *request.request.result_format
                                       : infer_result_format(request.request.statement, formats_of(request));
}

bool asks_the_same(const DistributedRequest& a, const DistributedRequest& b) {
  const Request &x = a.request, &y = b.request;
  const auto same_access = [](const Access& p, const Access& q) {
    const auto same_name = [](const IndexVar& v, const IndexVar& w) { return v.name() == w.name(); };
    return p.tensor.name() == q.tensor.name() &&
           std::equal(p.indices.begin(), p.indices.end(), q.indices.begin(), q.indices.end(), same_name);
  };
  // Of what was parsed, its text says all; other schedules have to be printed.
  const auto is_parsed = [](const Schedule& schedule) { return !schedule.text.empty(); };
  const bool same_schedule = (x.schedule.empty() && y.schedule.empty()) ||
                             (is_parsed(x.schedule) && x.schedule.text == y.schedule.text &&
                              x.schedule.directives.size() == y.schedule.directives.size()) ||
                             to_string(x.schedule) == to_string(y.schedule);
  return x.statement.accumulate == y.statement.accumulate && same_access(x.statement.lhs, y.statement.lhs) &&
         equal(x.statement.rhs, y.statement.rhs) && same_schedule && a.machine == b.machine &&
         x.result_format == y.result_format && x.result_type == y.result_type && x.sizes == y.sizes &&
         a.placed == b.placed;
}

namespace {

std::string place_text(const Distribution& distribution) {
  return fmt::format("{} on {}", distribution.to_string(), distribution.machine().to_string());
}

}  // namespace

std::vector<std::string> fingerprint(const DistributedRequest& distributed) {
  const Request& request = distributed.request;
  std::vector<std::string> items{to_string(request.statement),
                                 request.schedule.empty() ? "no schedule" : to_string(request.schedule)};
  if (distributed.machine) items.push_back(distributed.machine->to_string());
  if (request.result_format) items.push_back("the result: " + request.result_format->to_string());
  if (request.result_type) items.push_back("the result: " + std::string(type_name(*request.result_type)));
  for (const auto& [variable, size] : request.sizes) items.push_back(fmt::format("{} = {}", variable, size));
  for (const auto& [name, distribution] : distributed.placed)
    items.push_back(fmt::format("{}: {}", name, place_text(distribution)));
  for (const auto& [name, tensor] : request.operands)
    items.push_back(fmt::format("{}: {}, {}, {}, {} entries", name, fmt::join(tensor.dimensions, " x "),
                                type_name(tensor.type), tensor.format.to_string(), tensor.places()));
  for (const auto& [name, tensor] : distributed.held)
    items.push_back(fmt::format("{}: {}, {}, {}, {} parts{}", name, fmt::join(tensor->dimensions(), " x "),
                                type_name(tensor->shape().type), tensor->format().to_string(),
                                tensor->placement().parts.size(),
                                tensor->distribution() ? ", " + place_text(*tensor->distribution()) : ""));
  return items;
}

}  // namespace lacuna
