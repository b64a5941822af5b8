#pragma once

#include <string>

#include "bench/contest/inputs.h"
#include "bench/dynamic/race.h"
#include "lacuna/engine/engine.h"

// The kernels of section 5 of "Compilation of Dynamic Sparse Tensor Algebra", on a matrix that lies in nodes. Each says
// whether all results agreed.
namespace lacuna::contest {

struct Setting {
  Engine& engine;
  std::string input;
  const Storage& matrix;  // csr
  int threads;
  Effort effort;
};

/// The kernel of PageRank, y(i) += A(i,j) * x(j) / d(j), beside the same on csr.
bool race_page_rank(const Setting& setting);
/// y(i) = A(i,j) * x(j) with y in a search tree, beside y in an array.
bool race_tree_result(const Setting& setting);
/// The sum of a matrix in nodes and one in csr, as csr: nodes walked beside arrays, beside converting first, and beside
/// maps of entries.
bool race_addition(const Setting& setting);

}  // namespace lacuna::contest
