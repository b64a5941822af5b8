#include <dlfcn.h>
#include <unistd.h>

#include <array>

#ifdef LACUNA_HAS_HWLOC
#include <hwloc.h>
#endif

#include "lacuna/support/processor.h"

namespace lacuna {
namespace {

/// As the C library knows them, which on some processors it does not.
CacheSizes system_sizes() {
  CacheSizes sizes{32 << 10, 1 << 20, 32 << 20};
  constexpr std::array names = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  for (std::size_t level = 0; level < sizes.size(); ++level)
    if (const long size = sysconf(names[level]); size > 0) sizes[level] = size;
  return sizes;
}

#ifdef LACUNA_HAS_HWLOC

/// The library, opened when it is needed: a program runs where there is none, too.
class Hwloc {
 public:
  Hwloc() : library_(dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL)) {}
  ~Hwloc() {
    if (library_ != nullptr) dlclose(library_);
  }
  Hwloc(const Hwloc&) = delete;
  Hwloc& operator=(const Hwloc&) = delete;

  bool is_there() const { return library_ != nullptr; }
  template <typename Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }

 private:
  void* library_;
};

CacheSizes read_sizes() {
  CacheSizes sizes = system_sizes();
  const Hwloc hwloc;
  if (!hwloc.is_there()) return sizes;
  const auto init = hwloc.find<decltype(hwloc_topology_init)>("hwloc_topology_init");
  const auto filter = hwloc.find<decltype(hwloc_topology_set_all_types_filter)>("hwloc_topology_set_all_types_filter");
  const auto filter_caches =
      hwloc.find<decltype(hwloc_topology_set_cache_types_filter)>("hwloc_topology_set_cache_types_filter");
  const auto load = hwloc.find<decltype(hwloc_topology_load)>("hwloc_topology_load");
  const auto depth_of = hwloc.find<decltype(hwloc_topology_get_depth)>("hwloc_topology_get_depth");
  const auto object_at = hwloc.find<decltype(hwloc_get_obj_by_depth)>("hwloc_get_obj_by_depth");
  const auto holds_data = hwloc.find<decltype(hwloc_obj_type_is_dcache)>("hwloc_obj_type_is_dcache");
  const auto destroy = hwloc.find<decltype(hwloc_topology_destroy)>("hwloc_topology_destroy");
  if (!init || !filter || !filter_caches || !load || !depth_of || !object_at || !holds_data || !destroy) return sizes;

  hwloc_topology_t machine = nullptr;
  if (init(&machine) != 0) return sizes;
  // Nothing but caches is looked for, which takes some milliseconds.
  filter(machine, HWLOC_TYPE_FILTER_KEEP_NONE);
  filter_caches(machine, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (load(machine) == 0) {
    for (int depth = 0; depth < depth_of(machine); ++depth) {
      const hwloc_obj_t object = object_at(machine, depth, 0);
      if (object == nullptr || holds_data(object->type) == 0) continue;
      const auto level = static_cast<std::size_t>(object->attr->cache.depth) - 1;
      if (level < sizes.size() && object->attr->cache.size > 0)
        sizes[level] = static_cast<std::int64_t>(object->attr->cache.size);
    }
  }
  destroy(machine);
  return sizes;
}

#else

CacheSizes read_sizes() { return system_sizes(); }

#endif

}  // namespace

const CacheSizes& cache_sizes() {
  static const CacheSizes sizes = read_sizes();
  return sizes;
}

}  // namespace lacuna
