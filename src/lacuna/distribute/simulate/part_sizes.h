#pragma once

#include <map>
#include <vector>

#include "lacuna/distribute/run/prepare.h"

namespace lacuna {

/// What a part of an operand weighs.
struct PartSize {
  std::int64_t entries = 0;
  std::int64_t bytes = 0;  // in a message, and in memory
};

/// The sizes of parts: of dense operands by their regions, of others by cutting them out, once each.
class PartSizes {
 public:
  explicit PartSizes(const PreparedLaunch& prepared)
      : prepared_(prepared), known_(prepared.plan.launch.operands.size()) {}

  /// Of what a restriction leaves of operand `o` of the launch.
  PartSize of(std::size_t o, const Restriction& what) { return of(o, what, false); }
  PartSize of(std::size_t o, const std::vector<IndexSet>& region) {
    return of(o, Restriction{region, std::vector<std::optional<IndexSet>>(region.size())});
  }
  /// Of a region that is put together from parts of it.
  PartSize joined(std::size_t o, const Restriction& region) { return of(o, region, true); }

 private:
  PartSize of(std::size_t o, const Restriction& what, bool is_joined);

  const PreparedLaunch& prepared_;
  std::vector<std::map<std::string, PartSize>> known_;  // by operand; by the text of the restriction
};

}  // namespace lacuna
