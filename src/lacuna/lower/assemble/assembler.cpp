#include "lacuna/lower/assemble/assembler.h"

#include "lacuna/lower/levels/level.h"

namespace lacuna {

loop::Stmt Assembler::before_loop(const IndexVar&, const loop::Expr&) { return nullptr; }

void Assembler::enter_pass(int, Statements&) {}
void Assembler::leave_pass(Statements&) {}

void Assembler::before_sharing(const Sharing&, Statements&) {}
void Assembler::enter_share(Statements&) {}
void Assembler::leave_share(const loop::Expr&, Statements&) {}
void Assembler::after_sharing(const Sharing&, Statements&) {}

loop::Stmt Assembler::iteration(const IndexVar&, const Scope& scope,
                                const std::function<loop::Stmt(const Scope&)>& body) {
  return body(scope);
}

loop::Expr Assembler::is_stored(const Computed& value) const {
  const loop::Expr zero(Scalar::zero(value.value.scalar()));
  return value.present &&
         (loop::is_true(value.structural) ? loop::Expr(true) : value.structural || loop::ne(value.value, zero));
}

loop::Expr Assembler::dense_position_of(const Access& target, const Scope& scope, int first, int last,
                                        loop::Expr parent) {
  for (int k = first; k <= last; ++k) {
    const IndexVar& v = target.indices[static_cast<std::size_t>(result().format.map().mode_of(k))];
    parent = dense_position(context_, result().var, k, parent, scope.coordinate.at(v));
  }
  return parent;
}

std::unique_ptr<Assembler> make_assembler(Context& context) {
  switch (context.program().assembly) {
    case concrete::Assembly::Random: return random_assembler(context);
    case concrete::Assembly::Append: return append_assembler(context);
    case concrete::Assembly::Insert: return insert_assembler(context);
    case concrete::Assembly::SharedPattern: return shared_pattern_assembler(context);
    case concrete::Assembly::Stream: return stream_assembler(context);
  }
  throw InternalError("internal error: an assembly without code");
}

}  // namespace lacuna
