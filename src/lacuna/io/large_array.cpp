#include "lacuna/io/large_array.h"

#include <sys/mman.h>

namespace lacuna {

Array allocate_large(Type type, std::int64_t size) {
  Array array = Array::allocate(type, size, false);
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t large_page = std::uintptr_t{1} << 21U;
  const auto begin = reinterpret_cast<std::uintptr_t>(array.data());
  const std::uintptr_t aligned = (begin + large_page - 1) / large_page * large_page;
  const std::uintptr_t end = begin + static_cast<std::uintptr_t>(array.bytes());
  // Advice: where it is not taken, nothing is lost.
  if (end >= aligned + large_page) ::madvise(reinterpret_cast<void*>(aligned), end - aligned, MADV_HUGEPAGE);
#endif
  return array;
}

}  // namespace lacuna
