#pragma once

#include <set>
#include <vector>

#include "lacuna/dynamic/update/updated_tensor.h"
#include "tools/update_file.h"

namespace lacuna::tool {

/// The updates that are made before the statement is evaluated again.
class UpdateBatch {
 public:
  /// Takes the next `most` updates of a file, or as many as there are. Throws Error for a line that is none.
  UpdateBatch(UpdateFile& file, std::int64_t most);

  std::int64_t size() const { return static_cast<std::int64_t>(updates_.size()); }
  std::set<UpdateOperation> operations() const;
  /// The coordinates of all updates, without values.
  CoordinateList coordinates(const std::vector<std::int64_t>& dimensions) const;

  struct Counts {
    std::int64_t inserted = 0, erased = 0;
  };
  /// Makes the updates, those of one kind that follow each other at once.
  Counts apply(UpdatedTensor& tensor, Type type) const;

 private:
  CoordinateList list(std::size_t first, std::size_t past, const std::vector<std::int64_t>& dimensions) const;

  std::vector<UpdateLine> updates_;
};

}  // namespace lacuna::tool
