#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "lacuna/compile/engine.h"
#include "lacuna/compile/update/node_memory.h"
#include "lacuna/compile/update_plan.h"

namespace lacuna {

/// A tensor whose entries change in place: one in a format that updates_in_place (lower/update/update.h). What was read
/// of it stays as it was: while a storage() is still held somewhere, the next update changes a copy of all memory, and
/// from then on that copy. One thread updates, others may read what they hold.
class UpdatedTensor {
 public:
  /// Begins with a copy of the tensor. The engine must outlive this.
  UpdatedTensor(Engine& engine, const Storage& tensor, const Options& options = {});
  UpdatedTensor(const UpdatedTensor&) = delete;
  UpdatedTensor& operator=(const UpdatedTensor&) = delete;

  const Format& format() const { return shape_.format; }
  const std::vector<std::int64_t>& dimensions() const { return shape_.dimensions; }

  /// Makes the kernel of an operation, which the first of it would make otherwise. Throws Error where update does.
  void prepare(UpdateOperation operation) { plan(operation); }

  /// Updates one entry. The coordinate lies inside the dimensions (by mode), and `value` is of the tensor's type.
  /// Returns whether the entry is new; of Erase, whether it was there. Throws Error where the format's levels cannot be
  /// updated so, and RuntimeFailure where there is no more memory: then the update is not made.
  bool update(UpdateOperation operation, std::span<const std::int64_t> coordinate, const Scalar& value = {});
  /// Updates many entries, those of equal coordinates in the order given. They are sorted, so that each tree is looked
  /// up once. Returns how many entries are new; of Erase, how many were
  /// there. Throws Error before anything changes where a coordinate lies outside; RuntimeFailure as above, and then
  /// some of the updates may be made.
  std::int64_t update(UpdateOperation operation, const CoordinateList& updates);

  /// The tensor as it is now.
  Storage storage() const;

 private:
  const UpdatePlan& plan(UpdateOperation operation);
  void own_memory();
  void set_addresses();
  std::int64_t run(UpdateOperation operation, std::int64_t count);
  void call(const UpdatePlan& plan);
  void interpret(const UpdatePlan& plan, std::int64_t count);
  void interpret_all(const UpdatePlan& plan, std::int64_t count);
  std::int64_t values_in_use() const;
  std::int64_t block_of_values() const;

  Engine& engine_;
  Options options_;
  Storage shape_;  // without arrays
  UpdateRequest request_;
  UpdateCounts count_;
  std::array<std::shared_ptr<const UpdatePlan>, 4> plans_;  // by operation
  std::shared_ptr<NodeMemory> memory_;
  // What kernels get.
  std::vector<lacuna_level> levels_, batch_levels_;
  std::vector<lacuna_array> nodes_;
  lacuna_tensor tensor_{}, batch_{};
  std::vector<std::int64_t> counts_;
  std::vector<std::array<std::byte, 8>> coordinate_;  // of a single update, by level
  std::array<std::byte, 16> value_{};
};

}  // namespace lacuna
