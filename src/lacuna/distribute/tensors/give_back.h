#pragma once

#include <cstddef>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace lacuna {

/// Arrays and messages of so many bytes that are done with leave holes, which the C library keeps where nothing tells
/// it that there is no use for them.
inline void give_back_to_system([[maybe_unused]] std::size_t bytes) {
#if defined(__GLIBC__)
  constexpr std::size_t many = std::size_t{1} << 22;
  if (bytes >= many) ::malloc_trim(0);
#endif
}

}  // namespace lacuna
