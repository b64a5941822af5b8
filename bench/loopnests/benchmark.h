#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/contest/inputs.h"
#include "lacuna/engine/engine.h"

namespace lacuna::contest {

/// A kernel of its own that computes a temporary, or at last the result.
struct Step {
  std::string statement;
  std::string format;  // of what it makes
};

/// A product of several operands, and the ways to compute it that race each other. B is the sparse operand, in csr or
/// csf; the others are dense.
struct Benchmark {
  std::string name;
  std::string statement;
  std::string format;                         // of the result
  std::map<std::string, std::int64_t> sizes;  // of the variables that B does not bound
  std::string one_nest;                       // a schedule: all operands in the innermost loop
  std::vector<std::string> fused;             // schedules with loopfuse
  std::vector<std::vector<Step>> separate;    // kernels one after another, in each order that makes sense
  double goal = 0;          // of the best fused schedule's speed over the best separate kernels; 0: none
  bool of_tensors = false;  // B has three modes
};

/// The six of the paper (SparseLNR, section 6.2) with its inner dimensions, then chains.
std::vector<Benchmark> all_benchmarks();

/// The request that a benchmark is on some input: dense operands are random.
Request request_of(const Benchmark& benchmark, const Storage& sparse);

}  // namespace lacuna::contest
