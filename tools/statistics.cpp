#include "tools/statistics.h"

#include <algorithm>
#include <cstring>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"

namespace lacuna::tool {
namespace {

bool same_bytes(const Array& a, const Array& b) {
  return a.type() == b.type() && a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0);
}

/// Entries a non-empty slice, ascending.
std::vector<std::int64_t> slice_counts(const Array& coordinates) {
  std::vector<std::int64_t> sorted(static_cast<std::size_t>(coordinates.size()));
  visit_type(coordinates.type(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      const auto view = coordinates.view<T>();
      std::transform(view.begin(), view.end(), sorted.begin(), [](T c) { return static_cast<std::int64_t>(c); });
    }
  });
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> counts;
  for (std::size_t begin = 0; begin < sorted.size();) {
    const auto end = std::upper_bound(sorted.begin() + static_cast<std::ptrdiff_t>(begin), sorted.end(), sorted[begin]);
    const auto stop = static_cast<std::size_t>(end - sorted.begin());
    counts.push_back(static_cast<std::int64_t>(stop - begin));
    begin = stop;
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

}  // namespace

SliceStatistics distribution_of(const CoordinateList& entries, int mode) {
  const auto m = static_cast<std::size_t>(mode);
  const std::vector<std::int64_t> counts = slice_counts(entries.coordinates[m]);
  SliceStatistics result;
  result.slices = entries.dimensions[m];
  result.empty = result.slices - static_cast<std::int64_t>(counts.size());
  // The empty slices come before the counted ones; they are never listed, for there may be billions of them.
  const auto at = [&](double quantile) -> std::int64_t {
    const auto rank = static_cast<std::int64_t>(quantile * static_cast<double>(result.slices - 1));
    return rank < result.empty ? 0 : counts[static_cast<std::size_t>(rank - result.empty)];
  };
  if (result.slices == 0) return result;
  result.smallest = at(0);
  result.median = at(0.5);
  result.p99 = at(0.99);
  result.largest = counts.empty() ? 0 : counts.back();
  result.mean = static_cast<double>(entries.size()) / static_cast<double>(result.slices);
  for (const std::int64_t count : counts) {
    std::size_t bucket = 0;
    while ((std::int64_t{2} << bucket) <= count) ++bucket;
    if (result.buckets.size() <= bucket) result.buckets.resize(bucket + 1);
    ++result.buckets[bucket];
  }
  return result;
}

std::string symmetry_of(const CoordinateList& entries) {
  if (entries.dimensions.size() != 2 || entries.dimensions[0] != entries.dimensions[1]) return "no";
  // Stored by rows and by columns, a symmetric matrix gives the same arrays. Doubly compressed, so that an almost
  // empty matrix of a huge dimension costs nothing.
  const Storage rows = build(entries, dcsr_format());
  const Storage columns = convert(rows, dcsc_format());
  for (std::size_t k = 0; k < 2; ++k) {
    if (!same_bytes(rows.levels[k].pos, columns.levels[k].pos)) return "no";
    if (!same_bytes(rows.levels[k].crd, columns.levels[k].crd)) return "no";
  }
  return same_bytes(rows.values, columns.values) ? "values" : "pattern";
}

}  // namespace lacuna::tool
