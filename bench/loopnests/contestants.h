#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/contest/contestant.h"
#include "bench/loopnests/benchmark.h"

namespace lacuna::contest {

/// One kernel after another, each with the schedule that Lacuna chooses unasked; temporaries keep their memory from run
/// to run.
Contestant separate_kernels(const std::string& name, Engine& engine, const Request& request,
                            const std::vector<Step>& steps, int threads);

/// The same with dense products of matrices left to OpenBLAS; none where no step is one, or there is no OpenBLAS.
std::optional<Contestant> separate_with_blas(const std::string& name, Engine& engine, const Request& request,
                                             const std::vector<Step>& steps, int threads);

}  // namespace lacuna::contest
