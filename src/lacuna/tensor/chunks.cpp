#include "lacuna/tensor/chunks.h"

#ifndef _OPENMP
#include <system_error>
#include <thread>
#include <vector>
#endif

namespace lacuna {

// Kernels leave OpenMP's threads waiting for more work, and others beside them would have to share processors with
// these. Only where OpenMP is missing, or a sanitizer cannot see how it keeps order, are there threads of our own.
void run_chunks(int chunks, std::int64_t size,
                const std::function<void(int chunk, std::int64_t begin, std::int64_t end)>& f) {
  const auto bound = [&](int chunk) { return size / chunks * chunk + std::min<std::int64_t>(size % chunks, chunk); };
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(chunks) if (chunks > 1)
  for (int chunk = 0; chunk < chunks; ++chunk) f(chunk, bound(chunk), bound(chunk + 1));
#else
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(chunks));
  for (int chunk = 0; chunk + 1 < chunks; ++chunk) {
    try {
      threads.emplace_back([&f, &bound, chunk] { f(chunk, bound(chunk), bound(chunk + 1)); });
    } catch (const std::system_error&) {
      // A thread that the system refuses is no failure.
      f(chunk, bound(chunk), bound(chunk + 1));
    }
  }
  f(chunks - 1, bound(chunks - 1), bound(chunks));
  for (std::thread& thread : threads) thread.join();
#endif
}

}  // namespace lacuna
