#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "lacuna/compile/engine/compiler.h"
#include "lacuna/compile/plan/update_plan.h"
#include "lacuna/dynamic/memory/node_memory.h"
#include "lacuna/dynamic/update/batch_shares.h"
#include "lacuna/dynamic/update/kernel_arguments.h"
#include "lacuna/tensor/entries.h"

namespace lacuna {

/// A tensor whose entries change in place: one in a format that updates_in_place (dynamic/kernels/update.h). What was
/// read of it stays as it was: while a storage() is still held somewhere, the next update changes a copy of all memory,
/// and from then on that copy. One thread updates, others may read what they hold. For large batches, that one asks
/// others for help, as many as the options allow.
class UpdatedTensor {
 public:
  /// Begins with a copy of the tensor. The engine must outlive this.
  UpdatedTensor(Compiler& engine, const Storage& tensor, const Options& options = {});
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
  /// up once, and made by several threads where they are many and the format updates_in_shares. Returns how many
  /// entries are new; of Erase, how many were there. Throws Error before anything changes where a coordinate lies
  /// outside; RuntimeFailure as above, and then some of the updates may be made.
  std::int64_t update(UpdateOperation operation, const CoordinateList& updates);

  /// When threads share a batch; for tests.
  void set_sharing(const SharingOptions& sharing) { sharing_ = sharing; }

  /// The tensor as it is now.
  Storage storage() const;
  /// Throws Error where the functions of a level file did not leave the nodes as they must be (check_nodes.h). Updates
  /// do so themselves, after each of the first ones and then whenever there were twice as many as the last time, since
  /// it takes time for all that is stored.
  void check_nodes();

 private:
  /// A sorted batch.
  struct Batch {
    UpdateOperation operation;
    std::vector<const void*> columns;  // by level
    const void* values;
    std::int64_t updates;
  };
  /// What a kernel did.
  struct Ran {
    std::int64_t done = 0, changed = 0;
    bool out_of_memory = false;
  };
  const UpdatePlan& plan(UpdateOperation operation, UpdatePart part = UpdatePart::Whole);
  void own_memory();
  void arrange(Entries& sorted) const;
  std::int64_t make_in_shares(const Batch& batch, std::vector<BatchShare> shares);
  Ran run(const UpdatePlan& plan, const Batch& batch, std::int64_t begin, std::int64_t end);
  Ran run(const UpdatePlan& plan);
  bool call(const UpdatePlan& plan);
  void interpret(const UpdatePlan& plan);
  void check(const Ran& ran, std::int64_t updates);
  void forget_nonempty();
  std::int64_t run_noted(const Batch& batch, std::int64_t begin, std::int64_t end);
  bool is_tried_singly() const;
  void note_updates(UpdateOperation operation, std::int64_t updates);
  bool has_dynamic_level_above() const;
  std::int64_t values_in_use() const;
  std::int64_t block_of_values() const;

  Compiler& engine_;
  Options options_;
  Storage shape_;  // without arrays
  UpdateRequest request_;
  UpdateCounts count_;
  SharingOptions sharing_;
  std::array<std::array<std::shared_ptr<const UpdatePlan>, 4>, 3> plans_;  // by part and operation
  std::shared_ptr<NodeMemory> memory_;
  KernelArguments arguments_;                         // of kernels that this thread runs; positions by level
  std::vector<std::array<std::byte, 8>> coordinate_;  // of a single update, by level
  std::vector<const void*> coordinate_addresses_;
  std::array<std::byte, 16> value_{};
  std::int64_t updates_ = 0, checked_updates_ = 0;  // so far, and when the nodes were looked at last
  bool inserted_ = false, erased_ = false;          // since then
};

}  // namespace lacuna
