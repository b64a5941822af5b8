#pragma once

#include <optional>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/io/entry_file.h"

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
/// Reads this rank's share of the file again, by a reader that was told where it begins, in so many rounds on every
/// rank, and brings each entry and its mirror to one rank. Collective.
std::optional<std::int64_t> first_given_mirror(EntryReader& reader, std::int64_t rounds, Communicator& ranks);

}  // namespace lacuna
