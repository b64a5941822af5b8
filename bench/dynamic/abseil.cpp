#include "bench/dynamic/abseil.h"

#include <absl/container/btree_map.h>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"

namespace lacuna::contest {
namespace {

using Map = absl::btree_map<std::int64_t, double>;

Map map_of(const Storage& matrix) {
  const CoordinateList entries = coordinates_of(matrix);
  const auto rows = entries.coordinates[0].view<std::int32_t>(), columns = entries.coordinates[1].view<std::int32_t>();
  const auto values = entries.values.view<double>();
  Map map;
  for (std::size_t k = 0; k < values.size(); ++k)
    map.emplace_hint(map.end(), rows[k] * matrix.dimensions[1] + columns[k], values[k]);
  return map;
}

Storage matrix_of(const Map& map, const std::vector<std::int64_t>& dimensions) {
  const auto size = static_cast<std::int64_t>(map.size());
  CoordinateList list{dimensions, {}, Array::allocate(Type::Float64, size, false)};
  for (int m = 0; m < 2; ++m) list.coordinates.push_back(Array::allocate(Type::Int32, size, false));
  std::size_t k = 0;
  for (const auto& [key, value] : map) {
    list.coordinates[0].mutable_view<std::int32_t>()[k] = static_cast<std::int32_t>(key / dimensions[1]);
    list.coordinates[1].mutable_view<std::int32_t>()[k] = static_cast<std::int32_t>(key % dimensions[1]);
    list.values.mutable_view<double>()[k] = value;
    ++k;
  }
  return build(list, csr_format());
}

struct Union {
  std::vector<std::int64_t> dimensions;
  Map b, c, sum;

  void run() {
    auto x = b.begin();
    auto y = c.begin();
    while (x != b.end() && y != c.end()) {
      if (x->first < y->first) {
        sum.emplace_hint(sum.end(), *x++);
      } else if (y->first < x->first) {
        sum.emplace_hint(sum.end(), *y++);
      } else {
        sum.emplace_hint(sum.end(), x->first, x->second + y->second);
        ++x;
        ++y;
      }
    }
    for (; x != b.end(); ++x) sum.emplace_hint(sum.end(), *x);
    for (; y != c.end(); ++y) sum.emplace_hint(sum.end(), *y);
  }

  Storage result() const { return matrix_of(sum, dimensions); }

  void clear() { sum.clear(); }
};

struct Inserts {
  Storage graph;
  CoordinateList edges;
  Map map;

  void run() {
    const auto rows = edges.coordinates[0].view<std::int32_t>(), columns = edges.coordinates[1].view<std::int32_t>();
    const auto values = edges.values.view<double>();
    for (std::size_t k = 0; k < values.size(); ++k) map[rows[k] * graph.dimensions[1] + columns[k]] += values[k];
  }
  Storage result() const { return matrix_of(map, graph.dimensions); }
  void clear() { map = map_of(graph); }
};

}  // namespace

std::optional<Contestant> abseil_inserts(const Storage& graph, const CoordinateList& edges) {
  auto race = std::make_shared<Inserts>(Inserts{graph, edges, map_of(graph)});
  return contestant_of("Abseil btree_map", std::move(race));
}

std::optional<Contestant> abseil_union(const Storage& b, const Storage& c) {
  return contestant_of("Abseil btree_map", std::make_shared<Union>(Union{b.dimensions, map_of(b), map_of(c), {}}));
}

}  // namespace lacuna::contest
