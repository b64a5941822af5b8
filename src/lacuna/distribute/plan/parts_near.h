#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lacuna/distribute/plan/plan.h"

namespace lacuna {

/// The parts of a tensor by where they begin along the mode that tells most of them apart: those that may reach into a
/// region are found without looking at all of them. The parts must outlive this.
class PartsNear {
 public:
  explicit PartsNear(const std::vector<TensorPlacement::Part>& parts);

  /// Calls f with the number of each part that the bounds of its coordinates do not keep apart from a region,
  /// ascending.
  template <typename F>
  void for_each(const Restriction& region, F&& f) const {
    for (const std::size_t p : candidates(region))
      if (!have_bounds_apart((*parts_)[p].what, region)) f(p);
  }

 private:
  std::vector<std::size_t> candidates(const Restriction& region) const;

  const std::vector<TensorPlacement::Part>* parts_;
  std::size_t mode_ = 0;
  std::vector<std::size_t> order_;    // numbers of parts, by where they begin
  std::vector<std::int64_t> begins_;  // of these
  std::vector<std::int64_t> ends_;    // the last end of these and those before
};

}  // namespace lacuna
