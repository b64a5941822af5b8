#include "lacuna/dynamic/nodes/supply.h"

namespace lacuna {

std::vector<Supply> supplies_of(const schema::MemoryLayout& layout) {
  const auto taken = [&](const schema::InUse& in_use) {
    Supply supply;
    supply.next = layout.memory.at(in_use.next).offset;
    supply.limit = layout.memory.at(in_use.limit).offset;
    supply.free = layout.memory.at(in_use.free).offset;
    return supply;
  };
  std::vector<Supply> all;
  for (const schema::NodeLayout& each : layout.nodes) {
    Supply supply = taken(each.in_use);
    const schema::MemoryField& link = each.record.at(each.link);
    supply.of_roots = &each == &layout.root();
    supply.link_array = each.array;
    supply.link_offset = link.offset;
    supply.link_stride = each.record.size;
    supply.link_bytes = size_of(link.slot.type);
    all.push_back(supply);
  }
  for (const schema::PoolLayout& each : layout.pools) {
    Supply supply = taken(each.in_use);
    supply.of_nodes = false;
    supply.lists = static_cast<std::size_t>(schema::segment_classes);
    supply.link_array = each.link().array;
    supply.link_stride = size_of(each.link().slot.type);
    supply.least_segment = each.link_slots();
    supply.link_bytes = static_cast<int>(supply.link_stride * supply.least_segment);
    all.push_back(supply);
  }
  return all;
}

// A node's link is the index of the next one, null at the end; a segment's is the position of the next plus 1.
std::uint32_t FreeList::behind(std::uint32_t item) const {
  std::uint32_t link = 0;
  std::memcpy(&link, link_of(item), sizeof link);
  return supply_.of_nodes ? link + 1 : link;
}

void FreeList::set_behind(std::uint32_t item, std::uint32_t next) const {
  const std::uint64_t link = supply_.of_nodes ? static_cast<std::uint32_t>(next - 1) : next;
  std::memcpy(link_of(item), &link, static_cast<std::size_t>(supply_.link_bytes));
}

std::uint32_t FreeList::last(std::uint32_t item) const {
  for (std::uint32_t next = behind(item); next != 0; next = behind(item)) item = next;
  return item;
}

}  // namespace lacuna
