#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "lacuna/format/distribution/distribution.h"
#include "lacuna/notation/expr.h"
#include "lacuna/schedule/schedule.h"

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

/// `roots`: by target, the variable of the statement of which it is left. Of several accesses of the tensor, the first
/// that has all of them counts, that on the left side before those on the right. Throws Error where the tensor is not
/// of the statement, lies nowhere in particular, or cuts one of the targets not at all or by what it stores.
OwnPartition own_partition(const directive::Distribute& d, const std::vector<std::string>& roots,
                           const Statement& statement, const std::map<std::string, Distribution>& placed);

}  // namespace lacuna::launch
