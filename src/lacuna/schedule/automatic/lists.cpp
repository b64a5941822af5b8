#include "lacuna/schedule/automatic/lists.h"

#include <algorithm>
#include <optional>

#include "lacuna/concrete/sparsity.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/schema/properties.h"

namespace lacuna {
namespace {

using concrete::Formula;
using concrete::Program;

/// An access that leads the loop over a variable through nodes.
struct NodeWalk {
  Access access;
  const LevelFormat* level;
};

/// The first level of an access that a variable belongs to; null where there is none.
const LevelFormat* level_at(const Program& p, const Access& x, const IndexVar& v) {
  const Format& f = p.at(x.tensor).format;
  for (int k = 0; k < f.order(); ++k)
    if (x.indices[static_cast<std::size_t>(f.map().mode_of(k))] == v) return &f.level(k);
  return nullptr;
}

bool is_list(const LevelFormat& level) {
  return schema::recursion_of(level.definition->nodes) == schema::Recursion::OneChild;
}

/// Whether a node holds enough elements that it does not matter who finds it.
bool has_large_nodes(const LevelFormat& level) {
  constexpr std::int64_t large = 8;
  const std::vector<schema::NodeType>& nodes = level.definition->nodes.nodes;
  return std::any_of(nodes.begin(), nodes.end(), [](const schema::NodeType& node) {
    const auto most = schema::elements_of(node).most;
    return !most || *most >= large;
  });
}

bool has_loops(const concrete::Stmt& s) {
  return concrete::match(
      s, [](const concrete::Forall&) { return true; },
      [](const concrete::Where& w) { return has_loops(w.producer) || has_loops(w.consumer); },
      [](const concrete::Assign&) { return false; },
      [](const concrete::Sequence& q) { return std::any_of(q.statements.begin(), q.statements.end(), has_loops); });
}

/// Whether a result is put together in the order of the loop's iterations.
bool puts_together(const Program& p, const concrete::Forall& loop) {
  const auto& results = p.results();
  return std::any_of(results.begin(), results.end(), [&](const concrete::Tensor& r) {
    const bool in_place = r.assembly == concrete::Assembly::Random || r.assembly == concrete::Assembly::SharedPattern;
    return !in_place && concrete::assigns(loop.body, r.var);
  });
}

}  // namespace

bool is_best_walked_by_one(const Program& program, const concrete::Forall& loop) {
  std::optional<NodeWalk> walk;
  bool alone = true;
  concrete::each_assign(loop.body, [&](const concrete::Assign& a) {
    for (const Access& x : accesses(a.rhs)) {
      const LevelFormat* level = level_at(program, x, loop.var);
      if (level == nullptr || (level->locates() && !level->is_dynamic())) continue;
      if (walk && x.tensor == walk->access.tensor && x.indices == walk->access.indices) continue;
      alone = alone && !walk;
      if (level->is_dynamic()) walk = NodeWalk{x, level};
    }
    const auto of_access = [&](const Access& x) {
      return walk && x.tensor == walk->access.tensor ? Formula::atom(0) : Formula::always();
    };
    const auto read = accesses(a.rhs);
    if (std::any_of(read.begin(), read.end(), [&](const Access& x) { return walk && x.tensor == walk->access.tensor; }))
      alone = alone && concrete::presence(a.rhs, of_access) == Formula::atom(0);
  });
  if (!walk || (walk->level->ordered && !is_list(*walk->level))) return false;
  if (!alone || puts_together(program, loop)) return true;
  return is_list(*walk->level) && !has_large_nodes(*walk->level) && !has_loops(loop.body);
}

}  // namespace lacuna
