#include "lacuna/distribute/run/kept_partition.h"

#include <algorithm>

#include "lacuna/distribute/plan/position_cut.h"
#include "lacuna/distribute/sets/coordinate_order.h"
#include "lacuna/distribute/sets/level_sets.h"

namespace lacuna {
namespace {

class Keeper {
 public:
  explicit Keeper(const PreparedLaunch& prepared)
      : prepared_(prepared),
        launch_(prepared.plan.launch),
        cut_(*launch_.positions),
        operand_(launch_.operands[cut_.operand]),
        tensor_(prepared.tensor(cut_.operand)),
        shared_(shared_levels()) {}

  std::optional<KeptPartition> run() const {
    if (!has_its_levels() || !has_its_pattern() || !lies_like_it()) return std::nullopt;
    if (tensor_.is_whole() && !is_in_coordinate_order(tensor_.shape().format, cut_.level)) return std::nullopt;
    const std::vector<TensorPlacement::Part>& parts = tensor_.placement().parts;
    if (parts.size() != prepared_.plan.tasks.size()) return std::nullopt;
    KeptPartition kept;
    for (const TensorPlacement::Part& part : parts) {
      const std::optional<std::size_t> task = task_of(part, kept.tasks);
      if (!task) return std::nullopt;
      kept.placement.parts.push_back({within_result(part.what), part.processors});
      kept.tasks.push_back(*task);
    }
    return kept;
  }

 private:
  /// How many of the result's outermost levels are the operand's, with the same variables.
  int shared_levels() const {
    const Format result = prepared_.local_format(), &format = tensor_.shape().format;
    int k = 0;
    for (; k < std::min(result.order(), format.order()); ++k) {
      const auto mode = static_cast<std::size_t>(result.map().mode_of(k));
      if (format.map().mode_of(k) != result.map().mode_of(k) || !(format.level(k) == result.level(k)) ||
          !format.level(k).unique || operand_.indices[mode].name() != launch_.result.indices[mode].name())
        break;
    }
    return k;
  }

  /// Whether those that are counted are among them, and the others store everything.
  bool has_its_levels() const {
    const Format result = prepared_.local_format();
    for (int k = shared_; k < result.order(); ++k)
      if (!result.level(k).full()) return false;
    return cut_.level < shared_;
  }

  /// Whether something is computed of each of its entries, and of no others.
  bool has_its_pattern() const {
    const std::vector<Term> terms = terms_of(launch_.statement);
    if (prepared_.accumulates || terms.size() != 1 || !launch::is_factor_once(terms[0].expr, operand_)) return false;
    for (std::size_t o = 0; o < launch_.operands.size(); ++o)
      if (o != cut_.operand && !prepared_.tensor(o).shape().format.is_dense()) return false;
    return true;
  }

  /// Whether the result is asked to lie as the operand does.
  bool lies_like_it() const {
    const std::optional<Distribution>& of_operand = tensor_.distribution();
    return of_operand && of_operand->machine() == prepared_.result_distribution->machine() &&
           of_operand->clauses() == prepared_.result_distribution->clauses();
  }

  /// The task that has the entries of a part, and no others, on one of its processors; of those that are left.
  std::optional<std::size_t> task_of(const TensorPlacement::Part& part, const std::vector<std::size_t>& taken) const {
    const std::optional<IndexSet>& positions = part.what.positions[static_cast<std::size_t>(cut_.level)];
    if (part.what.stretches.size() > 1) return std::nullopt;
    const std::optional<Stretch> stretch =
        part.what.stretches.empty() ? std::nullopt : std::optional(part.what.stretches.front());
    const auto contains = [](const auto& all, auto one) { return std::find(all.begin(), all.end(), one) != all.end(); };
    const std::vector<Task>& tasks = prepared_.plan.tasks;
    for (std::size_t t = 0; t < tasks.size(); ++t)
      if (tasks[t].positions == positions && tasks[t].stretch == stretch && !contains(taken, t) &&
          contains(part.processors, prepared_.plan.machine.first_beside(tasks[t].processor)))
        return t;
    return std::nullopt;
  }

  /// The same, as far as the result has its levels. Positions of the result nobody has numbered: it is cut by the
  /// coordinates where they begin and end.
  Restriction within_result(const Restriction& what) const {
    Restriction out = whole_of(dimensions_of(prepared_));
    for (int k = 0; k < shared_; ++k) {
      const auto mode = static_cast<std::size_t>(tensor_.shape().format.map().mode_of(k));
      out.coordinates[mode] = what.coordinates[mode];
    }
    out.stretches = what.stretches;
    const std::optional<IndexSet>& positions = what.positions[static_cast<std::size_t>(cut_.level)];
    if (positions && !positions->empty())
      out.stretches.push_back({coordinates_of(positions->bounds().begin), coordinates_of(positions->bounds().end - 1)});
    return out;
  }

  /// Those of a position, outermost level first.
  std::vector<std::int64_t> coordinates_of(std::int64_t position) const {
    std::vector<std::int64_t> coordinates(static_cast<std::size_t>(cut_.level) + 1);
    IndexSet at = IndexSet::range(position, position + 1);
    for (int k = cut_.level; k >= 0; --k) {
      coordinates[static_cast<std::size_t>(k)] = coordinates_at(tensor_.whole(), k, at).bounds().begin;
      if (k > 0) at = parents_of(tensor_.whole(), k, at);
    }
    return coordinates;
  }

  const PreparedLaunch& prepared_;
  const launch::Launch& launch_;
  const launch::PositionCut& cut_;
  const launch::Operand& operand_;
  const DistributedTensor& tensor_;
  int shared_;
};

}  // namespace

std::optional<KeptPartition> kept_partition(const PreparedLaunch& launch) {
  if (!launch.moves_result || !launch.plan.launch.positions) return std::nullopt;
  return Keeper(launch).run();
}

}  // namespace lacuna
