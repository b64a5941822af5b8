#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/engine/engine.h"

namespace lacuna::sweep {

/// A statement with the formats that each of its tensors (the result first) takes in turn.
struct Sweep {
  std::string text;
  std::vector<std::string> tensors;               // result first
  std::vector<std::vector<std::string>> formats;  // by tensor
  std::int64_t combinations() const;
  /// The format of each tensor in combination `n`.
  std::vector<std::string> combination(std::int64_t n) const;
};

/// Dense, CSR, CSC, DCSR, DCSC, COO, {sparse,dense}, bitmap and hashed, or what comes closest for other orders.
std::vector<std::string> formats_of_order(int order);

/// Every level file that there is, above, below and between others, and some formats of arrays.
std::vector<std::string> dynamic_formats_of_order(int order);

/// The statements of the sweep, over the formats of arrays and over those with dynamic levels.
std::vector<Sweep> sweeps();
std::vector<Sweep> dynamic_sweeps();

struct Outcome {
  std::int64_t tried = 0;
  std::vector<std::string> wrong;  // one line each: formats and what differed
};

/// Runs the chosen combinations on small data with empty rows and explicit zeros, and compares values and pattern with
/// the reference evaluator.
Outcome run(const Sweep& sweep, const std::vector<std::int64_t>& combinations, Engine& engine, const Target& target,
            int threads);

/// Combinations such that every pair of formats of every two tensors occurs, greedily few.
std::vector<std::int64_t> pairwise_cover(const Sweep& sweep);

}  // namespace lacuna::sweep
