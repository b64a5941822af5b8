#include "lacuna/schedule/cost/temporary_work.h"

#include <algorithm>
#include <bit>

#include "lacuna/concrete/whole.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/support/check.h"

namespace lacuna::cost {

using concrete::Assign;
using concrete::Formula;
using concrete::Role;

std::set<TensorVar> TemporaryWork::open(const concrete::Where& where, const Place& place) {
  std::set<TensorVar> made;
  own_targets(where.producer, made);
  for (const TensorVar& t : made) {
    opened_.emplace(t, place);
    model_.set_filled(t, 0);
    // A list says which marks to take back; else all of them are cleared, or all values where one flag does for them.
    const concrete::Tensor& made_one = model_.program.at(t);
    if (made_one.role == Role::PatternValues && !model_.nest.stored_once.contains(t))
      model_.ledger.write({t.name(), 0, ArrayKind::Values},
                          model_.times(place) * model_.positions_of(*made_one.pattern), size_of(made_one.type));
    if (made_one.role != Role::Workspace || !made_one.format.is_dense()) continue;
    if (marks(t) == 1 && !model_.marks_each(t)) {
      if (!model_.nest.stored_once.contains(t))
        model_.ledger.write({t.name(), 0, ArrayKind::Values}, model_.times(place) * coordinates(t),
                            size_of(made_one.type));
    } else {
      model_.ledger.write({t.name(), 0, ArrayKind::Mark}, model_.times(place) * marks(t), 1);
    }
  }
  return made;
}

void TemporaryWork::close(const std::set<TensorVar>& temporaries) {
  for (const TensorVar& t : temporaries) opened_.erase(t);
}

/// What a where inside a producer produces is that where's own.
void TemporaryWork::own_targets(const concrete::Stmt& s, std::set<TensorVar>& made) const {
  concrete::match(
      s, [&](const concrete::Forall& f) { own_targets(f.body, made); },
      [&](const concrete::Where& w) { own_targets(w.consumer, made); },
      [&](const Assign& a) {
        const bool temporary = model_.program.at(a.target.tensor).is_temporary();
        if (temporary && opened_.count(a.target.tensor) == 0) made.insert(a.target.tensor);
      },
      [&](const concrete::Sequence& q) {
        for (const concrete::Stmt& x : q.statements) own_targets(x, made);
      });
}

void TemporaryWork::store(const Assign& assign, const Place& present) {
  const concrete::Tensor& target = model_.program.at(assign.target.tensor);
  const double times = model_.times(present);
  if (target.role == Role::PatternValues) {
    const ArrayKey values{target.var.name(), 0, ArrayKind::Values};
    if (!model_.nest.stored_once.contains(target.var)) model_.ledger.read(values, times, size_of(target.type));
    return model_.ledger.write(values, times, size_of(target.type));
  }
  const double fresh = touch(target, present);
  if (target.role == Role::Scalar) {
    if (assign.accumulate) model_.ledger.operations(times);
    return;
  }
  const std::string& name = target.var.name();
  const int value = size_of(target.type);
  if (in_registers_ && *in_registers_ == target.var) return model_.ledger.operations(times);
  if (!model_.marks_each(target.var)) {
    model_.ledger.write({name, 0, ArrayKind::Values}, times, value);
    if (model_.nest.stored_once.contains(target.var)) return;
    model_.ledger.read({name, 0, ArrayKind::Values}, times, value);
    model_.ledger.operations(times);
    return;
  }
  model_.ledger.read({name, 0, ArrayKind::Mark}, times, 1);
  model_.ledger.write({name, 0, ArrayKind::Mark}, fresh, 1);
  if (!target.format.is_dense())
    model_.ledger.write({name, 0, ArrayKind::List}, fresh,
                        target.format.order() == 1 ? size_of(target.widths.front().crd) : size_of(Type::Int64));
  model_.ledger.read({name, 0, ArrayKind::Values}, times - fresh, value);
  model_.ledger.write({name, 0, ArrayKind::Values}, times, value);
  model_.ledger.operations(times - fresh);
}

/// The sums are added once for all that was added to them.
void TemporaryWork::leave_registers(const concrete::RowPiece& piece, const Place& place) {
  in_registers_.reset();
  const concrete::Tensor& target = model_.program.at(piece.assign->target.tensor);
  const double times = model_.times({place.space.with(piece.split.inner), place.present, true});
  model_.ledger.write({target.var.name(), 0, ArrayKind::Values}, times, size_of(target.type));
  if (!piece.revisited) return;
  model_.ledger.read({target.var.name(), 0, ArrayKind::Values}, times, size_of(target.type));
  model_.ledger.operations(times);
}

/// Counts what an assignment touches; how often it is the first to do so, over all times that the temporary is filled.
double TemporaryWork::touch(const concrete::Tensor& target, const Place& present) {
  const auto opened = opened_.find(target.var);
  internal_check(opened != opened_.end(), "{} is assigned to outside its where", target.var.name());
  const Place& outside = opened->second;
  const double size = coordinates(target.var);
  const double places = model_.times(outside) * size;
  const double draws = present.space.size() / std::max(1.0, outside.space.size()) / std::max(1.0, size);
  if (places <= 0 || draws <= 0) return 0;
  const double times = model_.times(present);
  double share = at_least_once(times / (places * draws), draws);
  if (size == 1 && walks_children_only(outside.present, present.present)) share = std::min(1.0, times / places);
  const double before = model_.filled(target.var);
  model_.set_filled(target.var, 1 - (1 - before) * (1 - share));
  return places * (model_.filled(target.var) - before);
}

/// Whether all that decides inside is what one path stores under parents that are stored: then there is some.
bool TemporaryWork::walks_children_only(const Formula& outside, const Formula& inside) const {
  if (outside.terms().size() != 1 || inside.terms().size() != 1) return false;
  const auto path_at = [&](int atom) { return model_.nest.atoms[static_cast<std::size_t>(atom)].path; };
  const std::uint64_t before = outside.terms()[0], added = inside.terms()[0] & ~before;
  const int path = added == 0 ? -1 : path_at(std::countr_zero(added));
  bool only = path >= 0, stored = false;
  for (int a = 0; a < static_cast<int>(model_.nest.atoms.size()); ++a) {
    if ((added >> a & 1) != 0) only = only && path_at(a) == path;
    stored = stored || ((before >> a & 1) != 0 && path_at(a) == path);
  }
  return only && stored;
}

double TemporaryWork::coordinates(const TensorVar& t) const {
  double size = 1;
  for (int m = 0; m < model_.program.at(t).format.order(); ++m) size *= extent(t, m);
  return size;
}

/// How many marks say what is there: one for all coordinates of the modes along which it comes whole.
double TemporaryWork::marks(const TensorVar& t) const {
  const std::vector<bool>& whole = model_.whole_modes(t);
  double size = 1;
  for (std::size_t m = 0; m < whole.size(); ++m)
    if (!whole[m]) size *= extent(t, static_cast<int>(m));
  return size;
}

double TemporaryWork::extent(const TensorVar& t, int mode) const {
  return static_cast<double>(concrete::room_along(model_.program, t, mode));
}

}  // namespace lacuna::cost
