#include "lacuna/support/machine_memory.h"

#include <unistd.h>

#include <limits>

namespace lacuna {

std::int64_t machine_memory() {
  const std::int64_t pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? pages * bytes : std::numeric_limits<std::int64_t>::max();
}

}  // namespace lacuna
