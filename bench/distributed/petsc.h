#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/contest/contestant.h"
#include "bench/distributed/ranks.h"
#include "bench/distributed/row_blocks.h"

namespace lacuna::contest {

/// PETSc, from here until this ends, which is before the ranks end.
class Petsc {
 public:
  Petsc();
  ~Petsc();
  Petsc(const Petsc&) = delete;
  Petsc& operator=(const Petsc&) = delete;
  /// "PETSc 3.18.5", or why it does not take part.
  const std::string& name() const { return name_; }

 private:
  bool began_ = false;
  std::string name_;
};

// Each rank has these rows of all matrices. None without PETSc. Collective.

/// A csr matrix times a vector, by turns of the vectors.
std::optional<Contestant> petsc_spmv(const Storage& a, const std::vector<Storage>& x, const RowBlocks& rows,
                                     Ranks& ranks);
/// A csr matrix times a dense one, by turns of these; PETSc keeps what it found out about their product.
std::optional<Contestant> petsc_spmm(const Storage& a, const std::vector<Storage>& x, const RowBlocks& rows,
                                     Ranks& ranks);
/// The sum of csr matrices.
std::optional<Contestant> petsc_sum(const std::vector<Storage>& addends, const RowBlocks& rows, Ranks& ranks);

}  // namespace lacuna::contest
