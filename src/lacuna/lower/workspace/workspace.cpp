#include "lacuna/lower/workspace/workspace.h"

#include <algorithm>

#include "lacuna/concrete/structure.h"
#include "lacuna/concrete/whole.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/lower/levels/level.h"
#include "lacuna/lower/levels/windows.h"

namespace lacuna {
namespace {

/// The variables that the producer adds by.
std::vector<IndexVar> producing_variables(const concrete::Program& program, const TensorVar& workspace) {
  std::vector<IndexVar> variables;
  each_assign(program.root, [&](const concrete::Assign& a) {
    if (a.target.tensor == workspace) variables = a.target.indices;
  });
  return variables;
}

/// Of a dense workspace: on how many of its first levels marks are, which say for all that is under them whether it is
/// there; none where each entry needs its own, or says itself whether it is structural.
std::optional<int> marked_levels(const concrete::Program& program, const TensorVar& workspace,
                                 const std::vector<int>& modes) {
  if (concrete::structure_of(program, workspace) == concrete::Structure::Mixed) return std::nullopt;
  const std::vector<bool> whole = concrete::whole_modes(program, workspace);
  const auto is_whole = [&](int mode) { return static_cast<bool>(whole[static_cast<std::size_t>(mode)]); };
  int levels = static_cast<int>(modes.size());
  while (levels > 0 && is_whole(modes[static_cast<std::size_t>(levels) - 1])) --levels;
  if (levels == static_cast<int>(modes.size())) return std::nullopt;
  return levels;
}

}  // namespace

Workspace::Workspace(Context& context, const concrete::Tensor& tensor)
    : context_(context),
      tensor_(tensor),
      values_(context.fresh(tensor.var.name(), loop::array_type(tensor.type))),
      mixed_(concrete::structure_of(context.program(), tensor.var) == concrete::Structure::Mixed) {
  modes_ = context.paths().first_of(tensor.var).modes;
  const std::vector<IndexVar> by = producing_variables(context.program(), tensor.var);
  for (const int mode : modes_) {
    const IndexVar& v = by[static_cast<std::size_t>(mode)];
    const concrete::Split* piece = concrete::piece_of_mode(context.program(), tensor.var, mode);
    pieces_.push_back(piece ? std::optional(v) : std::nullopt);
    first_.push_back(context.low(v));
    extent_.push_back(piece ? Windows(context, Scope()).extent(piece->inner) : minus(context.high(v), first_.back()));
  }
}

void Workspace::begin_at(Scope& scope, Statements& out) {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (!pieces_[k]) continue;
    const IndexVar& v = *pieces_[k];
    if (scope.first.count(v) == 0) {
      const loop::Var first = context_.fresh_index(v.name() + "_first");
      out.push_back(loop::declare(first, Windows(context_, scope).of(v)->low));
      scope.first.emplace(v, first);
    }
    first_[k] = scope.first.at(v);
  }
}

std::optional<std::vector<int>> Workspace::marked_modes() const { return std::nullopt; }

loop::Expr Workspace::stride_of(int mode) const {
  return stride(static_cast<int>(std::find(modes_.begin(), modes_.end(), mode) - modes_.begin()));
}

void Workspace::clear(Statements&) const {}
void Workspace::empty(Statements&) const {}
void Workspace::begin_own(Statements&) const {}
void Workspace::end_gathering(Statements&) const {}
std::optional<loop::OwnSum> Workspace::as_sum(const Workspace&) const { return std::nullopt; }
loop::Stmt Workspace::forget(const loop::Expr&) const { return nullptr; }
loop::Stmt Workspace::announced(const Access&, const Scope&) const { return nullptr; }
loop::Expr Workspace::is_there(const Access&, const Scope&) const { return loop::Expr(true); }
loop::Expr Workspace::present_at(const Path&, int, const Scope&, Statements&) const { return loop::Expr(true); }

void Workspace::add(const loop::Expr& key, const loop::Expr& value, const loop::Expr& mark, Statements& out) const {
  const auto first = [&](const loop::Expr& at, const loop::Expr& named_key) {
    Statements s;
    if (mark_) s.push_back(loop::store(*mark_, at, mark));
    if (list_) append(named_key, s);
    s.push_back(loop::store(values_, at, value));
    return loop::block(std::move(s));
  };
  const auto again = [&](const loop::Expr& at) {
    Statements s{stored(at, value, adds())};
    if (mixed_) s.push_back(loop::store(*mark_, at, mark, loop::StoreOp::Or));
    return loop::block(std::move(s));
  };
  place(key, first, again, out);
}

loop::Stmt Workspace::stored(const loop::Expr& key, const loop::Expr& value, bool adds) const {
  return loop::store(values_, key, value, adds ? loop::StoreOp::Add : loop::StoreOp::Set);
}

/// Threads add to what is there, and cannot tell who comes first to an entry.
void Workspace::begin_gathering(Statements& out) const { zero(out); }

void Workspace::zero(Statements& out) const {
  out.push_back(loop::fill(values_, loop::Expr(0), size(), loop::Expr(Scalar::zero(tensor_.type))));
}

loop::Stmt Workspace::value_added_to(const Workspace& to, const loop::Expr& position) const {
  return loop::store(to.values_, position, loop::load(values_, position), loop::StoreOp::Add);
}

loop::Expr Workspace::named(const loop::Expr& key, Statements& out) const {
  if (order() == 1) return key;
  const loop::Var at = context_.fresh_index("p" + name());
  out.push_back(loop::declare(at, key));
  return at;
}

loop::Stmt Workspace::added_to(const Workspace& to, const loop::Expr& position) const {
  return loop::block({loop::atomic(value_added_to(to, position)), loop::atomic(mark_added_to(to, position))});
}

loop::Stmt Workspace::mark_added_to(const Workspace& to, const loop::Expr& position) const {
  return loop::store(*to.mark_, position, loop::load(*mark_, position), loop::StoreOp::Or);
}

Computed Workspace::read(const loop::Expr& position, const loop::Expr& present) const {
  const loop::Expr value = loop::load(values_, position);
  if (!mixed_) {
    const bool always = concrete::structure_of(context_.program(), tensor_.var) == concrete::Structure::Always;
    return {value, present, loop::Expr(always)};
  }
  return {value, present, loop::ne(loop::bit_and(loop::load(*mark_, position), byte(2)), byte(0))};
}

loop::Expr Workspace::mark_of(const loop::Expr& structural) const {
  return mixed_ ? loop::select(structural, byte(3), byte(1)) : byte(1);
}

Type Workspace::key_type() const { return order() == 1 ? tensor_.widths.front().crd : Type::Int64; }

void Workspace::declare_list(const loop::Expr& entries, Statements& before) {
  list_ = context_.fresh(name() + "_list", loop::array_type(key_type()));
  before.push_back(loop::declare_array(*list_));
  before.push_back(loop::allocate(*list_, entries, false));
  count_ = context_.fresh_index(name() + "_count");
}

void Workspace::append(const loop::Expr& key, Statements& out) const {
  out.push_back(loop::store(*list_, *count_, loop::convert(key, key_type())));
  out.push_back(loop::increment(*count_));
}

void Workspace::sort(Statements& out) const { out.push_back(loop::sort(*list_, loop::Expr(0), *count_)); }

loop::Expr Workspace::size() const { return count_of(0, order()); }

loop::Expr Workspace::count_of(int first, int past) const {
  loop::Expr all(1);
  for (int k = first; k < past; ++k) all = times(all, extent_[static_cast<std::size_t>(k)]);
  return all;
}

loop::Expr Workspace::offset(int level, const loop::Expr& coordinate) const {
  return minus(coordinate, first_[static_cast<std::size_t>(level)]);
}

loop::Expr Workspace::coordinate(int level, const loop::Expr& n) const {
  loop::Expr at = loop::convert(loop::load(*list_, n), Type::Int64);
  if (level + 1 < order()) at = at / stride(level);
  if (level > 0) at = at % extent_[static_cast<std::size_t>(level)];
  return plus(at, first_[static_cast<std::size_t>(level)]);
}

loop::Expr Workspace::key(const std::vector<IndexVar>& levels, const Scope& scope) const {
  loop::Expr at(0);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const loop::Expr here = offset(static_cast<int>(k), scope.coordinate.at(levels[k]));
    at = k == 0 ? here : at * extent_[k] + here;
  }
  return at;
}

loop::Expr Workspace::key_of(const Access& access, const Scope& scope) const {
  std::vector<IndexVar> levels;
  for (const int mode : modes_) levels.push_back(access.indices[static_cast<std::size_t>(mode)]);
  return key(levels, scope);
}

loop::Expr Workspace::key_of(const Path& path, const Scope& scope) const {
  std::vector<IndexVar> levels;
  for (const int mode : modes_) {
    const auto level = std::find(path.modes.begin(), path.modes.end(), mode) - path.modes.begin();
    levels.push_back(path.variables[static_cast<std::size_t>(level)]);
  }
  return key(levels, scope);
}

loop::Expr Workspace::lower_bound(const LevelAt& at, const loop::Expr& low, const loop::Expr& high,
                                  const loop::Expr& coordinate, const Scope& scope, bool near) const {
  const std::vector<IndexVar> above(at.path.variables.begin(), at.path.variables.begin() + at.level);
  loop::Expr wanted = offset(at.level, coordinate);
  if (at.level > 0) wanted = key(above, scope) * extent_[static_cast<std::size_t>(at.level)] + wanted;
  const auto find = near ? loop::lower_bound_near : loop::lower_bound;
  return find(*list_, low, high, loop::convert(times(wanted, stride(at.level)), key_type()));
}

namespace {

std::shared_ptr<Workspace> dense_or_whole(Context& context, const concrete::Tensor& tensor) {
  const auto levels = marked_levels(context.program(), tensor.var, context.paths().first_of(tensor.var).modes);
  if (!levels) return dense_workspace(context, tensor);
  return *levels == 0 ? whole_workspace(context, tensor) : rows_workspace(context, tensor, *levels);
}

}  // namespace

std::shared_ptr<Workspace> declare_workspace(Context& context, const concrete::Tensor& tensor, Statements& before,
                                             Statements& after) {
  const auto make = [&] {
    switch (tensor.format.level(0).kind) {
      case LevelKind::Dense: return dense_or_whole(context, tensor);
      case LevelKind::Bitmap: return bitmap_workspace(context, tensor);
      case LevelKind::Hashed: return hashed_workspace(context, tensor);
      case LevelKind::Compressed:
      case LevelKind::Dynamic:
      case LevelKind::Singleton: break;
    }
    throw InternalError("internal error: a workspace in " + tensor.format.to_string());
  };
  auto workspace = make();
  workspace->declare(before, after);
  return workspace;
}

}  // namespace lacuna
