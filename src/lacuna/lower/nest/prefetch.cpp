#include "lacuna/lower/nest/prefetch.h"

#include <algorithm>

#include "lacuna/concrete/refusal.h"
#include "lacuna/concrete/structure.h"
#include "lacuna/concrete/whole.h"
#include "lacuna/lower/levels/windows.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

constexpr std::int64_t line_bytes = 64;

/// Whether a workspace is dense and has all rows, one after the other.
bool is_stored_by_rows(const Context& context, const Path& path) {
  const concrete::Program& program = context.program();
  return path.variables.size() == 2 && program.at(path.tensor).format.is_dense() &&
         path.modes == context.paths().first_of(path.tensor).modes &&
         concrete::piece_of_mode(program, path.tensor, path.modes[0]) == nullptr;
}

/// Whether the next level of the path is located by the variable, and nothing under it is looked up in memory.
bool is_led_to(const Context& context, const Path& path, const PathState& state, const IndexVar& v) {
  const concrete::Tensor& t = context.program().at(path.tensor);
  const Format& format = t.format;
  if (t.role == concrete::Role::Workspace && !is_stored_by_rows(context, path)) return false;
  if (state.level == format.order() || !(path.variables[static_cast<std::size_t>(state.level)] == v)) return false;
  for (int k = state.level; k < format.order(); ++k)
    if (!format.level(k).full()) return false;
  return loop::is_true(state.at.present) && !state.at.is_range();
}

/// How many elements there are under one position of the level.
loop::Expr block_size(Context& context, const Path& path, int level) {
  loop::Expr size(1);
  for (int k = level + 1; k < static_cast<int>(path.variables.size()); ++k)
    size = size * loop::Expr(context.extent(path.tensor, k));
  return size;
}

/// The elements under one position of the level: from `first` on, `count` of them. Of a row whose loop runs through a
/// piece, only that.
Window row_of(Context& context, const Path& path, int level, const Scope& scope) {
  const int order = static_cast<int>(path.variables.size());
  if (level + 2 == order) {
    const IndexVar& along = path.variables.back();
    if (scope.tile && scope.tile->along == along) return {scope.tile->first, scope.tile->count};
    if (const auto window = Windows(context, scope).of(along)) return {window->low, window->high - window->low};
    if (scope.workspaces.count(path.tensor) > 0) return {context.low(along), context.high(along) - context.low(along)};
  }
  return {loop::Expr(0), block_size(context, path, level)};
}

/// Asks for `count` values from `first` on, a cache line at a time.
void prefetch_values(Context& context, const Path& path, const loop::Var& values, const loop::Expr& first,
                     const loop::Expr& count, Statements& out) {
  const loop::Var begin = context.named(path.tensor.name() + "_ahead", first, out), e = context.fresh_index("e");
  const std::int64_t width = size_of(values.type().scalar);
  out.push_back(loop::for_loop(e, loop::Expr(0), count, loop::prefetch(values, loop::Expr(begin) + loop::Expr(e)),
                               {.step = std::max<std::int64_t>(1, line_bytes / width)}));
}

/// Asks for the row of a workspace that a coordinate of the loop's variable leads to.
void prefetch_row(Context& context, const Path& path, const IndexVar& v, const loop::Var& next, const Scope& scope,
                  Statements& out) {
  const Workspace& workspace = *scope.workspaces.at(path.tensor);
  const Window row = row_of(context, path, 0, scope);
  Scope ahead = scope;
  ahead.coordinate[v] = next;
  ahead.coordinate[path.variables.back()] = row.low;
  prefetch_values(context, path, workspace.values(), workspace.key_of(path, ahead), row.high, out);
}

}  // namespace

void refuse_to_prefetch(const concrete::Forall& f) {
  refuse("prefetch",
         "the loop over {} does not run through what one operand stores, so where it goes is not known ahead; "
         "leave this directive out",
         f.var.name());
}

void prefetch_ahead(Context& context, const concrete::Forall& f, const LevelAt& at, const loop::Var& position,
                    const Scope& scope, Statements& out) {
  std::vector<std::size_t> led_to;
  for (std::size_t p = 0; at.workspace == nullptr && p < scope.paths.size(); ++p)
    if (is_led_to(context, context.paths()[p], scope.paths[p], f.var) && context.paths().is_read(p, f.body))
      led_to.push_back(p);
  if (led_to.empty())
    refuse("prefetch",
           "the coordinates of {} lead to nothing that is stored densely; prefetch in a loop that dense operands have "
           "as the first of their variables that is not known yet",
           f.var.name());
  const TensorVar& walked = at.path.tensor;
  loop::Expr last = loop::Expr(context.scalar(walked, at.level, DescriptorField::Positions)) - loop::Expr(1);
  if (context.program().at(walked).piece)
    last = last + loop::Expr(context.scalar(walked, at.level, DescriptorField::CrdBase));
  const loop::Expr there = loop::min(loop::Expr(position) + loop::Expr(f.how.prefetch), last);
  const loop::Expr coordinate = context.element(walked, at.level, DescriptorField::Crd, there);
  const loop::Var next = context.named(f.var.name() + "_ahead", coordinate, out);
  for (const std::size_t p : led_to) {
    const Path& path = context.paths()[p];
    const PathState& state = scope.paths[p];
    const concrete::Tensor& t = context.program().at(path.tensor);
    if (t.role == concrete::Role::Workspace) {
      prefetch_row(context, path, f.var, next, scope, out);
      continue;
    }
    const loop::Var values = context.array(path.tensor, 0, DescriptorField::Values);
    const LevelAt level{path, state.level, t.format.level(state.level)};
    const loop::Expr entry = dense_level().locate(context, level, state.at, next, out).pos;
    if (state.level + 1 == t.format.order()) {
      out.push_back(loop::prefetch(values, entry));
      continue;
    }
    const Window row = row_of(context, path, state.level, scope);
    const loop::Expr first = entry * block_size(context, path, state.level) + row.low;
    prefetch_values(context, path, values, first, row.high, out);
  }
}

}  // namespace lacuna
