#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

namespace lacuna {

/// How many of `threads` are worth starting for `size` elements of cheap work.
inline int worthwhile_threads(int threads, std::int64_t size) {
  constexpr std::int64_t least_share = 1 << 16;
  return static_cast<int>(std::clamp<std::int64_t>(size / least_share, 1, std::max(threads, 1)));
}

/// Calls f(chunk, begin, end) for `chunks` equal pieces of [0, size), at once where there are threads for it. `f` must
/// not throw.
void run_chunks(int chunks, std::int64_t size,
                const std::function<void(int chunk, std::int64_t begin, std::int64_t end)>& f);

}  // namespace lacuna
