#include "lacuna/schedule/complete/leaves.h"

#include "lacuna/concrete/blas_call.h"
#include "lacuna/concrete/refusal.h"

namespace lacuna {
namespace {

void check(const concrete::Program& program, const concrete::Stmt& s, std::vector<IndexVar>& bound) {
  concrete::match(
      s,
      [&](const concrete::Forall& f) {
        if (f.how.leaf == concrete::Leaf::None) {
          bound.push_back(f.var);
          check(program, f.body, bound);
          bound.pop_back();
          return;
        }
        std::string why;
        if (!concrete::blas_call(program, f, bound, why)) refuse("substitute", "{}", why);
      },
      [&](const concrete::Where& w) {
        check(program, w.producer, bound);
        check(program, w.consumer, bound);
      },
      [](const concrete::Assign&) {},
      [&](const concrete::Sequence& q) {
        for (const concrete::Stmt& x : q.statements) check(program, x, bound);
      });
}

}  // namespace

void check_leaves(const concrete::Program& program) {
  std::vector<IndexVar> bound;
  check(program, program.root, bound);
}

}  // namespace lacuna
