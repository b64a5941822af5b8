#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lacuna/concrete/sparsity.h"

namespace lacuna::iteration {

/// The iteration lattice of one loop (Kjolstad et al., OOPSLA 2017, section 5.1), a pure value over cursor numbers:
/// which cursors must be live for a coordinate to matter. A point is a set of cursors walked together; below it lie the
/// points that remain when some of them end.
struct Lattice {
  concrete::Formula formula = concrete::Formula::never();  // over the cursors, with located levels assumed present
  bool full = false;                  // every coordinate matters: a loop over the extent, cursors follow
  std::vector<std::uint64_t> points;  // closed under union, largest first; empty when full or not enumerated
  bool enumerated = false;            // points are few, and static presence in them is sound
  std::uint64_t deciding = 0;         // cursors of the formula
  std::uint64_t following = 0;  // cursors that the body reads but that do not decide: they catch up with the coordinate

  std::string to_string(const std::function<std::string(int)>& name) const;
};

/// `used`: every cursor of the loop. `read_once`: no cursor occurs twice in the body, so that the formula's terms tell
/// all of how presence matters; without it a formula is enumerated only where its points tell every cursor's presence.
Lattice make_lattice(const concrete::Formula& formula, std::uint64_t used, bool read_once);

/// Whether cursor `c`, live in the loop of `point` but not in the matched sub-point `matched`, is known to be
/// elsewhere.
bool known_absent(const Lattice& lattice, std::uint64_t matched, int c);

/// All unions of sets, largest first; none where there are more than `most`.
std::vector<std::uint64_t> unions_of(const std::vector<std::uint64_t>& sets, std::size_t most);

/// The points that are inside `point`, itself first.
std::vector<std::uint64_t> points_below(const Lattice& lattice, std::uint64_t point);

}  // namespace lacuna::iteration
