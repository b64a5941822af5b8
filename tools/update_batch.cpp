#include "tools/update_batch.h"

namespace lacuna::tool {

UpdateBatch::UpdateBatch(UpdateFile& file, std::int64_t most) {
  while (size() < most) {
    std::optional<UpdateLine> update = file.next();
    if (!update) return;
    updates_.push_back(std::move(*update));
  }
}

std::set<UpdateOperation> UpdateBatch::operations() const {
  std::set<UpdateOperation> all;
  for (const UpdateLine& each : updates_) all.insert(each.operation);
  return all;
}

CoordinateList UpdateBatch::coordinates(const std::vector<std::int64_t>& dimensions) const {
  CoordinateList all = list(0, updates_.size(), dimensions);
  all.values = Array::allocate(Type::UInt8, size(), true);
  return all;
}

CoordinateList UpdateBatch::list(std::size_t first, std::size_t past,
                                 const std::vector<std::int64_t>& dimensions) const {
  CoordinateList list{dimensions, {}, {}};
  for (std::size_t m = 0; m < dimensions.size(); ++m) {
    Array column = Array::allocate(Type::Int64, static_cast<std::int64_t>(past - first), false);
    const auto to = column.mutable_view<std::int64_t>();
    for (std::size_t n = first; n < past; ++n) to[n - first] = updates_[n].coordinate[m];
    list.coordinates.push_back(std::move(column));
  }
  return list;
}

UpdateBatch::Counts UpdateBatch::apply(UpdatedTensor& tensor, Type type) const {
  Counts counts;
  for (std::size_t first = 0, past = 0; first < updates_.size(); first = past) {
    const UpdateOperation operation = updates_[first].operation;
    while (past < updates_.size() && updates_[past].operation == operation) ++past;
    CoordinateList run = list(first, past, tensor.dimensions());
    run.values = Array::allocate(type, static_cast<std::int64_t>(past - first), false);
    auto* values = static_cast<std::byte*>(run.values.mutable_data());
    for (std::size_t n = first; n < past; ++n)
      updates_[n].value.store(values + (n - first) * static_cast<std::size_t>(size_of(type)));
    const std::int64_t changed = tensor.update(operation, run);
    (operation == UpdateOperation::Erase ? counts.erased : counts.inserted) += changed;
  }
  return counts;
}

}  // namespace lacuna::tool
