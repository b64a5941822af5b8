#include "lacuna/jit/hash.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lacuna {

std::string Hash128::to_string() const { return fmt::format("{:016x}{:016x}", high, low); }

Hash128 hash128(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {hash.high64, hash.low64};
}

}  // namespace lacuna
