#include "lacuna/schedule/cost/product_work.h"

#include <algorithm>

#include "lacuna/concrete/whole.h"
#include "lacuna/schedule/cost/loop_work.h"

namespace lacuna::cost {
namespace {

/// BLAS multiplies all rows of a part, also those that a temporary has no entries in: only one that is there as a whole
/// or not at all says whether there is anything to do.
concrete::Formula presence_of_parts(const Model& model, const concrete::BlasCall& call,
                                    const concrete::Formula& presence) {
  std::uint64_t rows = 0;
  const std::vector<Access> operands = call.operands();
  for (std::size_t n = 0; n < model.nest.atoms.size(); ++n) {
    const iteration::Atom& a = model.nest.atoms[n];
    const bool read = a.path < 0 && std::any_of(operands.begin(), operands.end(),
                                                [&](const Access& x) { return x.tensor == a.temporary; });
    if (read && !concrete::is_filled_whole(model.program, a.temporary)) rows |= std::uint64_t{1} << n;
  }
  return presence.assume(rows);
}

}  // namespace

void book_call(Model& model, ResultWork& result, const concrete::BlasCall& call, const Place& at) {
  const Place place{at.space, presence_of_parts(model, call, at.present), at.covers};
  const auto inside = [&](const std::vector<IndexVar>& a, const std::vector<IndexVar>& b) {
    Place all = place;
    for (const std::vector<IndexVar>* role : {&a, &b})
      for (const IndexVar& v : *role) all.space = all.space.with(v);
    return all;
  };
  Place all = inside(call.rows, call.columns);
  for (const IndexVar& v : call.inner) all.space = all.space.with(v);
  model.ledger.operations(2 * model.times(all));
  if (call.scalar) book_expression(model, *call.scalar, place);
  const auto size = [&](const Access& x) { return size_of(model.program.at(x.tensor).type); };
  const auto values = [](const Access& x) { return ArrayKey{x.tensor.name(), 0, ArrayKind::Values}; };
  model.ledger.read(values(call.left), model.times(inside(call.rows, call.inner)), size(call.left));
  if (call.right)
    model.ledger.read(values(*call.right), model.times(inside(call.inner, call.columns)), size(*call.right));
  if (call.leaf == concrete::Leaf::Dot) {
    if (call.scalar) model.ledger.operations(model.times(place));  // what the call gives is multiplied with it
    return;
  }
  const Access& target = call.assign->target;
  const double stored = model.times(inside(call.rows, call.columns));
  if (target.tensor == model.program.result().var) return result.store_product(stored, call.adds);
  if (call.adds) model.ledger.read(values(target), stored, size(target));
  model.ledger.write(values(target), stored, size(target));
  model.set_filled(target.tensor, 1);
}

}  // namespace lacuna::cost
