#include "lacuna/distribute/comm/launched.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

namespace lacuna {

bool is_launched_by_mpi() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

int launched_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (const char* value = std::getenv(name)) return std::atoi(value);
  return 0;
}

int ranks_on_this_computer() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
    const char* value = std::getenv(name);
    const int ranks = value == nullptr ? 0 : std::atoi(value);
    if (ranks > 0) return ranks;
  }
  return 1;
}

double ranks_per_processor() {
  const auto processors = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  return std::max(1.0, ranks_on_this_computer() / processors);
}

}  // namespace lacuna
