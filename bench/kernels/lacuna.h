#pragma once

#include "bench/kernels/peer.h"

namespace lacuna::contest {

/// Lacuna's own contestants. A run is all that a user waits for when the statement is compiled: copies that the
/// schedule asks for, the kernel, and the making of the result.
class LacunaContestants {
 public:
  /// With the compiler and the cache that the environment names.
  LacunaContestants();

  /// As Lacuna does it unasked. Conversions are not compiled: convert().
  Contestant automatic(const Problem& problem, int threads);
  /// As a schedule says.
  Contestant scheduled(const Problem& problem, const std::string& schedule, int threads);

 private:
  Engine engine_;
};

}  // namespace lacuna::contest
