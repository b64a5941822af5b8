#include "lacuna/schedule/automatic/pieces.h"

#include <algorithm>
#include <set>

#include "lacuna/concrete/walk.h"
#include "lacuna/concrete/whole.h"
#include "lacuna/notation/operators.h"
#include "lacuna/schedule/complete/pattern_values.h"
#include "lacuna/schedule/directives/loopfuse_site.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Assign;
using concrete::Forall;

constexpr std::int64_t shortest = 4;  // a shorter row is not worth a loop of its own

/// Whether every tensor that has the variable stores it densely and last, so that its values lie side by side.
bool runs_along_rows(const concrete::Program& p, const Assign& a, const IndexVar& v) {
  std::vector<Access> all = accesses(a.rhs);
  all.push_back(a.target);
  return std::all_of(all.begin(), all.end(), [&](const Access& x) {
    if (!contains(x.indices, v)) return true;
    const std::vector<IndexVar> variables = tree::level_variables(p, x);
    return std::count(variables.begin(), variables.end(), v) == 1 && variables.back() == v &&
           p.at(x.tensor).format.levels().back().full();
  });
}

/// Whether an assignment adds along rows of some length in the innermost of its loops.
bool adds_along_rows(const concrete::Program& p, const Assign& a, const std::vector<IndexVar>& loops) {
  const auto extent = loops.empty() ? p.extents.end() : p.extents.find(loops.back());
  return a.accumulate && loops.size() > 1 && extent != p.extents.end() && extent->second >= shortest &&
         runs_along_rows(p, a, loops.back());
}

/// What loops directly inside one another contain.
const concrete::Stmt& inside_loops(const concrete::Stmt& nest, std::vector<IndexVar>& loops) {
  const concrete::Stmt* s = &nest;
  while (const auto* f = std::get_if<Forall>(&(*s)->kind)) {
    loops.push_back(f->var);
    s = &f->body;
  }
  return *s;
}

/// What a perfect nest adds to the result, where its innermost loop runs along rows of some length; null elsewhere.
const Assign* addition_along_rows(const concrete::Program& p, const concrete::Stmt& nest,
                                  std::vector<IndexVar>& loops) {
  const auto* a = std::get_if<Assign>(&inside_loops(nest, loops)->kind);
  return a != nullptr && a->target.tensor == p.result().var && adds_along_rows(p, *a, loops) ? a : nullptr;
}

/// As long as half of the registers hold, and without a rest where that can be had: the other half is for operands.
std::int64_t piece_size(std::int64_t extent, std::int64_t register_bytes, Type type) {
  const std::int64_t most = std::max<std::int64_t>(shortest, register_bytes / 2 / size_of(type));
  if (extent <= most) return extent;
  const std::int64_t fewest = (extent + most - 1) / most;
  for (std::int64_t pieces = fewest; pieces <= 4 * fewest; ++pieces)
    if (extent % pieces == 0 && extent / pieces >= shortest) return extent / pieces;
  return most;
}

/// The loops of a perfect nest in their order, pieces of the innermost one as named; `at`: where those over pieces go.
RowPieces pieces_of(const concrete::Program& p, const std::vector<IndexVar>& loops, std::int64_t size, std::size_t at) {
  const std::string along = loops.back().name();
  RowPieces pieces{along, size, tree::fresh_variable(p, along + "o"), tree::fresh_variable(p, along + "i"), {}, {}, 0};
  for (std::size_t k = 0; k < loops.size(); ++k) {
    if (k == at) pieces.order.push_back(pieces.outer);
    pieces.order.push_back(k + 1 == loops.size() ? pieces.inner : loops[k].name());
  }
  return pieces;
}

/// How many rows of other tensors the coordinates that an operand stores for its last variable lead to, before they
/// lead to the same again.
std::int64_t rows_led_to(const concrete::Program& p, const ScheduleProblem& problem, const Access& x) {
  const std::int64_t extent = p.extents.at(tree::level_variables(p, x).back());
  const auto facts = problem.operands.find(p.stored_by(x.tensor).name());
  if (facts == problem.operands.end() || facts->second.reach.empty()) return extent;  // a copy
  const std::int64_t reach = facts->second.reach.back();
  return reach > 0 ? std::min(extent, reach) : extent;
}

/// Rows of dense operands that the loop outside the innermost one leads to, in no order that the processor could guess,
/// are asked for some turns ahead: where all of them take more than `cached` bytes, and those that it leads to from one
/// turn of the loops outside to the next more than `near`.
void ask_ahead(RowPieces& pieces, const concrete::Program& p, const ScheduleProblem& problem,
               const std::vector<Access>& read, const std::vector<IndexVar>& loops, std::int64_t cached,
               std::int64_t near) {
  // As early as the nearest caches, which have 32 KiB at least, keep it until its turn. Later, memory has not answered
  // by then: with a quarter of these bytes, SpMM took up to 1.6 times as long.
  constexpr std::int64_t in_flight = 16384, fewest = 4, most = 64;  // bytes, turns
  const IndexVar& leading = loops[loops.size() - 2];
  if (p.provenance.is_derived(leading)) return;  // a loop over a block: no operand leads it
  int walked = 0;
  std::int64_t row = 0, rows = p.extents.at(leading);
  for (const Access& x : read) {
    const concrete::Tensor& t = p.at(x.tensor);
    const std::vector<IndexVar> variables = tree::level_variables(p, x);
    const bool in_rows = t.role != concrete::Role::Workspace || (t.format.is_dense() && x.indices.size() == 2 &&
                                                                 concrete::piece_of_mode(p, x.tensor, 0) == nullptr);
    if (t.role == concrete::Role::Scalar || !in_rows || !contains(variables, leading)) continue;
    if (t.format.is_dense()) {
      if (variables.size() != 2 || !(variables[0] == leading)) return;
      row += p.extents.at(variables[1]) * size_of(t.type);
      continue;
    }
    const bool last = variables.back() == leading && t.format.levels().back().packed() &&
                      t.format.levels().back().unique && t.format.levels().back().ordered;
    walked += last && std::equal(variables.begin(), variables.end(), loops.begin(), loops.end() - 1) ? 1 : 2;
    rows = rows_led_to(p, problem, x);
  }
  if (walked != 1 || row * p.extents.at(leading) <= cached || row * rows <= near) return;
  pieces.led_by = leading.name();
  pieces.ahead = static_cast<int>(std::clamp(in_flight / row, fewest, most));
}

/// Pieces of the row that an addition runs along, over which the loops right outside sum. `outermost`: whether the
/// loops may begin with those that sum. Half of the registers hold a piece.
std::optional<RowPieces> pieces_to_sum(const concrete::Program& p, const ScheduleProblem& problem, const Assign& a,
                                       const std::vector<IndexVar>& loops, bool outermost) {
  if (!contains(a.target.indices, loops.back())) return std::nullopt;
  std::size_t sums = loops.size() - 1;  // where the loops that sum begin
  while (sums > 0 && !contains(a.target.indices, loops[sums - 1])) --sums;
  if ((sums == 0 && !outermost) || sums + 1 == loops.size()) return std::nullopt;
  const std::int64_t extent = p.extents.at(loops.back());
  RowPieces pieces = pieces_of(p, loops, piece_size(extent, problem.vector_bytes, p.at(a.target.tensor).type), sums);
  // Additions to registers are so many at once that asking for short rows takes longer than waiting for them. Of rows
  // that are near each other, there is a new one in each turn of the loops outside.
  constexpr std::int64_t cached = std::int64_t{1} << 23, near = std::int64_t{1} << 17, long_row = 128;  // bytes
  if (pieces.size == extent && extent * size_of(p.at(a.target.tensor).type) >= long_row)
    ask_ahead(pieces, p, problem, accesses(a.rhs), loops, cached, near);
  return pieces;
}

/// How to sum a row of some length in lanes: an addition in the innermost of its loops, which does not run along the
/// target. `read`: all that is read in the loop outside it.
std::optional<RowPieces> lanes_of(const concrete::Program& p, const ScheduleProblem& problem, const Assign& a,
                                  const std::vector<Access>& read, const std::vector<IndexVar>& loops) {
  if (contains(a.target.indices, loops.back()) || !is_float(p.compute) || p.provenance.is_derived(loops.back()))
    return std::nullopt;
  const std::int64_t extent = p.extents.at(loops.back());
  if (extent > piece_size(extent, problem.vector_bytes, p.compute)) return std::nullopt;
  RowPieces pieces = pieces_of(p, loops, extent, loops.size() - 1);
  constexpr std::int64_t cached = std::int64_t{1} << 20;  // bytes
  ask_ahead(pieces, p, problem, read, loops, cached, cached);
  return pieces;
}

/// Whether loops over a variable step from one iteration to the next wherever they are, so that pieces of them can be
/// unrolled: over coordinates, or over the entries of one operand that are stored once each.
bool is_stepped_everywhere(const concrete::Program& p, const std::string& variable) {
  bool all = true;
  concrete::each_assign(p.root, [&](const Assign& a) {
    int walked = 0;
    for (const Access& x : accesses(a.rhs)) {
      const std::vector<IndexVar> variables = tree::level_variables(p, x);
      for (std::size_t k = 0; k < variables.size(); ++k) {
        const LevelFormat& level = p.at(x.tensor).format.level(static_cast<int>(k));
        if (variables[k].name() != variable || level.full()) continue;
        ++walked;
        all = all && level.packed() && level.unique;
      }
    }
    all = all && walked <= 1;
  });
  return all;
}

}  // namespace

std::optional<RowPieces> row_pieces(const Scheduled& bare, const ScheduleProblem& problem) {
  std::vector<IndexVar> loops;
  const Assign* a = addition_along_rows(bare.program, bare.program.root, loops);
  return a == nullptr ? std::nullopt : pieces_to_sum(bare.program, problem, *a, loops, false);
}

std::vector<RowPieces> row_pieces_of_terms(const Scheduled& bare, const ScheduleProblem& problem) {
  std::vector<IndexVar> shared;
  const auto* terms = std::get_if<concrete::Sequence>(&inside_loops(bare.program.root, shared)->kind);
  std::vector<RowPieces> all;
  if (terms == nullptr || shared.empty()) return all;
  for (const concrete::Stmt& term : terms->statements) {
    std::vector<IndexVar> loops;
    const Assign* a = addition_along_rows(bare.program, term, loops);
    if (a == nullptr || !is_stepped_everywhere(bare.program, loops.back().name())) continue;
    if (auto pieces = pieces_to_sum(bare.program, problem, *a, loops, true)) all.push_back(std::move(*pieces));
  }
  return all;
}

std::vector<RowPieces> row_pieces_of_branches(const Scheduled& branched, const ScheduleProblem& problem) {
  concrete::Program p = branched.program;
  give_patterns(p);  // which say what loops walk
  std::vector<RowPieces> all;
  for (const loopfuse::Site& site : loopfuse::sites_of(p.root)) {
    std::vector<IndexVar> loops;
    for (std::size_t k = site.boundary; k < site.loops.size(); ++k) loops.push_back(site.loops[k]->var);
    if (!adds_along_rows(p, site.assign(), loops)) continue;
    if (auto pieces = pieces_to_sum(p, problem, site.assign(), loops, true)) all.push_back(std::move(*pieces));
  }
  return all;
}

std::optional<RowPieces> row_pieces_around(const Scheduled& before, const ScheduleProblem& problem,
                                           const directive::LoopFuse& split) {
  const concrete::Program& p = before.program;
  const loopfuse::Place place = loopfuse::follow(p.root, split.path);
  const loopfuse::Site& site = place.sites[0];
  std::vector<IndexVar> loops;
  for (std::size_t k = site.boundary; k < site.loops.size(); ++k) loops.push_back(site.loops[k]->var);
  const Assign& a = site.assign();
  const auto shared = static_cast<std::size_t>(*split.shared_loops);
  const std::vector<IndexVar> variables = tree::level_variables(p, a.target);
  const auto along = variables.empty() ? loops.end() : std::find(loops.begin(), loops.end(), variables.back());
  if (static_cast<std::size_t>(along - loops.begin()) < shared || along == loops.end()) return std::nullopt;
  // The producer has no use for pieces of a row of its own. Variables that loopfuse made are others in each nest, with
  // the same names.
  for (const Expr& operand : split.operands)
    for (const IndexVar& v : free_variables(operand))
      if (v.name() == along->name()) return std::nullopt;
  std::rotate(along, along + 1, loops.end());
  if (!adds_along_rows(p, a, loops) || !contains(a.target.indices, loops.back())) return std::nullopt;
  std::size_t sums = shared;  // where the shared loops that sum begin
  while (sums > 0 && !contains(a.target.indices, loops[sums - 1])) --sums;
  const std::int64_t extent = p.extents.at(loops.back());
  if (sums == shared || extent > piece_size(extent, problem.vector_bytes, p.at(a.target.tensor).type))
    return std::nullopt;
  return pieces_of(p, loops, extent, sums);
}

std::optional<RowPieces> short_sums(const Scheduled& bare, const ScheduleProblem& problem) {
  const concrete::Program& p = bare.program;
  std::vector<IndexVar> loops;
  const Assign* a = addition_along_rows(p, p.root, loops);
  return a == nullptr ? std::nullopt : lanes_of(p, problem, *a, accesses(a->rhs), loops);
}

std::vector<RowPieces> short_sums_of_branches(const Scheduled& branched, const ScheduleProblem& problem) {
  const concrete::Program& p = branched.program;
  std::vector<RowPieces> all;
  for (const loopfuse::Site& site : loopfuse::sites_of(p.root)) {
    std::vector<IndexVar> loops;
    for (const Forall* f : site.loops)
      if (!p.provenance.is_derived(f->var)) loops.push_back(f->var);
    if (!adds_along_rows(p, site.assign(), loops) || !(site.loops.back()->var == loops.back())) continue;
    std::vector<Access> read;
    if (site.loops.size() > 1) {
      concrete::each_assign(site.loops[site.loops.size() - 2]->body, [&](const Assign& a) {
        for (const Access& x : accesses(a.rhs)) read.push_back(x);
      });
    }
    if (auto pieces = lanes_of(p, problem, site.assign(), read, loops)) all.push_back(std::move(*pieces));
  }
  return all;
}

std::vector<DirectiveKind> in_registers(const RowPieces& pieces) {
  return {directive::Split{pieces.variable, pieces.outer, pieces.inner, pieces.size}, directive::Reorder{pieces.order},
          directive::Unroll{pieces.inner, static_cast<int>(pieces.size)}};
}

std::vector<DirectiveKind> in_registers(const std::vector<RowPieces>& terms) {
  std::vector<DirectiveKind> splits, reorders, unrolls;
  std::set<std::string> cut;
  for (const RowPieces& pieces : terms) {
    std::vector<DirectiveKind> each = in_registers(pieces);
    reorders.push_back(std::move(each[1]));
    if (!cut.insert(pieces.variable).second) continue;
    splits.push_back(std::move(each[0]));
    unrolls.push_back(std::move(each[2]));
  }
  splits.insert(splits.end(), reorders.begin(), reorders.end());
  splits.insert(splits.end(), unrolls.begin(), unrolls.end());
  return splits;
}

std::vector<DirectiveKind> in_lanes(const RowPieces& pieces) {
  return {directive::Split{pieces.variable, pieces.outer, pieces.inner, pieces.size},
          directive::Parallelize{pieces.inner, concrete::Unit::CpuVector, concrete::Race::NoRaces}};
}

}  // namespace lacuna
