#include "lacuna/tensor/chunks.h"

#include "lacuna/support/threads.h"

namespace lacuna {

void run_chunks(int chunks, std::int64_t size,
                const std::function<void(int chunk, std::int64_t begin, std::int64_t end)>& f) {
  const auto bound = [&](int chunk) { return size / chunks * chunk + std::min<std::int64_t>(size % chunks, chunk); };
  on_threads(chunks, [&](int chunk) { f(chunk, bound(chunk), bound(chunk + 1)); });
}

}  // namespace lacuna
