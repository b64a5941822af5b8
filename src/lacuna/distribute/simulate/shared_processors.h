#pragma once

#include <vector>

#include "lacuna/distribute/communicate/communicator.h"

namespace lacuna {

/// Which ranks share processors: those of one computer that may run on the same.
class SharedProcessors {
 public:
  /// Collective.
  explicit SharedProcessors(Communicator& ranks);

  /// Whether there are more ranks than processors for them.
  bool is_shared() const;
  /// How long it takes until all ranks have done what takes each of them so long, by rank: a processor goes on with
  /// another rank where one waits.
  double time_of(const std::vector<double>& work) const;

 private:
  struct Group {
    std::vector<std::size_t> ranks;
    double processors = 1;
  };
  std::vector<Group> groups_;
};

}  // namespace lacuna
