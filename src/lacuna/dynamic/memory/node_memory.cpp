#include "lacuna/dynamic/memory/node_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "lacuna/jit/threads.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/nodes.h"

namespace lacuna {
namespace {

void* allocated(std::int64_t bytes) {
  // Null means that there is no memory.
  void* memory = allocate_unzeroed(static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1)));
  if (memory == nullptr) throw RuntimeFailure(fmt::format("out of memory: {} bytes for a tensor to be changed", bytes));
  return memory;
}

void* copied(const void* from, std::int64_t used, std::int64_t reserved) {
  void* memory = allocated(reserved);
  if (used > 0) std::memcpy(memory, from, static_cast<std::size_t>(used));
  return memory;
}

/// Ends a loan when the last array that was lent goes.
class Loan {
 public:
  Loan(std::shared_ptr<NodeMemory> memory, std::atomic<int>& readers) : memory_(std::move(memory)), readers_(readers) {
    readers_.fetch_add(1, std::memory_order_relaxed);
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  // What was read happened before whoever finds no readers writes.
  ~Loan() { readers_.fetch_sub(1, std::memory_order_release); }

 private:
  std::shared_ptr<NodeMemory> memory_;
  std::atomic<int>& readers_;
};

}  // namespace

NodeMemory::NodeMemory(const Storage& tensor) : type_(tensor.type) {
  for (int k = 0; k < tensor.order(); ++k) {
    if (!tensor.format.level(k).is_dynamic()) continue;
    const schema::MemoryLayout layout = nodes::layout_of(tensor, k);
    const auto offset = [&](const std::string& field) { return layout.memory.at(field).offset; };
    blocks_.push_back({k, 0, Type::UInt8, layout.memory.size, {offset(layout.full), -1}});
    for (const schema::NodeLayout& each : layout.nodes)
      blocks_.push_back(
          {k, each.array, Type::UInt8, each.record.size, {offset(each.in_use.next), offset(each.in_use.limit)}});
    for (const schema::PoolLayout& each : layout.pools)
      for (const auto& [name, member] : each.members)
        blocks_.push_back({k,
                           member.array,
                           member.slot.type,
                           size_of(member.slot.type),
                           {offset(each.in_use.next), offset(each.in_use.limit)}});
    std::vector<Supply> supplies = supplies_of(layout);
    std::vector<std::vector<IndexRange>> spare(supplies.size());
    level_memory_[k] = {std::move(supplies), std::move(spare), offset(layout.largest), offset(layout.full)};
  }
  for (Block& each : blocks_) {
    const Array& from = tensor.levels[static_cast<std::size_t>(each.level)].nodes[each.array];
    each.memory = const_cast<void*>(from.data());
  }
  // As if it were lent: what follows copies all of it.
  std::vector<void*> own;
  for (const Block& each : blocks_) own.push_back(copied(each.memory, bytes_of(each, false), bytes_of(each, true)));
  for (std::size_t k = 0; k < own.size(); ++k) blocks_[k].memory = own[k];
  if (tensor.format.has_values_in_nodes()) return;
  values_room_ = tensor.values.size();
  values_ = copied(tensor.values.data(), tensor.values.bytes(), tensor.values.bytes());
}

NodeMemory::~NodeMemory() {
  for (const Block& each : blocks_) give_back(each.memory);
  give_back(values_);
  release_temporaries();
}

std::shared_ptr<NodeMemory> NodeMemory::copy(std::int64_t positions) const {
  std::shared_ptr<NodeMemory> made(new NodeMemory());
  made->type_ = type_;
  made->values_room_ = values_room_;
  made->level_memory_ = level_memory_;
  for (const Block& each : blocks_) {
    made->blocks_.push_back(each);
    made->blocks_.back().memory = nullptr;
    made->blocks_.back().memory = copied(each.memory, bytes_of(each, false), bytes_of(each, true));
  }
  if (values_ != nullptr) made->values_ = copied(values_, positions * size_of(type_), values_room_ * size_of(type_));
  return made;
}

std::int64_t NodeMemory::bytes_of(const Block& block, bool reserved) const {
  if (block.array == 0) return block.element_bytes;
  return block.element_bytes * number(block.level, reserved ? block.in_use.limit : block.in_use.next);
}

const NodeMemory::Block& NodeMemory::block_at(int level, std::size_t array) const {
  const auto found = std::find_if(blocks_.begin(), blocks_.end(),
                                  [&](const Block& each) { return each.level == level && each.array == array; });
  internal_check(found != blocks_.end(), "level {} has no array {} of nodes", level, array);
  return *found;
}

void* NodeMemory::block(int level, std::size_t array) const {
  return level < 0 ? values_ : block_at(level, array).memory;
}

std::int64_t NodeMemory::bytes(int level, std::size_t array) const {
  return level < 0 ? values_room_ * size_of(type_) : bytes_of(block_at(level, array), true);
}

std::size_t NodeMemory::arrays(int level) const {
  return static_cast<std::size_t>(
      std::count_if(blocks_.begin(), blocks_.end(), [&](const Block& each) { return each.level == level; }));
}

void NodeMemory::resize_block(void*& memory, std::int64_t bytes) {
  void* moved = resized(memory, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1)));
  if (moved == nullptr) throw RuntimeFailure(fmt::format("out of memory: {} bytes for a tensor to be changed", bytes));
  memory = moved;
}

bool NodeMemory::grow(std::int64_t values_room) {
  constexpr std::int64_t most = 0xffffffff;
  bool grew = false;
  std::vector<std::uint32_t> limits;
  for (Block& each : blocks_) {
    const std::int64_t limit = each.array == 0 ? 0 : number(each.level, each.in_use.limit);
    // A first array without bound may need eight slots, and a call 64 nodes.
    limits.push_back(static_cast<std::uint32_t>(std::min(2 * limit + 64, most)));
    if (each.array == 0) continue;
    resize_block(each.memory, each.element_bytes * limits.back());
    grew = grew || limits.back() > limit;
  }
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    if (blocks_[k].array == 0) continue;
    auto* record = static_cast<std::byte*>(block_at(blocks_[k].level, 0).memory);
    std::memcpy(record + blocks_[k].in_use.limit, &limits[k], sizeof limits[k]);
  }
  if (values_ == nullptr) return grew;
  resize_block(values_, values_room * size_of(type_));
  values_room_ = values_room;
  return true;
}

void NodeMemory::grow(int level, const Supply& supply, std::int64_t room) {
  for (Block& each : blocks_)
    if (each.level == level && each.array != 0 && each.in_use.limit == supply.limit)
      resize_block(each.memory, each.element_bytes * room);
  set_record_number(block_at(level, 0).memory, supply.limit, room);
}

void NodeMemory::join_record(int level, const void* record) {
  const LevelMemory& of = level_memory_.at(level);
  auto* own = static_cast<std::byte*>(block_at(level, 0).memory);
  const std::int64_t largest = std::max(record_number(own, of.largest), record_number(record, of.largest));
  set_record_number(own, of.largest, largest);
  own[of.full] |= static_cast<const std::byte*>(record)[of.full];
}

lacuna_context NodeMemory::context(int threads) {
  const auto allocate = [](void* state, std::size_t bytes, std::int32_t zeroed) {
    auto& self = *static_cast<NodeMemory*>(state);
    void* memory = zeroed != 0 ? allocate_zeroed(bytes) : allocate_unzeroed(bytes);
    if (memory != nullptr) self.temporaries_.push_back(memory);
    return memory;
  };
  const auto resize = [](void* state, void* memory, std::size_t bytes) {
    auto& self = *static_cast<NodeMemory*>(state);
    void** holder = &self.values_;
    for (Block& each : self.blocks_)
      if (each.memory == memory) holder = &each.memory;
    void* moved = resized(memory, bytes);
    if (moved != nullptr) *holder = moved;
    return moved;
  };
  const auto release = [](void* state, void* memory) {
    std::erase(static_cast<NodeMemory*>(state)->temporaries_, memory);
    give_back(memory);
  };
  return {this, allocate, resize, release, parallel_for, threads};
}

void NodeMemory::release_temporaries() {
  for (void* each : temporaries_) give_back(each);
  temporaries_.clear();
}

void NodeMemory::lend(const std::shared_ptr<NodeMemory>& self, Storage& tensor) {
  const auto loan = std::make_shared<const Loan>(self, readers_);
  for (const Block& each : blocks_) {
    LevelStorage& level = tensor.levels[static_cast<std::size_t>(each.level)];
    if (level.nodes.size() <= each.array) level.nodes.resize(each.array + 1);
    level.nodes[each.array] = Array::borrow(each.type, each.memory, bytes_of(each, true) / size_of(each.type), loan);
  }
  tensor.values = values_ == nullptr ? Array::allocate(type_, 0, false)
                                     : Array::borrow(type_, values_, tensor.levels.back().positions, loan);
}

bool NodeMemory::is_full() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [](const Block& each) {
    return each.array == 0 && static_cast<const std::uint8_t*>(each.memory)[each.in_use.next] != 0;
  });
}

}  // namespace lacuna
