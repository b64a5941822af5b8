#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/format/format.h"
#include "lacuna/support/type.h"

namespace lacuna {

/// Where in one dense part the elements of a region are, and where in another: made once, and carried out again and
/// again. Both parts are stored in one format, their coordinates numbered from 0 (LocalPart).
class DenseCopy {
 public:
  DenseCopy() = default;
  /// `from` and `to`: the coordinates of the parts, by mode; `region`: those that are copied, which lie in both.
  DenseCopy(const std::vector<IndexSet>& from, const std::vector<IndexSet>& to, const std::vector<IndexSet>& region,
            const Format& format, Type type);

  void copy(const void* from, void* to) const;
  /// Adds, as the type does (integers wrap).
  void add(const void* from, void* to) const;

  std::int64_t bytes() const { return elements_ * size_of(type_); }
  /// Where the elements begin in the part that they come from, in bytes, if they are one stretch there; and in the one
  /// they go to.
  std::optional<std::int64_t> stretch_from() const;
  std::optional<std::int64_t> stretch_to() const;

 private:
  struct Run {
    std::int64_t from, to, count;  // elements
  };
  class Collector;

  template <typename T, typename F>
  void each_run(const void* from, void* to, const F& f) const;

  Type type_ = Type::Float64;
  std::int64_t elements_ = 0;
  std::optional<std::int64_t> from_begin_, to_begin_;  // where they are one stretch
  std::vector<Run> runs_;                              // neighbours here and there; or, where these are few,
  std::int64_t unit_ = 1;                              // so many at a time,
  std::vector<std::int64_t> from_, to_;                // from and to each of these; none where it is one stretch
};

}  // namespace lacuna
