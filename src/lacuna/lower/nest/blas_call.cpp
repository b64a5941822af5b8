#include "lacuna/lower/nest/blas_call.h"

#include <algorithm>

#include "lacuna/concrete/blas_call.h"
#include "lacuna/concrete/structure.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/lower/levels/level.h"
#include "lacuna/lower/levels/windows.h"
#include "lacuna/lower/nest/presence.h"
#include "lacuna/lower/workspace/workspace.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using concrete::BlasCall;
using concrete::Leaf;

/// The variables of one role.
using LoopRole = std::vector<IndexVar>;

/// A part of an array along the loops: where it begins, and how far apart neighbours along each of them are.
struct Part {
  loop::Var values;
  loop::Expr first;
  std::map<IndexVar, loop::Expr> stride;
  loop::Stmt stored = nullptr;  // says that something was stored
  bool is_clear = false;        // it was filled with zeros
};

loop::Routine routine_of(Leaf leaf) {
  switch (leaf) {
    case Leaf::Gemm: return loop::Routine::Gemm;
    case Leaf::Gemv: return loop::Routine::Gemv;
    case Leaf::Ger: return loop::Routine::Ger;
    case Leaf::Axpy: return loop::Routine::Axpy;
    case Leaf::Dot:
    case Leaf::None: break;
  }
  throw InternalError("internal error: no call that changes an array");
}

class CallLowerer {
 public:
  CallLowerer(Context& context, const Results& results, const BlasCall& call, const Scope& scope, Statements& out)
      : context_(context), results_(results), scope_(scope), at_first_(scope), out_(out), call_(call) {
    for (const LoopRole* role : {&call_.rows, &call_.inner, &call_.columns})
      for (const IndexVar& v : *role) find_run(v);
    if (call_.scalar) scalar_ = evaluate(context_, *call_.scalar, scope_, out_);
  }

  void change_target() {
    const Part left = part_of(call_.left);
    const std::optional<Part> right = call_.right ? std::optional(part_of(*call_.right)) : std::nullopt;
    const Part target = part_of_target();
    Statements inside;
    clear_missing(call_.left, left, call_.inner, inside);
    if (right) clear_missing(*call_.right, *right, call_.inner, inside);
    inside.push_back(loop::matrix_product(product(target, left, right)));
    clear_missing(call_.left, target, call_.columns, inside);
    if (right) clear_missing(*call_.right, target, call_.rows, inside);
    if (target.stored) inside.push_back(target.stored);
    announce(inside);
    Statements otherwise;
    if (!call_.adds && !target.is_clear) clear(target, call_.rows, call_.columns, otherwise);
    out_.push_back(loop::if_then(is_there(), loop::block(std::move(inside)), loop::block(std::move(otherwise))));
  }

  DotProduct dot() {
    const auto vector = [&](const Access& x) {
      const Part part = part_of(x);
      return loop::Vector{part.values, part.first, stride(part, call_.inner)};
    };
    loop::Expr value = loop::dot({vector(call_.left), vector(*call_.right), count(call_.inner)});
    if (is_minus_one()) value = loop::negate(value);
    else if (scalar_) value = loop::value_op(loop::BinaryOp::Mul, scalar(), value);
    bool structural = false;
    for (const Access& x : call_.operands()) {
      const concrete::Tensor& t = context_.program().at(x.tensor);
      structural = structural || (t.role == concrete::Role::Workspace
                                      ? structure_of(context_.program(), x.tensor) == concrete::Structure::Always
                                      : !t.format.is_dense());
    }
    concrete::Assign assign = *call_.assign;
    assign.accumulate = call_.adds;
    return {assign, {value, is_there(), loop::Expr(structural) || (scalar_ ? scalar_->structural : loop::Expr(false))}};
  }

 private:
  /// The first value of a loop and how many it runs through.
  void find_run(const IndexVar& v) {
    const auto window = Windows(context_, scope_).of(v);
    if (!window) {
      at_first_.coordinate[v] = context_.low(v);
      count_.emplace(v, minus(context_.high(v), context_.low(v)));
      return;
    }
    const auto known = scope_.first.find(v);
    const loop::Expr first =
        known != scope_.first.end() ? known->second : context_.named(v.name() + "_first", window->low, out_);
    at_first_.coordinate[v] = first;
    const loop::Expr count =
        window->length > 0 ? loop::Expr(window->length) : loop::max(window->high - first, loop::Expr(0));
    count_.emplace(v, context_.named(v.name() + "_count", count, out_));
  }

  loop::Expr count(const LoopRole& role) const {
    loop::Expr all(1);
    for (const IndexVar& v : role) all = times(all, count_.at(v));
    return all;
  }
  /// The variables of a role are stored as one.
  static loop::Expr stride(const Part& part, const LoopRole& role) {
    return role.empty() ? loop::Expr(1) : part.stride.at(role.back());
  }

  Part part_of(const Access& x) {
    const concrete::Tensor& t = context_.program().at(x.tensor);
    if (t.role == concrete::Role::Workspace) return part_of_workspace(x);
    const int level = t.format.is_dense() ? 0 : concrete::first_level_inside(context_.program(), x, call_);
    const loop::Expr parent = level == 0 ? loop::Expr(0) : context_.state_of(x, scope_).at.pos;
    Part part = dense_part(x, context_.array(x.tensor, 0, DescriptorField::Values), level, parent);
    if (t.piece) part.first = part.first - context_.scalar(x.tensor, 0, DescriptorField::ValuesBase);
    return part;
  }

  Part part_of_target() {
    const Access& x = call_.assign->target;
    const concrete::Tensor& t = context_.program().at(x.tensor);
    if (t.role == concrete::Role::Workspace) return part_of_workspace(x);
    const bool in_block = !t.format.is_dense();
    const bool adds = call_.adds || (in_block && !loop::is_true(is_there()));
    const Assembler::DenseValues at = results_.of(x.tensor).dense_values(x, adds, scope_);
    Part part = dense_part(x, at.values, at.level, at.parent);
    part.first = plus(at.begin, part.first);
    part.stored = at.stored;
    part.is_clear = in_block;
    return part;
  }

  Part part_of_workspace(const Access& x) {
    const Workspace& w = *scope_.workspaces.at(x.tensor);
    Part part{w.values(), w.key_of(x, at_first_), {}};
    for (std::size_t m = 0; m < x.indices.size(); ++m)
      if (call_.has_loop(x.indices[m])) part.stride.emplace(x.indices[m], w.stride_of(static_cast<int>(m)));
    return part;
  }

  /// From a level on, below the position `parent` of the level above it.
  Part dense_part(const Access& x, const loop::Var& values, int level, const loop::Expr& parent) {
    const Format& format = context_.program().at(x.tensor).format;
    Part part{values, parent, {}};
    for (int k = level; k < format.order(); ++k) {
      const IndexVar& v = x.indices[static_cast<std::size_t>(format.map().mode_of(k))];
      part.first = dense_position(context_, x.tensor, k, part.first, at_first_.coordinate.at(v));
      if (call_.has_loop(v)) part.stride.emplace(v, context_.extents(x.tensor, k + 1, format.order()));
    }
    return part;
  }

  bool is_minus_one() const {
    const auto* literal = call_.scalar ? as<Literal>(*call_.scalar) : nullptr;
    return literal != nullptr && literal->value == Scalar(-1.0);
  }
  loop::Expr scalar() const { return loop::convert(scalar_->value, context_.program().compute); }

  loop::MatrixProduct product(const Part& target, const Part& left, const std::optional<Part>& right) const {
    // The target of two matrices is stored by rows: its neighbours are what the one on the right has columns for.
    const bool swapped = !call_.columns.empty() && !loop::is_constant(stride(target, call_.columns), 1);
    const LoopRole& rows = swapped ? call_.columns : call_.rows;
    const LoopRole& columns = swapped ? call_.rows : call_.columns;
    loop::MatrixProduct p{{target.values, target.first, stride(target, rows)},
                          matrix(swapped ? *right : left, rows, call_.inner),
                          std::nullopt,
                          count(rows),
                          count(columns),
                          count(call_.inner),
                          call_.adds};
    if (right) p.right = matrix(swapped ? left : *right, call_.inner, columns);
    if (scalar_) p.scalar = scalar();
    p.routine = routine_of(call_.leaf);
    return p;
  }

  static loop::Matrix matrix(const Part& part, const LoopRole& rows, const LoopRole& columns) {
    if (columns.empty()) return {part.values, part.first, stride(part, rows)};
    const bool transposed = rows.empty() || !loop::is_constant(stride(part, columns), 1);
    internal_check(!transposed || rows.empty() || loop::is_constant(stride(part, rows), 1),
                   "no neighbours in a matrix");
    return {part.values, part.first, stride(part, transposed ? columns : rows), transposed};
  }

  /// Whether a workspace marks rows along one of the loops, so that some may be missing; along which.
  std::optional<IndexVar> marked_along(const Access& x) const {
    const auto w = scope_.workspaces.find(x.tensor);
    if (w == scope_.workspaces.end()) return std::nullopt;
    const auto modes = w->second->marked_modes();
    internal_check(modes.has_value(), "a call of BLAS on {}, whose entries have marks", x.tensor.name());
    for (const int m : *modes) {
      const IndexVar& v = x.indices[static_cast<std::size_t>(m)];
      if (contains(call_.rows, v) || contains(call_.columns, v)) return v;
    }
    return std::nullopt;
  }

  /// Whether all that is multiplied is there, which the loops outside tell.
  loop::Expr is_there() const {
    loop::Expr all = scalar_ ? scalar_->present : loop::Expr(true);
    for (const Access& x : call_.operands()) {
      const auto w = scope_.workspaces.find(x.tensor);
      if (w == scope_.workspaces.end()) all = all && context_.state_of(x, scope_).at.present;
      else if (!marked_along(x)) all = all && w->second->is_there(x, scope_);
    }
    return all;
  }

  /// Makes the lines of a part zero for which a workspace has no row; each runs along one role.
  void clear_missing(const Access& x, const Part& part, const LoopRole& along, Statements& out) {
    const auto marked = marked_along(x);
    if (!marked) return;
    const loop::Var n = context_.fresh_index(marked->name());
    Scope at = at_first_;
    at.coordinate[*marked] = n;
    const loop::Expr first = at_first_.coordinate.at(*marked);
    Statements cleared;
    const loop::Expr line = plus(part.first, times(minus(n, first), part.stride.at(*marked)));
    clear_line(part, line, along, cleared);
    const loop::Expr there = scope_.workspaces.at(x.tensor)->is_there(x, at);
    out.push_back(
        loop::for_loop(n, first, first + count_.at(*marked), loop::if_then(!there, loop::block(std::move(cleared)))));
  }

  /// Lines along the role whose entries are neighbours, if one's are.
  void clear(const Part& part, const LoopRole& rows, const LoopRole& columns, Statements& out) {
    if (columns.empty()) return clear_line(part, part.first, rows, out);
    if (!loop::is_constant(stride(part, columns), 1)) return clear_lines(part, columns, rows, out);
    clear_lines(part, rows, columns, out);
  }

  void clear_lines(const Part& part, const LoopRole& lines, const LoopRole& along, Statements& out) {
    const loop::Var n = context_.fresh_index(lines.back().name() + "_in");
    Statements cleared;
    clear_line(part, plus(part.first, times(n, stride(part, lines))), along, cleared);
    out.push_back(loop::for_loop(n, loop::Expr(0), count(lines), loop::block(std::move(cleared))));
  }

  void clear_line(const Part& part, const loop::Expr& first, const LoopRole& along, Statements& out) {
    const loop::Expr zero(Scalar::zero(part.values.type().scalar));
    if (along.empty()) return out.push_back(loop::store(part.values, first, zero));
    if (loop::is_constant(stride(part, along), 1))
      return out.push_back(loop::fill(part.values, first, first + count(along), zero));
    const loop::Var n = context_.fresh_index(along.back().name() + "_in");
    out.push_back(loop::for_loop(n, loop::Expr(0), count(along),
                                 loop::store(part.values, first + loop::Expr(n) * stride(part, along), zero)));
  }

  void announce(Statements& out) {
    const Access& target = call_.assign->target;
    const auto w = scope_.workspaces.find(target.tensor);
    if (w == scope_.workspaces.end() || is_flagged(target.tensor, scope_)) return;
    const auto modes = w->second->marked_modes();
    internal_check(modes && modes->empty(), "a product stored in {}, which has marks", target.tensor.name());
    if (const loop::Stmt announced = w->second->announced(target, scope_)) out.push_back(announced);
  }

  Context& context_;
  const Results& results_;
  const Scope& scope_;
  Scope at_first_;  // with the first values of the loops
  Statements& out_;
  const BlasCall& call_;
  std::map<IndexVar, loop::Expr> count_;
  std::optional<Computed> scalar_;
};

}  // namespace

void lower_blas_call(Context& context, const Results& results, const BlasCall& call, const Scope& scope,
                     Statements& out) {
  CallLowerer(context, results, call, scope, out).change_target();
}

DotProduct lower_dot(Context& context, const Results& results, const BlasCall& call, const Scope& scope,
                     Statements& out) {
  return CallLowerer(context, results, call, scope, out).dot();
}

}  // namespace lacuna
