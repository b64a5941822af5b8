#include "lacuna/lower/workspace/workspace.h"

#include <algorithm>

#include "lacuna/concrete/whole.h"
#include "lacuna/lower/arithmetic.h"
#include "lacuna/lower/levels/level.h"
#include "lacuna/lower/structure.h"

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

/// Whether one flag says for all entries whether they are there, and they are all structural or none is.
bool comes_whole(const concrete::Program& program, const TensorVar& workspace) {
  return structure_of(program, workspace) != Structure::Mixed && concrete::is_filled_whole(program, workspace);
}

}  // namespace

Workspace::Workspace(Context& context, const concrete::Tensor& tensor)
    : context_(context),
      tensor_(tensor),
      values_(context.fresh(tensor.var.name(), loop::array_type(tensor.type))),
      mixed_(structure_of(context.program(), tensor.var) == Structure::Mixed) {
  modes_ = context.path_of_workspace(tensor.var).modes;
  const std::vector<IndexVar> by = producing_variables(context.program(), tensor.var);
  for (const int mode : modes_) {
    const IndexVar& v = by[static_cast<std::size_t>(mode)];
    first_.push_back(context.low(v));
    extent_.push_back(minus(context.high(v), first_.back()));
  }
}

void Workspace::clear(Statements&) const {}
void Workspace::empty(Statements&) const {}
void Workspace::begin_own(Statements&) const {}
void Workspace::end_gathering(Statements&) const {}
loop::Stmt Workspace::forget(const loop::Expr&) const { return nullptr; }

void Workspace::add(const loop::Expr& key, const loop::Expr& value, const loop::Expr& mark, Statements& out) const {
  const auto first = [&](const loop::Expr& at, const loop::Expr& named_key) {
    Statements s;
    if (mark_) s.push_back(loop::store(*mark_, at, mark));
    if (list_) append(named_key, s);
    s.push_back(loop::store(values_, at, value));
    return loop::block(std::move(s));
  };
  const auto again = [&](const loop::Expr& at) {
    Statements s{stored(at, value, true)};
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
  const loop::Stmt mark = loop::store(*to.mark_, position, loop::load(*mark_, position), loop::StoreOp::Or);
  return loop::block({loop::atomic(value_added_to(to, position)), loop::atomic(mark)});
}

Computed Workspace::read(const loop::Expr& position, const loop::Expr& present) const {
  const loop::Expr value = loop::load(values_, position);
  if (!mixed_) {
    const bool always = structure_of(context_.program(), tensor_.var) == Structure::Always;
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

loop::Expr Workspace::size() const { return times(extent_.front(), stride(0)); }

/// How many keys apart neighbours on a level are.
loop::Expr Workspace::stride(int level) const {
  loop::Expr all(1);
  for (std::size_t k = static_cast<std::size_t>(level) + 1; k < extent_.size(); ++k) all = times(all, extent_[k]);
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

std::shared_ptr<Workspace> declare_workspace(Context& context, const concrete::Tensor& tensor, Statements& before,
                                             Statements& after) {
  const auto make = [&] {
    switch (tensor.format.level(0).kind) {
      case LevelKind::Dense:
        return comes_whole(context.program(), tensor.var) ? whole_workspace(context, tensor)
                                                          : dense_workspace(context, tensor);
      case LevelKind::Bitmap: return bitmap_workspace(context, tensor);
      case LevelKind::Hashed: return hashed_workspace(context, tensor);
      case LevelKind::Compressed:
      case LevelKind::Singleton: break;
    }
    throw InternalError("internal error: a workspace in " + tensor.format.to_string());
  };
  auto workspace = make();
  workspace->declare(before, after);
  return workspace;
}

}  // namespace lacuna
