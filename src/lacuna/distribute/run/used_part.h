#pragma once

#include <optional>
#include <vector>

#include "lacuna/distribute/parts/dense_copy.h"
#include "lacuna/distribute/parts/dense_view.h"
#include "lacuna/distribute/parts/rows_within.h"
#include "lacuna/distribute/run/cut_operand.h"
#include "lacuna/distribute/run/fetch.h"

namespace lacuna {

/// What a kernel reads of the operand that a task has: all of it, some of it in place, or a copy whose values are
/// renewed in each run.
class UsedPart {
 public:
  /// `rows`: those that are used in place, if others are left out.
  explicit UsedPart(std::vector<IndexSet> used, std::optional<RowsWithin> rows = {})
      : used_(std::move(used)), rows_(std::move(rows)) {}

  /// The first time.
  Storage first(const Fetched& has);
  /// The same where it was cut out of what the task has already, maybe with more around it.
  Storage first(const LocalPart& cut_already) const { return cut(cut_already, used_).storage; }
  /// What the kernel has to read from now on; null where that lies where it lay. There is news.
  const Storage* next(const Fetched& has, News news);

 private:
  std::vector<IndexSet> used_;
  bool is_all_ = false;
  std::optional<RowsWithin> rows_;
  std::optional<DenseView> view_;  // of a dense part: a stretch of it, or
  std::optional<DenseCopy> copy_;  // what is copied out of it
  Storage copied_;
  CutOperand cut_;  // of other parts
};

}  // namespace lacuna
