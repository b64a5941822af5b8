#pragma once

#include "lacuna/api/value.h"
#include "lacuna/dynamic/update/batch_change.h"
#include "lacuna/dynamic/update/incremental_result.h"

namespace lacuna {

/// What a tensor holds that follows another: the result of a statement, changed whenever the other one is updated. The
/// one that follows keeps it; the one that is followed knows it as long as it is kept.
class Following {
 public:
  /// Evaluates. Throws Error where IncrementalResult does.
  Following(const Request& request, const std::string& operand);

  Type change_type() const { return result_.change_type(); }
  void add(const Storage& change);
  /// Its value now. While a caller keeps it, the next change copies the result first.
  const ValuePtr& value();

 private:
  IncrementalResult result_;
  ValuePtr value_;
};

}  // namespace lacuna
