#include "lacuna/compile/update/updated_tensor.h"

#include <algorithm>
#include <cstring>

#include "lacuna/support/error.h"
#include "lacuna/tensor/entries.h"

namespace lacuna {
namespace {

/// What a storage is without its arrays.
Storage shape_of(const Storage& tensor) {
  Storage shape;
  shape.format = tensor.format;
  shape.type = tensor.type;
  shape.fill = tensor.fill;
  shape.dimensions = tensor.dimensions;
  for (const LevelStorage& from : tensor.levels) {
    LevelStorage level;
    level.extent = from.extent;
    internal_check(from.origin == 0, "a piece of a tensor is updated");
    shape.levels.push_back(std::move(level));
  }
  return shape;
}

UpdateRequest request_for_all(const Storage& tensor) {
  UpdateRequest request{tensor.format, tensor.type, {}, UpdateOperation::Add};
  for (int k = 0; k < tensor.order(); ++k)
    request.coordinates.push_back(coordinate_type(tensor.levels[static_cast<std::size_t>(k)].extent));
  return request;
}

}  // namespace

UpdatedTensor::UpdatedTensor(Engine& engine, const Storage& tensor, const Options& options)
    : engine_(engine),
      options_(options),
      shape_(shape_of(tensor)),
      request_(request_for_all(tensor)),
      count_{tensor.order()},
      counts_(static_cast<std::size_t>(count_.size())),
      coordinate_(static_cast<std::size_t>(tensor.order())) {
  internal_check(updates_in_place(tensor.format), "{} is not updated in place", tensor.format.to_string());
  memory_ = std::make_shared<NodeMemory>(tensor);
  for (std::size_t k = 0; k < tensor.levels.size(); ++k) counts_[k] = tensor.levels[k].positions;
  if (!tensor.format.has_values_in_nodes())
    counts_[static_cast<std::size_t>(count_.capacity())] = tensor.values.size() / block_of_values();
  set_addresses();
}

/// How many values there are under an entry of the last level that is not dense.
std::int64_t UpdatedTensor::block_of_values() const {
  std::int64_t block = 1;
  for (int k = shape_.order() - 1; k >= 0 && !shape_.format.level(k).is_dynamic(); --k)
    block *= std::max<std::int64_t>(shape_.levels[static_cast<std::size_t>(k)].extent, 1);
  return block;
}

/// Points the descriptors at the memory.
void UpdatedTensor::set_addresses() {
  std::size_t arrays = 0;
  levels_.assign(shape_.levels.size(), {});
  batch_levels_.resize(shape_.levels.size());
  for (int k = 0; k < shape_.order(); ++k)
    if (shape_.format.level(k).is_dynamic()) arrays += memory_->arrays(k);
  nodes_.assign(arrays, {});
  std::size_t next = 0;
  for (int k = 0; k < shape_.order(); ++k) {
    lacuna_level& level = levels_[static_cast<std::size_t>(k)];
    level.extent = shape_.levels[static_cast<std::size_t>(k)].extent;
    if (!shape_.format.level(k).is_dynamic()) continue;
    level.nodes = &nodes_[next];
    level.node_arrays = static_cast<std::int64_t>(memory_->arrays(k));
    for (std::size_t a = 0; a < memory_->arrays(k); ++a) nodes_[next++].data = memory_->block(k, a);
  }
  tensor_.version = batch_.version = LACUNA_ABI_VERSION;
  tensor_.order = shape_.order();
  tensor_.levels = levels_.data();
  tensor_.vals.data = memory_->block(-1, 0);
  batch_.levels = batch_levels_.data();
  batch_levels_[0].pos.data = counts_.data();
}

/// What was lent is not changed any more.
void UpdatedTensor::own_memory() {
  if (!memory_->is_lent()) return;
  memory_ = memory_->copy(values_in_use());
  set_addresses();
}

std::int64_t UpdatedTensor::values_in_use() const {
  for (int k = shape_.order() - 1; k >= 0; --k)
    if (shape_.format.level(k).is_dynamic()) return counts_[static_cast<std::size_t>(k)] * block_of_values();
  return 0;
}

const UpdatePlan& UpdatedTensor::plan(UpdateOperation operation) {
  auto& plan = plans_[static_cast<std::size_t>(operation)];
  if (plan == nullptr) {
    request_.operation = operation;
    plan = engine_.update_plan(request_, options_);
  }
  return *plan;
}

bool UpdatedTensor::update(UpdateOperation operation, std::span<const std::int64_t> coordinate, const Scalar& value) {
  plan(operation);  // which may refuse
  own_memory();
  for (int k = 0; k < shape_.order(); ++k) {
    const auto level = static_cast<std::size_t>(k);
    const std::int64_t c = coordinate[static_cast<std::size_t>(shape_.format.map().mode_of(k))];
    if (request_.coordinates[level] == Type::Int32) {
      const auto narrow = static_cast<std::int32_t>(c);
      std::memcpy(coordinate_[level].data(), &narrow, sizeof narrow);
    } else {
      std::memcpy(coordinate_[level].data(), &c, sizeof c);
    }
    batch_levels_[level].crd.data = coordinate_[level].data();
  }
  if (operation != UpdateOperation::Erase) value.store(value_.data());
  batch_.vals.data = value_.data();
  return run(operation, 1) > 0;
}

std::int64_t UpdatedTensor::update(UpdateOperation operation, const CoordinateList& updates) {
  plan(operation);
  Entries entries = entries_by_level(updates, shape_.format);
  if (entries.size() == 0) return 0;
  const int threads = options_.target.threads;
  if (sortedness(entries.columns) == Sortedness::Unsorted) {
    const Array order = sorted_order(entries.columns, entries.extents, threads);
    for (Array& column : entries.columns) column = gather(column, order, threads);
    if (operation != UpdateOperation::Erase) entries.values = gather(entries.values, order, threads);
  }
  own_memory();
  for (std::size_t k = 0; k < entries.columns.size(); ++k)
    batch_levels_[k].crd.data = const_cast<void*>(entries.columns[k].data());
  batch_.vals.data = const_cast<void*>(entries.values.data());
  return run(operation, entries.size());
}

/// Runs a kernel on the batch that the descriptors hold.
std::int64_t UpdatedTensor::run(UpdateOperation operation, std::int64_t count) {
  const UpdatePlan& kernel = plan(operation);
  std::int64_t& changed = counts_[static_cast<std::size_t>(count_.changed())];
  std::int64_t& done = counts_[static_cast<std::size_t>(count_.done())];
  changed = done = 0;
  batch_levels_[0].positions = count;
  batch_levels_[0].extent = kernel.interpreter ? 0 : 1;
  if (kernel.interpreter) interpret_all(kernel, count);
  else call(kernel);
  if (memory_->is_full())
    throw RuntimeFailure(fmt::format("a level of {} took more memory than functions of levels may; the tensor is lost",
                                     shape_.format.to_string()));
  if (done < count)
    throw RuntimeFailure(
        fmt::format("a level of {} has no room for more entries: there are 2^32 - 1 nodes of a type at most; {} of {} "
                    "updates were made",
                    shape_.format.to_string(), done, count));
  return changed;
}

void UpdatedTensor::call(const UpdatePlan& plan) {
  lacuna_context context = memory_->context(1);
  lacuna_tensor* arguments[] = {&tensor_, &batch_};
  const std::int32_t status = plan.kernel.entry()(&context, arguments);
  memory_->set_values_room(counts_[static_cast<std::size_t>(count_.capacity())] * block_of_values());
  if (status == LACUNA_OK) return;
  memory_->release_temporaries();
  set_addresses();
  internal_check(status == LACUNA_OUT_OF_MEMORY, "an update kernel returned status {}", status);
  throw RuntimeFailure(fmt::format("out of memory while a tensor in the format {} was updated; {} updates were made",
                                   shape_.format.to_string(), counts_[static_cast<std::size_t>(count_.done())]));
}

Storage UpdatedTensor::storage() const {
  Storage tensor = shape_;
  std::int64_t parents = 1;
  for (int k = 0; k < tensor.order(); ++k) {
    LevelStorage& level = tensor.levels[static_cast<std::size_t>(k)];
    const bool dynamic = tensor.format.level(k).is_dynamic();
    level.positions = parents = dynamic ? counts_[static_cast<std::size_t>(k)] : parents * level.extent;
  }
  memory_->lend(memory_, tensor);
  return tensor;
}

}  // namespace lacuna
