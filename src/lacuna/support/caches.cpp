#include <hwloc.h>

#include "lacuna/support/processor.h"

namespace lacuna {
namespace {

CacheSizes read_sizes() {
  CacheSizes sizes{32 << 10, 1 << 20, 32 << 20};
  hwloc_topology_t machine = nullptr;
  if (hwloc_topology_init(&machine) != 0) return sizes;
  // Nothing but caches is looked for, which takes some milliseconds.
  hwloc_topology_set_all_types_filter(machine, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_cache_types_filter(machine, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (hwloc_topology_load(machine) == 0) {
    for (int depth = 0; depth < hwloc_topology_get_depth(machine); ++depth) {
      const hwloc_obj_t object = hwloc_get_obj_by_depth(machine, static_cast<unsigned>(depth), 0);
      if (object == nullptr || hwloc_obj_type_is_dcache(object->type) == 0) continue;
      const auto level = static_cast<std::size_t>(object->attr->cache.depth) - 1;
      if (level < sizes.size() && object->attr->cache.size > 0)
        sizes[level] = static_cast<std::int64_t>(object->attr->cache.size);
    }
  }
  hwloc_topology_destroy(machine);
  return sizes;
}

}  // namespace

const CacheSizes& cache_sizes() {
  static const CacheSizes sizes = read_sizes();
  return sizes;
}

}  // namespace lacuna
