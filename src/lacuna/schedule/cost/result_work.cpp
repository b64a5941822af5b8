#include "lacuna/schedule/cost/result_work.h"

#include <algorithm>
#include <set>

#include "lacuna/schedule/problem/tree.h"

namespace lacuna::cost {

using concrete::Assembly;

ResultWork::ResultWork(Model& model) : model_(model) {
  tree::each_assignment(model.program.root, [&](const concrete::Assign& a, const auto&) {
    if (a.target.tensor == tensor().var) variables_ = tree::level_variables(model.program, a.target);
  });
  counts_.assign(static_cast<std::size_t>(format().order()), 0);
  if (model.program.result().assembly != Assembly::Append && model.program.result().assembly != Assembly::Insert)
    return;
  while (format().level(first_).full()) ++first_;
  last_ = first_;
  // Nodes are counted as the arrays that would hold the same; dense levels between them as if all were stored.
  const auto counts = [](const LevelFormat& level) { return level.packed() || level.is_dynamic(); };
  while (last_ + 1 < format().order() && counts(format().level(last_ + 1))) ++last_;
}

int ResultWork::width(ArrayKind kind, int level) const {
  if (kind == ArrayKind::Values) return size_of(tensor().type);
  const concrete::LevelWidths& w = tensor().widths[static_cast<std::size_t>(level)];
  return size_of(kind == ArrayKind::Pos ? w.pos : w.crd);
}

int ResultWork::level_of(const IndexVar& var) const {
  const auto it = std::find(variables_.begin(), variables_.end(), var);
  return it == variables_.end() ? -1 : static_cast<int>(it - variables_.begin());
}

double ResultWork::extent(int level) const {
  return static_cast<double>(model_.program.extents.at(variables_[static_cast<std::size_t>(level)]));
}

double ResultWork::size(int first, int last) const {
  double product = 1;
  for (int k = first; k <= last; ++k) product *= extent(k);
  return product;
}

/// What is stored so far under the entries of a level.
double ResultWork::under(int level) const {
  if (level == last_) return stored_;
  const auto next = static_cast<std::size_t>(level) + 1;
  return counts_[next];
}

void ResultWork::enter(const Loop& loop, double visits) {
  const int k = level_of(loop.var);
  if (k < first_ || k > last_) return;
  const bool block = last_ + 1 < format().order();
  before_.push_back(under(k));
  // The block of values under a new entry starts at zero.
  if (k == last_ && block)
    model_.ledger.write(array(ArrayKind::Values), visits * size(last_ + 1, format().order() - 1),
                        width(ArrayKind::Values, 0));
}

void ResultWork::leave(const Loop& loop, double visits, bool covers) {
  const int k = level_of(loop.var);
  if (k >= 0 && k + 1 == first_ && last_ >= first_) {
    model_.ledger.write(array(ArrayKind::Pos, first_), visits, width(ArrayKind::Pos, first_));
    skips_parents_ = skips_parents_ || !covers;
  }
  if (k < first_ || k > last_) return;
  const double below = under(k) - before_.back();
  before_.pop_back();
  if (k == last_ && last_ + 1 == format().order()) return;  // store() appended them
  const double kept = std::min(visits, below);              // an entry is kept where something lies under it
  counts_[static_cast<std::size_t>(k)] += kept;
  model_.ledger.write(array(ArrayKind::Crd, k), kept, width(ArrayKind::Crd, k));
  if (k < last_) model_.ledger.write(array(ArrayKind::Pos, k + 1), kept, width(ArrayKind::Pos, k + 1));
}

/// The sums are stored once for all that was added to them.
void ResultWork::leave_registers(const concrete::RowPiece& piece, const Place& place) {
  in_registers_ = false;
  const double times = model_.times({place.space.with(piece.split.inner), place.present, true});
  const int value = width(ArrayKind::Values, 0);
  model_.ledger.write(array(ArrayKind::Values), times, value);
  if (piece.revisited) {
    model_.ledger.read(array(ArrayKind::Values), times, value);
    model_.ledger.operations(times);
  }
  needs_fill_ = needs_fill_ || piece.revisited || !place.covers;
  stored_ += times;
}

void ResultWork::store(const concrete::Assign& assign, const Place& place) {
  const concrete::Formula present = model_.nest.presence_of(assign.rhs);
  const double times = model_.times(place, present);
  if (in_registers_) return model_.ledger.operations(times);
  const int value = width(ArrayKind::Values, 0);
  switch (model_.program.result().assembly) {
    case Assembly::Insert:
    case Assembly::Append: return append(times, assign.accumulate);
    case Assembly::Stream: distinct_share_absent_ *= 1 - distinct(assign, place); return stream(place, times);
    case Assembly::SharedPattern:
      if (!assign.accumulate) return model_.ledger.write(array(ArrayKind::Values), model_.times(place), value);
      break;
    case Assembly::Random: break;
  }
  model_.ledger.write(array(ArrayKind::Values), times, value);
  for (int k = 0; k < format().order(); ++k)
    if (format().level(k).has_present()) model_.ledger.write(array(ArrayKind::Present, k), times, 1);
  if (assign.accumulate) {
    model_.ledger.read(array(ArrayKind::Values), times, value);
    model_.ledger.operations(times);
  }
  const std::set<IndexVar> different(variables_.begin(), variables_.end());
  needs_fill_ = needs_fill_ || assign.accumulate || !place.covers || stored_ > 0 ||
                !(place.present & present).is_always() || different.size() != variables_.size();
  stored_ += times;
}

void ResultWork::store_product(double entries, bool adds) {
  const int value = width(ArrayKind::Values, 0);
  if (adds) model_.ledger.read(array(ArrayKind::Values), entries, value);
  model_.ledger.write(array(ArrayKind::Values), entries, value);
  needs_fill_ = needs_fill_ || adds || stored_ > 0;
  stored_ += entries;
}

void ResultWork::append(double times, bool accumulate) {
  const int value = width(ArrayKind::Values, 0);
  model_.ledger.write(array(ArrayKind::Values), times, value);
  if (accumulate) {
    model_.ledger.read(array(ArrayKind::Values), times, value);
    model_.ledger.operations(times);
  }
  if (last_ + 1 == format().order()) {
    model_.ledger.write(array(ArrayKind::Crd, last_), times, width(ArrayKind::Crd, last_));
    counts_[static_cast<std::size_t>(last_)] += times;
  }
  stored_ += times;
}

void ResultWork::stream(const Place&, double times) {
  for (int k = 0; k < format().order(); ++k)
    model_.ledger.write(array(ArrayKind::Crd, k), times, width(ArrayKind::Crd, k));
  model_.ledger.write(array(ArrayKind::Values), times, width(ArrayKind::Values, 0));
  stored_ += times;
}

/// The share of the result's coordinates that an assignment stores to at least once.
double ResultWork::distinct(const concrete::Assign& assign, const Place& place) const {
  const concrete::Formula present = model_.nest.presence_of(assign.rhs);
  const double points = place.space.size();
  const double span = size(0, format().order() - 1);
  return points <= 0 || span <= 0 ? 0 : at_least_once(model_.times(place, present) / points, points / span);
}

void ResultWork::finish() {
  const double span = size(0, format().order() - 1);
  const int value = width(ArrayKind::Values, 0);
  switch (model_.program.result().assembly) {
    case Assembly::Random: return finish_in_place(span, value);
    case Assembly::SharedPattern: {
      const TensorCount& pattern = model_.counts.at(model_.program.result().pattern_operand);
      const int shared = model_.program.result().pattern_levels;
      entries_ = pattern.levels[static_cast<std::size_t>(shared - 1)].entries * size(shared, format().order() - 1);
      if (shared < format().order()) model_.ledger.write(array(ArrayKind::Values), entries_, value);
      bytes_ = entries_ * value;
      return;
    }
    case Assembly::Insert:
    case Assembly::Append: return finish_entries();
    case Assembly::Stream: {
      entries_ = span * (1 - distinct_share_absent_);
      int widths = value;
      for (int k = 0; k < format().order(); ++k) widths += width(ArrayKind::Crd, k);
      bytes_ = entries_ * widths;
      put_together();
      return;
    }
  }
}

/// `span`: how many entries there may be; `value`: the bytes of each.
void ResultWork::finish_in_place(double span, int value) {
  entries_ = span;
  bytes_ = span * value;
  if (needs_fill_) model_.ledger.write(array(ArrayKind::Values), span, value);
  for (int k = 0; k < format().order(); ++k) {
    if (!format().level(k).has_present()) continue;
    bytes_ += size(0, k);
    if (needs_fill_) model_.ledger.write(array(ArrayKind::Present, k), size(0, k), 1);
  }
}

void ResultWork::finish_entries() {
  entries_ = counts_[static_cast<std::size_t>(last_)] * size(last_ + 1, format().order() - 1);
  const double parents = size(0, first_ - 1);
  if (first_ == 0) model_.ledger.write(array(ArrayKind::Pos, 0), 1, width(ArrayKind::Pos, 0));
  else if (model_.program.result().assembly == Assembly::Insert) sum_counts(parents);
  else if (skips_parents_)
    model_.ledger.read(array(ArrayKind::Pos, first_), 2 * parents, width(ArrayKind::Pos, first_));
  bytes_ = appended_bytes();
  put_together();
}

/// The counts of each parent become the positions where its entries begin.
void ResultWork::sum_counts(double parents) {
  const int pos = width(ArrayKind::Pos, last_);
  model_.ledger.read(array(ArrayKind::Pos, last_), parents, pos);
  model_.ledger.write(array(ArrayKind::Pos, last_), parents, pos);
}

/// Whether threads append to arrays of their own.
bool ResultWork::is_shared_out() const {
  const Assembly assembly = model_.program.result().assembly;
  return (assembly == Assembly::Append || assembly == Assembly::Stream) &&
         tree::is_assigned_by_threads(model_.program, tensor().var);
}

/// What threads appended is copied behind one another.
void ResultWork::put_together() {
  if (!is_shared_out()) return;
  const auto copy = [&](const ArrayKey& key, double elements, int element_size) {
    model_.ledger.read(key, elements, element_size);
    model_.ledger.write(key, elements, element_size);
  };
  copy(array(ArrayKind::Values), stored_, width(ArrayKind::Values, 0));
  const bool stream = model_.program.result().assembly == Assembly::Stream;
  for (int k = stream ? 0 : first_; k < (stream ? format().order() : last_ + 1); ++k)
    copy(array(ArrayKind::Crd, k), stream ? stored_ : counts_[static_cast<std::size_t>(k)], width(ArrayKind::Crd, k));
}

/// Positions are handed on in 32 bits where these are enough.
double ResultWork::appended_bytes() const {
  double bytes = entries_ * width(ArrayKind::Values, 0);
  double parents = size(0, first_ - 1);
  for (int k = first_; k <= last_; ++k) {
    const double children = counts_[static_cast<std::size_t>(k)];
    bytes += children * width(ArrayKind::Crd, k) + (parents + 1) * (children < 2147483648.0 ? 4 : 8);
    parents = children;
  }
  return bytes;
}

}  // namespace lacuna::cost
