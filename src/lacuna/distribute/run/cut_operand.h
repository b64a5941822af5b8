#pragma once

#include <optional>
#include <vector>

#include "lacuna/distribute/parts/local_part.h"
#include "lacuna/distribute/parts/value_map.h"

namespace lacuna {

/// What a kernel uses of a part whose values change. The first time it is cut out of it, to see where the values go;
/// from then on these go there.
class CutOperand {
 public:
  /// Takes the values of a part, whose pattern is always the same. Whether they are in other memory than before.
  bool refresh(const std::vector<IndexSet>& sets, const Storage& source, const std::vector<IndexSet>& used);
  bool refresh(const LocalPart& source, const std::vector<IndexSet>& used) {
    return refresh(source.sets, source.storage, used);
  }
  const Storage& storage() const { return part_.storage; }

 private:
  LocalPart part_;
  std::optional<ValueMap> values_;  // where they come from, if that is known
  bool was_cut_ = false;
};

}  // namespace lacuna
