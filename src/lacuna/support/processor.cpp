#include "lacuna/support/processor.h"

namespace lacuna {

std::int64_t vector_register_bytes() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") != 0) return std::int64_t{32} * 64;
  if (__builtin_cpu_supports("avx2") != 0) return std::int64_t{16} * 32;
#endif
  return 256;
}

}  // namespace lacuna
