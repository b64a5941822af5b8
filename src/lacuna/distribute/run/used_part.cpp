#include "lacuna/distribute/run/used_part.h"

namespace lacuna {

Storage UsedPart::first(const Fetched& has) {
  if (rows_) return rows_->in(has.storage);
  is_all_ = has.sets == used_;
  if (is_all_) return has.storage;
  const PartShape shape = shape_of(has.storage);
  if (shape.format.is_dense()) {
    view_ = DenseView::of(has.sets, used_, shape);
    if (view_) return view_->in(has.storage.values);
    copy_.emplace(has.sets, used_, used_, shape.format, shape.type);
  }
  Storage used = cut(LocalPart{has.sets, has.storage}, used_).storage;
  if (copy_) copied_ = used;
  return used;
}

const Storage* UsedPart::next(const Fetched& has, News news) {
  if (copy_) {
    copy_->copy(has.storage.values.data(), copied_.values.mutable_data());
    return nullptr;
  }
  if (!rows_ && !is_all_ && !view_) return cut_.refresh(has.sets, has.storage, used_) ? &cut_.storage() : nullptr;
  if (news == News::Values) return nullptr;
  if (rows_) return &rows_->in(has.storage);
  return is_all_ ? &has.storage : &view_->in(has.storage.values);
}

}  // namespace lacuna
