#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include "distributed/on_machine.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace lacuna {

/// A line of /proc/self/status, in bytes.
inline std::int64_t memory_of_this_process(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(what + ":")) return std::stoll(line.substr(what.size() + 1)) * 1024;
  return 0;
}

/// The most memory that this process takes at a time for something.
template <typename F>
std::int64_t most_memory_of(F run) {
#if defined(__GLIBC__)
  // What tests before this one gave back would be taken again, and not be seen; and the larger what they gave back was,
  // the more the C library keeps in holes from then on, unless it is told where to stop.
  ::malloc_trim(0);
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
  std::ofstream("/proc/self/clear_refs") << "5";  // the most begins anew
  const std::int64_t before = memory_of_this_process("VmHWM");
  run();
  return memory_of_this_process("VmHWM") - before;
}

/// Whether parts of a file are small beside all of it, and beside what ranks take to talk to each other.
inline bool are_parts_small() { return test_ranks()->ranks() >= 4 && test_ranks()->ranks() <= 9; }
inline constexpr const char* not_small =
    "on fewer than four ranks, parts are large; what MPI takes to talk to many is more than parts of this file";

/// What a rank may take at most, in bytes, while it gets a part: what comes is there twice while a part is made of it,
/// and beside it are messages, and what MPI and the C library keep. On few ranks, a share of the whole is less.
inline double most_for_a_part(std::int64_t whole, double share = 0.6, double parts = 2.4) {
  constexpr double beside = 6e6;
  const auto bytes = static_cast<double>(whole);
  return std::min(share * bytes, parts / test_ranks()->ranks() * bytes + beside);
}

}  // namespace lacuna
