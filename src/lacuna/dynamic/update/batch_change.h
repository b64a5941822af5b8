#pragma once

#include "lacuna/dynamic/update/find_entries.h"
#include "lacuna/dynamic/update/updated_tensor.h"
#include "lacuna/tensor/entries.h"

namespace lacuna {

/// What a batch of updates changes: the entries that it touches are looked up before it, and again after it.
class BatchChange {
 public:
  /// To be made before the batch. `touched`: the coordinates of its updates, in any order, repeated ones, too; values
  /// are not looked at. Throws Error where a coordinate lies outside, or a level's file has no `find`. The engine
  /// must outlive this.
  BatchChange(Compiler& engine, const UpdatedTensor& tensor, const CoordinateList& touched,
              const Options& options = {});

  /// To be asked after the batch: what entries hold now less what they held, absent ones zero, in another type. Stored
  /// are the entries that came, went, or have another value, in compressed levels in the order of the tensor's.
  Storage difference(const UpdatedTensor& tensor, Type type) const;

 private:
  Compiler& engine_;
  Options options_;
  Entries touched_;  // sorted, each once
  FoundEntries before_;
};

/// Compressed levels in the order of a format's levels.
Format format_of_changes(const Format& format);

}  // namespace lacuna
