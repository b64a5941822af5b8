#include "lacuna/distribute/run/reduction.h"

#include "lacuna/distribute/tensors/padding.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {

void Reduction::begin(const Contributions& mine, const DistributedTensor* old, Communicator& ranks,
                      std::optional<DistributedTensor>& result) {
  if (!dense_ && !entries_) {
    if (prepared_.local_format().is_dense()) dense_.emplace(prepared_, ranks);
    else entries_.emplace(prepared_, again_, ranks);
  }
  run_ = {&mine, old, &ranks, &result};
}

/// Entries are brought in the end: where their values go depends on what all steps compute.
void Reduction::reduce(std::size_t step) {
  const OldPart old = [this](std::size_t part) { return old_values(part); };
  if (dense_) dense_->reduce(step, *run_.mine, old, *run_.ranks);
}

void Reduction::finish() {
  const OldPart old = [this](std::size_t part) { return old_values(part); };
  std::optional<DistributedTensor>& result = *run_.result;
  if (!result || &result->layout() != prepared_.result_layout.get())
    result.emplace(prepared_.result_layout, *run_.ranks);
  if (dense_) dense_->finish(*run_.mine, old, *run_.ranks, *result);
  else entries_->run(*run_.mine, old, *run_.ranks, *result);
  add_padding(*result, *run_.ranks);
  result->count_stored(*run_.ranks);
  run_ = {};
}

/// What the result held before, which its owner has.
LocalPart Reduction::old_values(std::size_t part) const {
  const DistributedTensor& old = *run_.old;
  const TensorPlacement::Part& owned = prepared_.reduction.owners.parts[part];
  LocalPart values = old.is_whole() ? local_part(old.whole(), owned.what) : old.part(static_cast<std::int64_t>(part));
  values.storage = convert_type(convert(values.storage, prepared_.local_format()), prepared_.sum_type);
  return values;
}

}  // namespace lacuna
