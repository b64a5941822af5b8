#include "lacuna/distribute/plan/parts_near.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace lacuna {

PartsNear::PartsNear(const std::vector<TensorPlacement::Part>& parts) : parts_(&parts), order_(parts.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const std::size_t order = parts.empty() ? 0 : parts.front().what.coordinates.size();
  if (order == 0) return;
  const auto bounds = [&](std::size_t p) { return parts[p].what.coordinates[mode_].bounds(); };
  std::size_t most = 0, best = 0;
  for (mode_ = 0; mode_ < order; ++mode_) {
    std::set<std::int64_t> begins;
    for (const std::size_t p : order_) begins.insert(bounds(p).begin);
    if (begins.size() > most) best = mode_;
    most = std::max(most, begins.size());
  }
  mode_ = best;
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return bounds(a).begin < bounds(b).begin; });
  for (const std::size_t p : order_) {
    begins_.push_back(bounds(p).begin);
    ends_.push_back(ends_.empty() ? bounds(p).end : std::max(ends_.back(), bounds(p).end));
  }
}

std::vector<std::size_t> PartsNear::candidates(const Restriction& region) const {
  if (begins_.empty()) return order_;
  const Interval wanted = region.coordinates[mode_].bounds();
  const auto first = std::upper_bound(ends_.begin(), ends_.end(), wanted.begin) - ends_.begin();
  const auto past = std::lower_bound(begins_.begin(), begins_.end(), wanted.end) - begins_.begin();
  if (first >= past) return {};
  std::vector<std::size_t> found(order_.begin() + first, order_.begin() + past);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace lacuna
