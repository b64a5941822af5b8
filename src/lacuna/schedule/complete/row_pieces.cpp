#include "lacuna/schedule/complete/row_pieces.h"

#include "lacuna/concrete/row_piece.h"

namespace lacuna {
namespace {

using concrete::Stmt;

/// `bound`: the variables of the loops outside. One piece is collected at a time: none inside another.
Stmt marked(const concrete::Program& program, const Stmt& s, std::vector<IndexVar>& bound, bool inside) {
  return concrete::match(
      s,
      [&](const concrete::Forall& f) {
        concrete::Execution how = f.how;
        how.row_piece = !inside && concrete::row_piece(program, f, bound);
        bound.push_back(f.var);
        const Stmt body = marked(program, f.body, bound, inside || how.row_piece);
        bound.pop_back();
        return concrete::forall(f.var, body, how);
      },
      [&](const concrete::Where& w) {
        return concrete::where(marked(program, w.consumer, bound, inside), marked(program, w.producer, bound, inside));
      },
      [&](const concrete::Assign&) { return s; },
      [&](const concrete::Sequence& q) {
        std::vector<Stmt> statements;
        for (const Stmt& x : q.statements) statements.push_back(marked(program, x, bound, inside));
        return concrete::sequence(std::move(statements));
      });
}

}  // namespace

Stmt mark_row_pieces(const concrete::Program& program) {
  std::vector<IndexVar> bound;
  return marked(program, program.root, bound, false);
}

}  // namespace lacuna
