#include "lacuna/distribute/simulate/shared_processors.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <string_view>

#include "lacuna/distribute/exchange/numbers.h"

namespace lacuna {
namespace {

std::int64_t number_of(std::string_view text) {
  return std::bit_cast<std::int64_t>(std::hash<std::string_view>()(text));
}

/// The computer of this rank, the processors that it may use there, and how many these are.
std::vector<std::int64_t> where_it_runs() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  cpu_set_t processors{};
  if (sched_getaffinity(0, sizeof processors, &processors) != 0)
    return {number_of(name.data()), 0, sysconf(_SC_NPROCESSORS_ONLN)};
  return {number_of(name.data()), number_of({reinterpret_cast<const char*>(&processors), sizeof processors}),
          CPU_COUNT(&processors)};
}

}  // namespace

SharedProcessors::SharedProcessors(Communicator& ranks) {
  std::map<std::vector<std::int64_t>, std::vector<std::size_t>> alike;
  std::size_t rank = 0;
  for (const std::vector<std::int64_t>& each : gather_numbers(ranks, where_it_runs())) alike[each].push_back(rank++);
  for (const auto& [where, those] : alike) groups_.push_back({those, static_cast<double>(where[2])});
}

bool SharedProcessors::is_shared() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const Group& group) { return static_cast<double>(group.ranks.size()) > group.processors; });
}

double SharedProcessors::time_of(const std::vector<double>& work) const {
  double most = 0;
  for (const Group& group : groups_) {
    double sum = 0;
    for (const std::size_t rank : group.ranks) {
      most = std::max(most, work[rank]);
      sum += work[rank];
    }
    most = std::max(most, sum / group.processors);
  }
  return most;
}

}  // namespace lacuna
