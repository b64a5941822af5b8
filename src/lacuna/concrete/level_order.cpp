#include "lacuna/concrete/level_order.h"

#include <algorithm>

#include "lacuna/notation/operators.h"

namespace lacuna::concrete {
namespace {

/// The loops around the first access that reads a workspace, as code generation comes to them.
bool find_reading(const Stmt& s, const TensorVar& workspace, std::vector<IndexVar>& loops, Access& reading) {
  return match(
      s,
      [&](const Forall& f) {
        loops.push_back(f.var);
        if (find_reading(f.body, workspace, loops, reading)) return true;
        loops.pop_back();
        return false;
      },
      [&](const Where& w) {
        return find_reading(w.consumer, workspace, loops, reading) ||
               find_reading(w.producer, workspace, loops, reading);
      },
      [&](const Assign& a) {
        for (const Access& x : accesses(a.rhs)) {
          if (!(x.tensor == workspace)) continue;
          reading = x;
          return true;
        }
        return false;
      },
      [&](const Sequence& q) {
        return std::any_of(q.statements.begin(), q.statements.end(),
                           [&](const Stmt& x) { return find_reading(x, workspace, loops, reading); });
      });
}

}  // namespace

std::vector<int> modes_by_level(const Program& program, const Access& access, const std::vector<IndexVar>& loops) {
  const Tensor& t = program.at(access.tensor);
  if (t.role != Role::Workspace) return t.format.map().modes();
  std::vector<int> modes;
  for (std::size_t n = 1; n <= loops.size(); ++n) {
    const std::vector<IndexVar> outside(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(n));
    for (int m = 0; m < t.format.order(); ++m)
      if (std::find(modes.begin(), modes.end(), m) == modes.end() &&
          program.provenance.is_known(access.indices[static_cast<std::size_t>(m)], outside))
        modes.push_back(m);
  }
  return modes;
}

std::vector<IndexVar> level_variables(const Program& program, const Access& access) {
  std::vector<IndexVar> loops;
  Access read = access;
  if (program.at(access.tensor).role == Role::Workspace) find_reading(program.root, access.tensor, loops, read);
  std::vector<IndexVar> variables;
  for (const int m : modes_by_level(program, read, loops))
    variables.push_back(access.indices[static_cast<std::size_t>(m)]);
  return variables;
}

std::pair<int, int> counted_levels(const Program& program, const Position& position) {
  const std::vector<IndexVar> variables = level_variables(program, position.access);
  const std::vector<IndexVar> counted = program.provenance.underived(position.parent);
  const auto first = std::find(variables.begin(), variables.end(), counted.front()) - variables.begin();
  return {static_cast<int>(first), static_cast<int>(first + std::ssize(counted)) - 1};
}

}  // namespace lacuna::concrete
