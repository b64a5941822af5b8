#include "lacuna/distribute/run/cut_operand.h"

namespace lacuna {

bool CutOperand::refresh(const std::vector<IndexSet>& sets, const Storage& source, const std::vector<IndexSet>& used) {
  if (values_) {
    values_->copy(source.values.data(), part_.storage.values.mutable_data());
    return false;
  }
  const LocalPart all{sets, source};
  part_ = cut(all, used);
  if (!was_cut_) {
    was_cut_ = true;
    const LocalPart numbers = cut(numbered(all), used);
    values_ = ValueMap::between(part_.storage, numbers.storage);
    take_own_values(part_);
  }
  return true;
}

}  // namespace lacuna
