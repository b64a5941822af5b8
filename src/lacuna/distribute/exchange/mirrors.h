#pragma once

#include <optional>

#include "lacuna/distribute/communicate/communicator.h"
#include "lacuna/distribute/exchange/read_rounds.h"

namespace lacuna {

/// Which triangles of a symmetric matrix a rank's entries lie in: files mostly give one.
class Triangles {
 public:
  void note(const CoordinateList& entries);
  /// By all ranks together. Collective.
  bool are_both_used(Communicator& ranks) const;

 private:
  bool above_ = false, below_ = false;
};

/// The first entry, by its number in the file, above the diagonal of a symmetric matrix whose mirror is given, too.
/// Reads the file again, and brings each entry and its mirror to one rank. `before`: how many entries the ranks before
/// this one read. Collective.
std::optional<std::int64_t> first_given_mirror(const CoordinateFile& file, const ReadRounds& rounds,
                                               std::int64_t before, Communicator& ranks);

}  // namespace lacuna
