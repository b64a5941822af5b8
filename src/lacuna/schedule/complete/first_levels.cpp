#include "lacuna/schedule/complete/first_levels.h"

#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/schema/copied_layout.h"
#include "lacuna/format/dynamic.h"

namespace lacuna {
namespace {

bool shares_coordinates(const LevelFormat& l) {
  return l.is_dynamic() || (l.ordered && (l.full() || l.packed() || l.branchless()));
}

/// Whether every position above a level has a child there.
bool reaches_children(const OperandFacts& operand, int level) {
  const LevelFormat& l = operand.format.level(level);
  const auto k = static_cast<std::size_t>(level);
  if (l.packed() || l.is_dynamic()) return k < operand.nonempty.size() && operand.nonempty[k];
  return l.full() || l.branchless();
}

/// Whether nodes of the operand's level can be copied with what the elements of the result hold.
bool can_copy_nodes(const OperandFacts& operand, const ScheduleProblem& problem, int level) {
  // The elements hold where the entries of array levels begin, as those of the operand do.
  if (problem.result_format.order() > level + 1) return operand.format.order() > level + 1;
  const schema::NodeSchema& nodes = operand.format.level(level).definition->nodes;
  const Type coordinate = operand.widths[static_cast<std::size_t>(level)].crd;
  return schema::has_like_segments(
      {nodes, schema::element_types(operand.format, level, coordinate, operand.type)},
      {nodes, schema::element_types(problem.result_format, level, coordinate, problem.result_type)});
}

}  // namespace

bool begins_alike(const OperandFacts& operand, const ScheduleProblem& problem, int levels) {
  const Format& result = problem.result_format;
  if (operand.format.order() < levels || levels == 0) return false;
  for (int k = 0; k < levels; ++k)
    if (!(operand.format.level(k) == result.level(k)) || !shares_coordinates(operand.format.level(k))) return false;
  if (result.level(levels - 1).is_dynamic() && !can_copy_nodes(operand, problem, levels - 1)) return false;
  if (operand.format.order() == levels) return true;
  if (!result.level(levels - 1).unique) return false;  // of what is stored twice, one place is too little
  for (int k = levels; k < operand.format.order(); ++k)
    if (!reaches_children(operand, k)) return false;
  return true;
}

}  // namespace lacuna
