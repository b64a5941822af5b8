#include "lacuna/distribute/execute/cut_operand.h"

namespace lacuna {

bool CutOperand::refresh(const LocalPart& source, const std::vector<IndexSet>& used) {
  if (values_) {
    values_->copy(source.storage.values.data(), part_.storage.values.mutable_data());
    return false;
  }
  part_ = cut(source, used);
  if (!was_cut_) {
    was_cut_ = true;
    const LocalPart numbers = cut(numbered(source), used);
    values_ = ValueMap::between(part_.storage, numbers.storage);
    take_own_values(part_);
  }
  return true;
}

}  // namespace lacuna
