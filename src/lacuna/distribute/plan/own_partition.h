#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "lacuna/format/distribution/distribution.h"
#include "lacuna/format/format.h"
#include "lacuna/notation/expr.h"
#include "lacuna/schedule/language/schedule.h"

namespace lacuna::launch {

/// How a loop is cut: as a dimension of a machine cuts a mode of some tensor.
struct LoopCut {
  Share share;
  std::int64_t pieces = 0;
  std::size_t dimension = 0;  // of the machine, of all of its levels
};

/// How `distribute` onto a tensor cuts its targets, and on which processors they run.
struct OwnPartition {
  std::vector<LoopCut> cuts;                 // by target
  std::map<std::size_t, std::int64_t> face;  // by dimension of the machine: where all of the tensor is
};

/// What `distribute` cuts.
struct CutTarget {
  std::string root;             // the variable of the statement of which it is left; of several fused, the outermost
  bool is_over_stored = false;  // it runs over stored entries, or over a piece of these;
  std::string stored_in = {};   // over all of them: in this tensor,
  int levels = 0;               // of so many of its levels
};

/// `formats`: those of the operands, and `result` that of the result, whose accesses come with it. Of several accesses
/// of the tensor, the first that has all of the targets counts, that on the left side before those on the right, unless
/// what is stored counts. Throws Error where the tensor is not of the statement, lies nowhere in
/// particular, or does not cut one of the targets: by what it stores it only cuts loops over just that.
OwnPartition own_partition(const directive::Distribute& d, const std::vector<CutTarget>& targets,
                           const Statement& statement, const std::map<std::string, Distribution>& placed,
                           const std::map<std::string, Format>& formats, const Format& result);

}  // namespace lacuna::launch
