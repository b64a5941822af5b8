#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "lacuna/distribute/sets/index_set.h"

namespace lacuna {

/// Regions of a tensor, and who has them: found by the region.
class Holders {
 public:
  /// The region must outlive this.
  void add(const std::vector<IndexSet>* region, std::int64_t who) { all_[hash_of(*region)].push_back({region, who}); }

  /// Calls f with everyone who has exactly this region.
  template <typename F>
  void for_each(const std::vector<IndexSet>& region, F&& f) const {
    const auto found = all_.find(hash_of(region));
    if (found == all_.end()) return;
    for (const auto& [each, who] : found->second)
      if (*each == region) f(who);
  }
  void clear() { all_.clear(); }

 private:
  static std::size_t hash_of(const std::vector<IndexSet>& region) {
    std::size_t hash = 0;
    for (const IndexSet& set : region) {
      const Interval bounds = set.bounds();
      for (const std::int64_t x : {bounds.begin, bounds.end, set.size()})
        hash = (hash ^ static_cast<std::size_t>(x)) * 0x9E3779B97F4A7C15U;
    }
    return hash;
  }

  std::unordered_map<std::size_t, std::vector<std::pair<const std::vector<IndexSet>*, std::int64_t>>> all_;
};

}  // namespace lacuna
