#pragma once

#include <span>
#include <vector>

#include "lacuna/compile/plan/update_plan.h"
#include "lacuna/dynamic/memory/node_memory.h"

namespace lacuna {

/// What an update kernel is called with: the descriptors of a tensor and of a batch, and what it counts.
class KernelArguments {
 public:
  /// Of a tensor of this shape; `coordinates` are the types of a batch's coordinates, by level.
  KernelArguments(const Storage& shape, std::vector<Type> coordinates);
  KernelArguments(const KernelArguments&) = delete;
  KernelArguments& operator=(const KernelArguments&) = delete;

  /// Points to the arrays as they lie now.
  void set_memory(const NodeMemory& memory);
  /// Another memory record of a dynamic level than that of the memory.
  void set_record(int level, void* record) { levels_[static_cast<std::size_t>(level)].nodes[0].data = record; }
  /// `columns`: coordinates by level.
  void set_batch(const std::vector<const void*>& columns, const void* values, std::int64_t updates);
  /// Updates [begin, begin + updates) of what the batch is now.
  void cut_batch(std::int64_t begin, std::int64_t updates);

  std::int64_t& count(int which) { return counts_[line + static_cast<std::size_t>(which)]; }
  std::int64_t count(int which) const { return counts_[line + static_cast<std::size_t>(which)]; }
  std::int64_t updates() const { return batch_levels_[0].positions; }

  /// Runs a kernel; returns its status. `may_grow`: whether `context` may be asked to resize the arrays.
  std::int32_t call(const UpdatePlan& plan, lacuna_context context, bool may_grow);
  /// The same in the checking interpreter, where memory that is given cannot grow.
  void interpret(const UpdatePlan& plan, const NodeMemory& memory, const loop::InterpretOptions& options);

 private:
  loop::Binding binding(const Slot& slot, const loop::IrType& type, const NodeMemory& memory) const;

  // The counts of two threads do not lie in one cache line.
  static constexpr std::size_t line = 8;

  Type type_;
  std::vector<Type> coordinates_;
  std::vector<lacuna_level> levels_, batch_levels_;
  std::vector<lacuna_array> nodes_;  // of all dynamic levels
  lacuna_tensor tensor_{}, batch_{};
  std::vector<std::int64_t> counts_;
};

}  // namespace lacuna
