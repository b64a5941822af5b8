#include "bench/distributed/petsc.h"

namespace lacuna::contest {

Petsc::Petsc() : name_("PETSc is not here: it was not found when this was built") {}
Petsc::~Petsc() = default;

std::optional<Contestant> petsc_spmv(const Storage&, const std::vector<Storage>&, const RowBlocks&, Ranks&) {
  return std::nullopt;
}
std::optional<Contestant> petsc_spmm(const Storage&, const std::vector<Storage>&, const RowBlocks&, Ranks&) {
  return std::nullopt;
}
std::optional<Contestant> petsc_sum(const std::vector<Storage>&, const RowBlocks&, Ranks&) { return std::nullopt; }

}  // namespace lacuna::contest
