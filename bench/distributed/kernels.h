#pragma once

#include <string>

#include "bench/contest/measure.h"
#include "bench/distributed/ranks.h"
#include "bench/distributed/row_blocks.h"
#include "lacuna/engine/engine.h"

// Statements on the ranks, a block of rows each. Each says whether all results agreed. Collective.
namespace lacuna::contest {

struct Setting {
  Engine& engine;
  Ranks& ranks;
  Effort effort;
  std::string input;
  const Storage& matrix;                     // csr, which every rank has to cut its parts out of
  RowBlocks rows = {matrix, ranks.count()};  // of all tensors
};

/// y(i) = A(i,j) * x(j), by turns with two vectors, beside PETSc, and on several ranks beside as many threads.
bool race_spmv(const Setting& setting);
/// The same with 32 vectors at once.
bool race_spmm(const Setting& setting);
/// A(i,j) = B(i,j) + C(i,j) + D(i,j).
bool race_sum(const Setting& setting);
/// SpMV planned anew in each run beside SpMV planned before.
bool race_planning(const Setting& setting);

/// Sends messages to and fro between the first and the last rank, and prints their latency and bandwidth as the text
/// for `lacuna simulate --network`.
void measure_network(Ranks& ranks);

/// A statement on operands of next to no size, played by one process or by ranks: what is left is what it takes to
/// launch one. Beside it, the messages that it sends. Prints what a launch allocates and sends, too.
bool race_launch(Engine& engine, Ranks& ranks, const Effort& effort);

/// A dense matrix product of this size, each rank multiplying a tile at a time with BLAS while the next one comes,
/// beside ScaLAPACK with blocks of so many rows.
bool race_gemm(Engine& engine, Ranks& ranks, const Effort& effort, std::int64_t size, std::int64_t block);

}  // namespace lacuna::contest
