#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "lacuna/codegen/prelude/lacuna_kernel.h"
#include "lacuna/dynamic/nodes/supply.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// The nodes and values of a tensor that is updated in place: memory that update kernels resize, and that may be lent
/// to readers, who must not see it change.
class NodeMemory {
 public:
  /// A copy of a tensor's, which is in a format that updates_in_place.
  explicit NodeMemory(const Storage& tensor);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  ~NodeMemory();
  /// A copy with room for as much. `positions`: of the tensor's values, how many are in use.
  std::shared_ptr<NodeMemory> copy(std::int64_t positions) const;

  /// What kernels get memory from. A resize is noted here at once, so that nothing is lost where a kernel fails.
  lacuna_context context(int threads);
  /// Frees what a kernel that failed allocated beside.
  void release_temporaries();

  /// An array of a dynamic level, or the values (level -1).
  void* block(int level, std::size_t array) const;
  /// How large it is, with what is reserved.
  std::int64_t bytes(int level, std::size_t array) const;
  /// How many arrays a dynamic level has.
  std::size_t arrays(int level) const;
  /// The `values` of a dense last level have room for so many.
  void set_values_room(std::int64_t places) { values_room_ = places; }

  /// Twice the room for nodes and slots, and room for so many values. False where there are no more indices.
  bool grow(std::int64_t values_room);

  /// What a dynamic level takes nodes and slots from, and for each of these what was left over when threads shared it:
  /// ranges in ascending order that are in use as far as the level's record knows.
  const std::vector<Supply>& supplies(int level) const { return level_memory_.at(level).supplies; }
  std::vector<IndexRange>& spare(int level, std::size_t supply) { return level_memory_.at(level).spare[supply]; }
  /// Where a memory record says which class of segments is the largest.
  std::int64_t largest_of(int level) const { return level_memory_.at(level).largest; }
  /// Room for so many nodes or slots of one supply. Throws RuntimeFailure where there is no more memory.
  void grow(int level, const Supply& supply, std::int64_t room);
  /// Adds what another record of a level's memory says of the whole: the largest class, and whether it is full.
  void join_record(int level, const void* record);

  /// The tensor's arrays as they are now, filled into `tensor`, whose positions are set. Until the last of them goes,
  /// the memory is lent.
  void lend(const std::shared_ptr<NodeMemory>& self, Storage& tensor);
  /// Whether somebody may still read: then what wants to change it takes a copy.
  bool is_lent() const { return readers_.load(std::memory_order_acquire) > 0; }
  /// Whether a level's file took more memory than level files may.
  bool is_full() const;

 private:
  /// Offsets of 32-bit numbers in a level's memory record.
  struct InUseAt {
    std::int64_t next, limit;
  };
  struct Block {
    int level;
    std::size_t array;
    Type type;                   // as Storage holds it
    std::int64_t element_bytes;  // of a node or slot
    InUseAt in_use;              // of the memory record itself, `next` is where it says that it is full
    void* memory = nullptr;
  };
  struct LevelMemory {
    std::vector<Supply> supplies;
    std::vector<std::vector<IndexRange>> spare;  // by supply
    std::int64_t largest = 0, full = 0;          // offsets in the memory record
  };
  NodeMemory() = default;
  const Block& block_at(int level, std::size_t array) const;
  std::int64_t number(int level, std::int64_t offset) const { return record_number(block_at(level, 0).memory, offset); }
  static void resize_block(void*& memory, std::int64_t bytes);
  std::int64_t bytes_of(const Block& block, bool reserved) const;

  std::vector<Block> blocks_;
  std::map<int, LevelMemory> level_memory_;  // of dynamic levels
  Type type_ = Type::Float64;
  void* values_ = nullptr;
  std::int64_t values_room_ = 0;
  std::vector<void*> temporaries_;
  std::atomic<int> readers_{0};
};

}  // namespace lacuna
