#include "lacuna/distribute/run/reduction.h"

#include "lacuna/distribute/tensors/padding.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {

void Reduction::run(const Contributions& mine, const DistributedTensor* old, Communicator& ranks,
                    std::optional<DistributedTensor>& result) {
  if (!result || &result->layout() != prepared_.result_layout.get()) result.emplace(prepared_.result_layout, ranks);
  const OldPart part_of_old = [&](std::size_t part) { return old_values(*old, part); };
  if (!dense_ && !entries_) {
    if (prepared_.local_format().is_dense()) dense_.emplace(prepared_, ranks);
    else entries_.emplace(prepared_, again_, ranks);
  }
  if (dense_) dense_->run(mine, part_of_old, ranks, *result);
  else entries_->run(mine, part_of_old, ranks, *result);
  add_padding(*result, ranks);
  result->count_stored(ranks);
}

/// What the result held before, which its owner has.
LocalPart Reduction::old_values(const DistributedTensor& old, std::size_t part) const {
  const TensorPlacement::Part& owned = prepared_.reduction.owners.parts[part];
  LocalPart values = old.is_whole() ? local_part(old.whole(), owned.what) : old.part(static_cast<std::int64_t>(part));
  values.storage = convert_type(convert(values.storage, prepared_.local_format()), prepared_.sum_type);
  return values;
}

}  // namespace lacuna
