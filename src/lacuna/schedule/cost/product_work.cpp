#include "lacuna/schedule/cost/product_work.h"

#include "lacuna/concrete/whole.h"

namespace lacuna::cost {
namespace {

/// BLAS multiplies all rows of a part, also those that a temporary has no entries in: only one that is there as a whole
/// or not at all says whether there is anything to do.
concrete::Formula presence_of_parts(const Model& model, const concrete::MatrixProduct& product,
                                    const concrete::Formula& presence) {
  std::uint64_t rows = 0;
  for (std::size_t n = 0; n < model.nest.atoms.size(); ++n) {
    const Atom& a = model.nest.atoms[n];
    const bool read = a.path < 0 && (a.temporary == product.left.tensor || a.temporary == product.right.tensor);
    if (read && !concrete::is_filled_whole(model.program, a.temporary)) rows |= std::uint64_t{1} << n;
  }
  return presence.assume(rows);
}

}  // namespace

void book_product(Model& model, ResultWork& result, const concrete::MatrixProduct& product, const Place& at) {
  const Place place{at.space, presence_of_parts(model, product, at.present), at.covers};
  const auto elements = [&](const IndexVar& a, const IndexVar& b) {
    return model.times({place.space.with(a).with(b), place.present, place.covers});
  };
  const Place all{place.space.with(product.of_left).with(product.of_right).with(product.inner), place.present,
                  place.covers};
  model.ledger.operations(2 * model.times(all));
  const auto size = [&](const Access& x) { return size_of(model.program.at(x.tensor).type); };
  const auto values = [](const Access& x) { return ArrayKey{x.tensor.name(), 0, ArrayKind::Values}; };
  model.ledger.read(values(product.left), elements(product.of_left, product.inner), size(product.left));
  model.ledger.read(values(product.right), elements(product.inner, product.of_right), size(product.right));
  const Access& target = product.assign->target;
  const double stored = elements(product.of_left, product.of_right);
  if (target.tensor == model.program.result().var) return result.store_product(stored, product.adds);
  if (product.adds) model.ledger.read(values(target), stored, size(target));
  model.ledger.write(values(target), stored, size(target));
  model.set_filled(target.tensor, 1);
}

}  // namespace lacuna::cost
