#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "lacuna/format/distribution/distribution.h"
#include "lacuna/format/format.h"

namespace lacuna {

/// How a tensor is stored, and where on a machine (SpDISTAL, Figure 1):
///
///     PlacedFormat BlockedCSR({LevelKind::Dense, LevelKind::Compressed}, Distribution({x, y}, M, {x}));
///     PlacedFormat BlockedCSR(csr_format(), Distribution({x, y}, M, {x}));
///
/// Throws Error where they are for tensors of different orders, or cannot go together.
class PlacedFormat {
 public:
  PlacedFormat(Format format, Distribution distribution);
  PlacedFormat(std::initializer_list<LevelKind> levels, Distribution distribution);

  const Format& format() const { return format_; }
  const Distribution& distribution() const { return distribution_; }

 private:
  Format format_;
  Distribution distribution_;
};

}  // namespace lacuna
