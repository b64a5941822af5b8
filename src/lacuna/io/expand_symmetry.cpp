#include "lacuna/io/expand_symmetry.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lacuna/io/large_array.h"

namespace lacuna {
namespace {

// Calls f with the C++ type of the coordinates, which a square matrix has the same for both modes.
template <typename F>
decltype(auto) visit_coordinates(const CoordinateList& entries, F f) {
  if (entries.coordinates[0].type() == Type::Int32) return f(std::int32_t{});
  return f(std::int64_t{});
}

template <typename C>
struct Stretch {
  std::span<const C> rows;
  std::span<const C> columns;

  Stretch(const CoordinateList& entries)
      : rows(entries.coordinates[0].view<C>()), columns(entries.coordinates[1].view<C>()) {}
};

template <typename C>
std::optional<std::int64_t> find_given_mirror_of(const CoordinateList& entries) {
  const Stretch<C> all(entries);
  bool some_above = false;
  bool some_below = false;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    some_above = some_above || all.rows[i] < all.columns[i];
    some_below = some_below || all.rows[i] > all.columns[i];
  }
  if (!some_above || !some_below) return std::nullopt;  // as nearly all files are
  std::vector<std::pair<std::pair<C, C>, std::int64_t>> above;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    if (all.rows[i] < all.columns[i]) above.push_back({{all.columns[i], all.rows[i]}, static_cast<std::int64_t>(i)});
  }
  std::sort(above.begin(), above.end());
  std::optional<std::int64_t> first;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    if (all.rows[i] <= all.columns[i]) continue;
    const std::pair<C, C> key{all.rows[i], all.columns[i]};
    const auto found = std::lower_bound(above.begin(), above.end(), std::pair{key, std::int64_t{0}});
    if (found != above.end() && found->first == key && (!first || found->second < *first)) first = found->second;
  }
  return first;
}

/// Cuts the entries into stretches for threads and says where each one's output starts.
template <typename C>
std::vector<std::int64_t> output_starts(const Stretch<C>& all, std::size_t pieces, std::size_t piece,
                                        const ReadContext& context) {
  std::vector<std::int64_t> starts(pieces + 1, 0);
  run_parallel(context.threads, pieces, [&](std::size_t p) {
    const std::size_t end = std::min(all.rows.size(), (p + 1) * piece);
    std::int64_t size = 0;
    for (std::size_t i = p * piece; i < end; ++i) size += all.rows[i] == all.columns[i] ? 1 : 2;
    starts[p + 1] = size;
  });
  for (std::size_t p = 0; p < pieces; ++p) starts[p + 1] += starts[p];
  return starts;
}

template <typename C, typename T>
CoordinateList expand(const CoordinateList& entries, Symmetry symmetry, const ReadContext& context) {
  const Stretch<C> all(entries);
  const std::span<const T> values = entries.values.view<T>();
  const std::size_t piece = std::max<std::size_t>(context.block_bytes / sizeof(C), 1);
  const std::size_t pieces = (all.rows.size() + piece - 1) / piece;
  const auto starts = output_starts(all, pieces, piece, context);

  CoordinateList expanded;
  expanded.dimensions = entries.dimensions;
  for (int m = 0; m < 2; ++m) expanded.coordinates.push_back(allocate_large(type_of<C>(), starts[pieces]));
  expanded.values = allocate_large(type_of<T>(), starts[pieces]);
  auto* rows = static_cast<C*>(expanded.coordinates[0].mutable_data());
  auto* columns = static_cast<C*>(expanded.coordinates[1].mutable_data());
  auto* results = static_cast<T*>(expanded.values.mutable_data());
  run_parallel(context.threads, pieces, [&](std::size_t p) {
    const std::size_t end = std::min(all.rows.size(), (p + 1) * piece);
    auto to = static_cast<std::size_t>(starts[p]);
    for (std::size_t i = p * piece; i < end; ++i) {
      rows[to] = all.rows[i];
      columns[to] = all.columns[i];
      results[to++] = values[i];
      if (all.rows[i] == all.columns[i]) continue;
      rows[to] = all.columns[i];
      columns[to] = all.rows[i];
      results[to++] = mirrored_value(static_cast<T>(values[i]), symmetry);
    }
  });
  return expanded;
}

}  // namespace

std::optional<std::int64_t> find_given_mirror(const CoordinateList& entries) {
  return visit_coordinates(entries, [&](auto c) { return find_given_mirror_of<decltype(c)>(entries); });
}

CoordinateList expand_symmetry(const CoordinateList& entries, Symmetry symmetry, const ReadContext& context) {
  return visit_coordinates(entries, [&](auto c) {
    return visit_type(entries.values.type(),
                      [&](auto t) { return expand<decltype(c), decltype(t)>(entries, symmetry, context); });
  });
}

}  // namespace lacuna
