#include "lacuna/concrete/blas_call.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/concrete/blas_operands.h"
#include "lacuna/concrete/leaf.h"
#include "lacuna/concrete/row_piece.h"
#include "lacuna/notation/operators.h"
#include "lacuna/notation/parse.h"

namespace lacuna::concrete {
namespace {

/// The factors of a product, which may be negative.
void add_factors(const Expr& e, std::vector<Expr>& factors, bool& negative) {
  if (const auto* minus = as<Negate>(e)) {
    negative = !negative;
    return add_factors(minus->operand, factors, negative);
  }
  const auto* product = as<Binary>(e);
  if (product == nullptr || product->op != BinaryOp::Mul) return factors.push_back(e);
  add_factors(product->left, factors, negative);
  add_factors(product->right, factors, negative);
}

class CallFinder {
 public:
  CallFinder(const Program& program, const std::vector<IndexVar>& bound, std::string& why)
      : program_(program), bound_(bound), why_(why) {}

  std::optional<BlasCall> run(const Forall& f) {
    call_.leaf = f.how.leaf;
    if (!find_loops(f) || !find_operands() || !find_roles()) return std::nullopt;
    const bool only_adds = call_.leaf == Leaf::Ger || call_.leaf == Leaf::Axpy;
    call_.adds = only_adds || is_revisited(program_, call_.assign->target, bound_);
    if (!check_operands(program_, call_, loops_, why_)) return std::nullopt;
    return std::move(call_);
  }

 private:
  template <typename... Args>
  bool no(fmt::format_string<Args...> message, Args&&... args) {
    why_ = fmt::format(message, std::forward<Args>(args)...);
    return false;
  }
  const LeafShape& shape() const { return shape_of(call_.leaf); }
  const Access& target() const { return call_.assign->target; }

  /// The assignment inside plain loops, directly inside one another.
  bool find_loops(const Forall& outermost) {
    const Forall* f = &outermost;
    while (true) {
      Execution how = f->how;
      how.leaf = Leaf::None;
      if (f->how.leaf != call_.leaf || !(how == Execution{}) || program_.provenance.is_derived(f->var))
        return no("the loop over {} is not run by BLAS as a whole; other directives for it do not go with substitute",
                  f->var.name());
      if (!runs_through_one_piece(f->var)) return false;
      loops_.push_back(f->var);
      call_.assign = std::get_if<Assign>(&f->body->kind);
      if (call_.assign != nullptr) return true;
      f = std::get_if<Forall>(&f->body->kind);
      if (f == nullptr) return no("there is more than one assignment in the loop over {}", loops_.front().name());
    }
  }

  /// Whether the loop runs through all values or those of a piece. Fused loops, and those over positions, go on where
  /// the one outside them ends.
  bool runs_through_one_piece(const IndexVar& loop) {
    IndexVar v = loop;
    while (const Derivation* d = program_.provenance.replaced_by(v)) {
      if (const auto* split = std::get_if<Split>(d)) v = split->inner;
      else if (const auto* bounded = std::get_if<Bound>(d)) v = bounded->bounded;
      else
        return no(
            "the loop over {} is part of one over {}, which BLAS cannot run; name loops that are inside of it instead",
            loop.name(), std::holds_alternative<Fuse>(*d) ? "pairs (fuse)" : "positions (pos)");
    }
    return true;
  }

  /// What the loops run over, and the rest.
  bool find_operands() {
    std::vector<Expr> factors;
    bool negative = false;
    add_factors(call_.assign->rhs, factors, negative);
    std::vector<Access> operands;
    bool plain = call_.assign->accumulate;
    for (const Expr& factor : factors) {
      const std::vector<IndexVar> used = free_variables(factor);
      const bool runs = std::any_of(used.begin(), used.end(), [&](const IndexVar& v) { return contains(loops_, v); });
      const auto* access = as<Access>(factor);
      if (!runs) call_.scalar = call_.scalar ? *call_.scalar * factor : factor;
      else if (access != nullptr) operands.push_back(*access);
      plain = plain && (!runs || access != nullptr);
    }
    if (!plain || static_cast<int>(operands.size()) != shape().operands())
      return no("{} = {} is not what {} computes, {}; precompute or loopfuse can make that of it",
                to_string(make_expr(target())), to_string(call_.assign->rhs), shape().name, shape().form);
    if (negative) call_.scalar = call_.scalar ? -*call_.scalar : Expr(-1.0);
    call_.left = operands[0];
    if (operands.size() > 1) call_.right = operands[1];
    for (const Access& x : accesses(call_.assign->rhs))
      if (x.tensor == target().tensor) return no("{} is read while it is made", target().tensor.name());
    return true;
  }

  bool find_roles() {
    for (const IndexVar& v : loops_) {
      const bool t = contains(target().indices, v), l = contains(call_.left.indices, v);
      const bool r = call_.right && contains(call_.right->indices, v);
      if (t && l && !r) call_.rows.push_back(v);
      else if (t && r && !l) call_.columns.push_back(v);
      else if (l && r && !t) call_.inner.push_back(v);
      else return no_role(v);
    }
    // The matrix of a product with a vector may be either of them.
    if (call_.leaf == Leaf::Gemv && call_.rows.empty()) {
      std::swap(call_.left, *call_.right);
      std::swap(call_.rows, call_.columns);
    }
    const auto fits = [&](const LeafShape& s, bool rows, bool columns) {
      return s.rows == rows && s.columns == columns && s.inner == !call_.inner.empty();
    };
    const bool rows = !call_.rows.empty(), columns = !call_.columns.empty();
    if (fits(shape(), rows, columns)) return true;
    const auto fits_either_way = [&](const LeafShape& s) { return fits(s, rows, columns) || fits(s, columns, rows); };
    const auto all = leaf_shapes();
    const auto other = std::find_if(all.begin(), all.end(), fits_either_way);
    return no("the loops over {} do not compute {}, which is {}{}", fmt::join(names_of(loops_), ", "), shape().form,
              shape().name, other == all.end() ? "" : fmt::format("; they are those of {}", other->name));
  }

  bool no_role(const IndexVar& v) {
    std::vector<std::string> indexed;
    std::vector<Access> all = call_.operands();
    all.insert(all.begin(), target());
    for (const Access& x : all)
      if (contains(x.indices, v)) indexed.push_back(x.tensor.name());
    return no("{} has no variable such as {}, which indexes {}: it computes {}; leave the loop over {} outside",
              shape().name, v.name(), fmt::join(indexed, ", "), shape().form, v.name());
  }

  static std::vector<std::string> names_of(const std::vector<IndexVar>& variables) {
    std::vector<std::string> names;
    for (const IndexVar& v : variables) names.push_back(v.name());
    return names;
  }

  const Program& program_;
  const std::vector<IndexVar>& bound_;
  std::string& why_;
  std::vector<IndexVar> loops_;
  BlasCall call_;
};

}  // namespace

std::vector<Access> BlasCall::operands() const {
  std::vector<Access> all{left};
  if (right) all.push_back(*right);
  return all;
}

bool BlasCall::has_loop(const IndexVar& v) const {
  return contains(rows, v) || contains(columns, v) || contains(inner, v);
}

std::optional<BlasCall> blas_call(const Program& program, const Forall& f, const std::vector<IndexVar>& bound,
                                  std::string& why) {
  return CallFinder(program, bound, why).run(f);
}

}  // namespace lacuna::concrete
