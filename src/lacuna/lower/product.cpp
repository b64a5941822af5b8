#include "lacuna/lower/product.h"

#include <algorithm>

#include "lacuna/concrete/matrix_product.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/lower/arithmetic.h"
#include "lacuna/lower/levels/level.h"
#include "lacuna/lower/windows.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

using concrete::MatrixProduct;
using concrete::Role;

/// A part of an array along two loops: where it begins, and how far apart neighbours along each loop are.
struct Part {
  loop::Var values;
  loop::Expr first;
  std::map<IndexVar, loop::Expr> stride;
};

class ProductLowerer {
 public:
  ProductLowerer(Context& context, const Results& results, const Scope& scope, Statements& out)
      : context_(context), results_(results), scope_(scope), at_first_(scope), out_(out) {}

  void run(const concrete::Forall& f) {
    const MatrixProduct p = product_of(f);
    for (const IndexVar& v : {p.of_left, p.inner, p.of_right}) find_run(v);
    const Part target = part_of(p.assign->target, p), left = part_of(p.left, p), right = part_of(p.right, p);
    // The target is stored by rows: its neighbours are what the matrix on the right has columns for.
    const bool as_it_is = loop::is_constant(target.stride.at(p.of_right), 1);
    const IndexVar& rows = as_it_is ? p.of_left : p.of_right;
    const IndexVar& columns = as_it_is ? p.of_right : p.of_left;
    if (!loop::is_constant(target.stride.at(columns), 1)) refuse(p.assign->target);
    Statements inside;
    clear_missing(p.left, left, p, p.inner, inside);
    clear_missing(p.right, right, p, p.inner, inside);
    const loop::Matrix to{target.values, target.first, target.stride.at(rows)};
    inside.push_back(loop::matrix_product({to, matrix(as_it_is ? left : right, rows, p.inner),
                                           matrix(as_it_is ? right : left, p.inner, columns), count_.at(rows),
                                           count_.at(columns), count_.at(p.inner), p.adds}));
    clear_missing(p.left, target, p, p.of_right, inside);
    clear_missing(p.right, target, p, p.of_left, inside);
    announce(*p.assign, inside);
    Statements otherwise;
    if (!p.adds) clear_rows(target, rows, columns, otherwise);
    out_.push_back(loop::if_then(is_there(p), loop::block(std::move(inside)), loop::block(std::move(otherwise))));
  }

 private:
  MatrixProduct product_of(const concrete::Forall& f) const {
    std::vector<IndexVar> bound;
    for (const auto& [v, coordinate] : scope_.coordinate) bound.push_back(v);
    std::string why;
    auto product = concrete::matrix_product(context_.program(), f, bound, why);
    internal_check(product.has_value(), "a product was accepted and is none: {}", why);
    return std::move(*product);
  }

  [[noreturn]] static void refuse(const Access& x) {
    user_error(
        "substitute: {} keeps the entries along none of the three loops side by side, which BLAS needs of a matrix; "
        "reorder the loops outside",
        x.tensor.name());
  }

  /// The first value of a loop and how many it runs through.
  void find_run(const IndexVar& v) {
    const auto window = Windows(context_, scope_).of(v);
    if (!window) {
      at_first_.coordinate[v] = context_.low(v);
      count_.emplace(v, minus(context_.high(v), context_.low(v)));
      return;
    }
    loop::Expr first = window->low;
    if (const auto known = scope_.first.find(v); known != scope_.first.end()) first = known->second;
    else first = named(v.name() + "_first", first);
    at_first_.coordinate[v] = first;
    const loop::Expr count =
        window->length > 0 ? loop::Expr(window->length) : loop::max(window->high - first, loop::Expr(0));
    count_.emplace(v, named(v.name() + "_count", count));
  }

  loop::Expr named(const std::string& name, const loop::Expr& value) {
    const loop::Var v = context_.fresh_index(name);
    out_.push_back(loop::declare(v, value));
    return v;
  }

  Part part_of(const Access& x, const MatrixProduct& p) {
    const concrete::Tensor& t = context_.program().at(x.tensor);
    const auto is_loop = [&](const IndexVar& v) { return v == p.of_left || v == p.of_right || v == p.inner; };
    if (t.role == Role::Workspace) {
      const Workspace& w = *scope_.workspaces.at(x.tensor);
      Part part{w.values(), w.key_of(x, at_first_), {}};
      for (std::size_t m = 0; m < x.indices.size(); ++m)
        if (is_loop(x.indices[m])) part.stride.emplace(x.indices[m], w.stride_of(static_cast<int>(m)));
      return part;
    }
    Part part{t.role == Role::Result ? results_.of(x.tensor).matrix(x, p.adds, scope_)
                                     : context_.array(x.tensor, 0, DescriptorField::Values),
              loop::Expr(0),
              {}};
    for (int k = 0; k < t.format.order(); ++k) {
      const IndexVar& v = x.indices[static_cast<std::size_t>(t.format.map().mode_of(k))];
      part.first = dense_position(context_, x.tensor, k, part.first, at_first_.coordinate.at(v));
      if (is_loop(v)) part.stride.emplace(v, context_.extents(x.tensor, k + 1, t.format.order()));
    }
    if (t.piece) part.first = part.first - context_.scalar(x.tensor, 0, DescriptorField::ValuesBase);
    return part;
  }

  loop::Matrix matrix(const Part& part, const IndexVar& rows, const IndexVar& columns) const {
    const bool transposed = !loop::is_constant(part.stride.at(columns), 1);
    internal_check(!transposed || loop::is_constant(part.stride.at(rows), 1), "no neighbours in a matrix");
    return {part.values, part.first, part.stride.at(transposed ? columns : rows), transposed};
  }

  /// Whether a workspace marks rows along one of the loops, so that some may be missing; along which.
  std::optional<IndexVar> marked_along(const Access& x, const MatrixProduct& p) const {
    const auto w = scope_.workspaces.find(x.tensor);
    if (w == scope_.workspaces.end()) return std::nullopt;
    const auto modes = w->second->marked_modes();
    internal_check(modes.has_value(), "a product of {}, whose entries have marks", x.tensor.name());
    for (const int m : *modes) {
      const IndexVar& v = x.indices[static_cast<std::size_t>(m)];
      if (v == p.of_left || v == p.of_right) return v;
    }
    return std::nullopt;
  }

  /// Whether what workspaces hold, which the loops outside tell, is there.
  loop::Expr is_there(const MatrixProduct& p) const {
    loop::Expr all(true);
    for (const Access* x : {&p.left, &p.right}) {
      const auto w = scope_.workspaces.find(x->tensor);
      if (w != scope_.workspaces.end() && !marked_along(*x, p)) all = all && w->second->is_there(*x, scope_);
    }
    return all;
  }

  /// Makes the lines of a matrix zero for which a workspace has no row; each runs along one of the loops.
  void clear_missing(const Access& x, const Part& part, const MatrixProduct& p, const IndexVar& along,
                     Statements& out) {
    const auto marked = marked_along(x, p);
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

  void clear_rows(const Part& part, const IndexVar& rows, const IndexVar& columns, Statements& out) {
    const loop::Var n = context_.fresh_index(rows.name() + "_in");
    Statements cleared;
    clear_line(part, plus(part.first, times(n, part.stride.at(rows))), columns, cleared);
    out.push_back(loop::for_loop(n, loop::Expr(0), count_.at(rows), loop::block(std::move(cleared))));
  }

  void clear_line(const Part& part, const loop::Expr& first, const IndexVar& along, Statements& out) {
    const loop::Expr zero(Scalar::zero(part.values.type().scalar)), count = count_.at(along);
    const loop::Expr stride = part.stride.at(along);
    if (loop::is_constant(stride, 1)) return out.push_back(loop::fill(part.values, first, first + count, zero));
    const loop::Var n = context_.fresh_index(along.name() + "_in");
    out.push_back(loop::for_loop(n, loop::Expr(0), count,
                                 loop::store(part.values, first + loop::Expr(n) * stride, zero, loop::StoreOp::Set)));
  }

  void announce(const concrete::Assign& a, Statements& out) {
    const auto w = scope_.workspaces.find(a.target.tensor);
    if (w == scope_.workspaces.end()) return;
    const auto modes = w->second->marked_modes();
    internal_check(modes && modes->empty(), "a product stored in {}, which has marks", a.target.tensor.name());
    if (const loop::Stmt announced = w->second->announced(a.target, scope_)) out.push_back(announced);
  }

  Context& context_;
  const Results& results_;
  const Scope& scope_;
  Scope at_first_;  // with the first values of the loops
  Statements& out_;
  std::map<IndexVar, loop::Expr> count_;
};

}  // namespace

bool is_product(const Context& context, const concrete::Forall& f) {
  if (f.how.leaf == concrete::Leaf::None) return false;
  bool runs = true;
  each_assign(f.body, [&](const concrete::Assign& a) {
    const auto has_values = [&](const Access& x) {
      for (const IndexVar& v : x.indices) runs = runs && context.program().extents.at(v) > 0;
    };
    has_values(a.target);
    for (const Access& x : accesses(a.rhs)) has_values(x);
  });
  return runs;
}

void lower_product(Context& context, const Results& results, const concrete::Forall& f, const Scope& scope,
                   Statements& out) {
  ProductLowerer(context, results, scope, out).run(f);
}

}  // namespace lacuna
