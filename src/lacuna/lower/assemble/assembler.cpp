#include "lacuna/lower/assemble/assembler.h"

#include <fmt/format.h>

#include "lacuna/lower/levels/level.h"

namespace lacuna {

loop::Stmt Assembler::before_loop(const IndexVar&, const std::optional<loop::Expr>&) { return nullptr; }

void Assembler::enter_pass(int, Statements&) {}
void Assembler::leave_pass(Statements&) {}

Assembler::DenseValues Assembler::dense_values(const Access& target, bool, const Scope&) {
  throw InternalError(fmt::format("internal error: {} is stored densely nowhere", target.tensor.name()));
}

void Assembler::before_sharing(const Sharing&, Statements&) {}
void Assembler::enter_share(const loop::Expr&, Statements&) {}
void Assembler::leave_share(const loop::Expr&, Statements&) {}
void Assembler::after_sharing(const Sharing&, Statements&) {}

loop::Stmt Assembler::iteration(const IndexVar&, const Scope& scope,
                                const std::function<loop::Stmt(const Scope&)>& body) {
  return body(scope);
}

loop::Stmt Assembler::carry_forward(const loop::Var& pos, const loop::Expr& parents) {
  const loop::Var p = context_.fresh_index("p");
  const loop::Expr next = loop::Expr(p) + loop::Expr(1);
  return loop::for_loop(
      p, loop::Expr(0), parents,
      loop::if_then(loop::load(pos, next) < loop::load(pos, p), loop::store(pos, next, loop::load(pos, p))));
}

loop::Expr Assembler::result_parent(const Scope& scope) const {
  const auto known = scope.result_parent.find(result_.var);
  return known == scope.result_parent.end() ? loop::Expr(0) : known->second;
}

loop::Expr Assembler::is_stored(const Computed& value) const {
  const loop::Expr zero(Scalar::zero(value.value.scalar()));
  return value.present &&
         (loop::is_true(value.structural) ? loop::Expr(true) : value.structural || loop::ne(value.value, zero));
}

std::pair<loop::Stmt, bool> Assembler::block_body(const Scope& scope,
                                                  const std::function<loop::Stmt(const Scope&)>& body) {
  stores_in_block_ = 0;
  stores_block_ = false;
  Scope inside = scope;
  const bool alone = context_.program().results().size() == 1;
  inside.covers = alone;  // counted from here on, which is of no matter to others
  loop::Stmt lowered = body(inside);
  return {std::move(lowered), !stores_block_ || stores_in_block_ > 1};
}

void Assembler::note_in_block(bool whole, const Scope& scope) {
  ++stores_in_block_;
  stores_block_ = whole && scope.covers;
}

loop::Expr Assembler::dense_position_of(const Access& target, const Scope& scope, int first, int last,
                                        loop::Expr parent) {
  for (int k = first; k <= last; ++k) {
    const IndexVar& v = target.indices[static_cast<std::size_t>(result().format.map().mode_of(k))];
    parent = dense_position(context_, result().var, k, parent, scope.coordinate.at(v));
  }
  return parent;
}

std::unique_ptr<Assembler> make_assembler(Context& context, const concrete::Tensor& result) {
  switch (result.assembly) {
    case concrete::Assembly::Random: return random_assembler(context, result);
    case concrete::Assembly::Append:
      return result.format.has_nodes() ? nodes_assembler(context, result) : append_assembler(context, result);
    case concrete::Assembly::Insert: return insert_assembler(context, result);
    case concrete::Assembly::SharedPattern: return shared_pattern_assembler(context, result);
    case concrete::Assembly::Stream: return stream_assembler(context, result);
  }
  throw InternalError("internal error: an assembly without code");
}

}  // namespace lacuna
