#include "lacuna/dynamic/memory/copy_nodes.h"

#include <cstring>

#include "lacuna/dynamic/schema/copied_layout.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/nodes.h"

namespace lacuna::nodes {
namespace {

using schema::MemoryLayout;

class Copier {
 public:
  Copier(const Storage& tensor, int level, Type value, int threads)
      : nodes_(arrays_of(tensor, level)),
        from_(nodes_.layout()),
        to_(from_.schema, {from_.types.coordinate, value}),
        level_(tensor.levels[static_cast<std::size_t>(level)]),
        threads_(threads) {
    internal_check(schema::has_like_segments(from_, to_), "nodes are copied whose segments have other sizes");
  }

  LevelStorage run() const {
    LevelStorage copy = level_;
    if (from_.types == to_.types) {
      for (Array& each : copy.nodes) each = whole(each);
      return copy;
    }
    copy.nodes.assign(to_.arrays, {});
    copy.nodes[0] = memory_record();
    for (std::size_t n = 0; n < to_.nodes.size(); ++n)
      copy.nodes[to_.nodes[n].array] = arena(from_.nodes[n], to_.nodes[n]);
    for (std::size_t n = 0; n < to_.pools.size(); ++n)
      for (const auto& [name, member] : to_.pools[n].members)
        copy.nodes[member.array] = slots(from_.pools[n].in_use, from_.pools[n].members.at(name), member);
    return copy;
  }

 private:
  Array whole(const Array& from) const {
    Array made = Array::allocate(from.type(), from.size(), false);
    const auto* const source = static_cast<const std::byte*>(from.data());
    auto* const target = static_cast<std::byte*>(made.mutable_data());
    run_chunks(worthwhile_threads(threads_, from.bytes()), from.bytes(),
               [&](int, std::int64_t begin, std::int64_t end) {
                 if (begin < end) std::memcpy(target + begin, source + begin, static_cast<std::size_t>(end - begin));
               });
    return made;
  }

  /// Links may lie in other fields, so nothing is said to be free.
  Array memory_record() const {
    Array made = level_.nodes[0].copy();
    auto* const bytes = static_cast<std::byte*>(made.mutable_data());
    const auto forget = [&](const schema::InUse& in_use) {
      const schema::MemoryField& free = to_.memory.at(in_use.free);
      const std::int64_t size = std::max<std::int64_t>(free.count, 1) * size_of(free.slot.type);
      std::memset(bytes + free.offset, 0, static_cast<std::size_t>(size));
    };
    for (const schema::NodeLayout& each : to_.nodes) forget(each.in_use);
    for (const schema::PoolLayout& each : to_.pools) forget(each.in_use);
    return made;
  }

  Array arena(const schema::NodeLayout& from, const schema::NodeLayout& to) const {
    const std::int64_t used = nodes_.memory(from.in_use.next), room = nodes_.memory(from.in_use.limit);
    Array made = Array::allocate(Type::UInt8, room * to.record.size, true);
    const std::vector<schema::CopiedBytes> runs = schema::copied_bytes(from.record, to.record);
    const auto* const source = static_cast<const std::byte*>(level_.nodes[from.array].data());
    auto* const target = static_cast<std::byte*>(made.mutable_data());
    run_chunks(worthwhile_threads(threads_, used), used, [&](int, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k)
        for (const schema::CopiedBytes& each : runs)
          std::memcpy(target + k * to.record.size + each.to, source + k * from.record.size + each.from,
                      static_cast<std::size_t>(each.size));
    });
    return made;
  }

  Array slots(const schema::InUse& in_use, const schema::PoolLayout::Member& from,
              const schema::PoolLayout::Member& to) const {
    const std::int64_t used = nodes_.memory(in_use.next), room = nodes_.memory(in_use.limit);
    Array made = Array::allocate(to.slot.type, room, true);
    if (to.slot.is_value) return made;
    const std::int64_t width = size_of(to.slot.type);
    const auto* const source = static_cast<const std::byte*>(level_.nodes[from.array].data());
    auto* const target = static_cast<std::byte*>(made.mutable_data());
    run_chunks(worthwhile_threads(threads_, used), used, [&](int, std::int64_t begin, std::int64_t end) {
      if (begin < end)
        std::memcpy(target + begin * width, source + begin * width, static_cast<std::size_t>((end - begin) * width));
    });
    return made;
  }

  const LevelNodes nodes_;
  const MemoryLayout& from_;
  const MemoryLayout to_;
  const LevelStorage& level_;
  int threads_;
};

}  // namespace

LevelStorage with_other_values(const Storage& tensor, int level, Type value, int threads) {
  return Copier(tensor, level, value, threads).run();
}

}  // namespace lacuna::nodes
