// Coordinates in random order into compressed rows, beside std::sort.

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "bench/harness.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::bench {
namespace {

/// The same entries in another order: files seldom are sorted as one needs them.
CoordinateList shuffled(const CoordinateList& sorted) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(sorted.size()));
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int32_t>(k);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
  CoordinateList result = sorted;
  const auto permute = [&](const Array& from, auto zero) {
    using T = decltype(zero);
    Array to = Array::allocate(from.type(), from.size(), false);
    for (std::size_t k = 0; k < order.size(); ++k) {
      to.mutable_view<T>()[k] = from.view<T>()[static_cast<std::size_t>(order[k])];
    }
    return to;
  };
  for (Array& mode : result.coordinates) mode = permute(mode, std::int32_t{});
  result.values = permute(result.values, double{});
  return result;
}

struct Triple {
  std::int32_t row;
  std::int32_t column;
  double value;
};

/// What one writes by hand: sort the triples, then count the rows.
std::size_t pack_by_sorting(const CoordinateList& entries) {
  const auto rows = entries.coordinates[0].view<std::int32_t>();
  const auto columns = entries.coordinates[1].view<std::int32_t>();
  const auto values = entries.values.view<double>();
  std::vector<Triple> triples(rows.size());
  for (std::size_t k = 0; k < triples.size(); ++k) triples[k] = {rows[k], columns[k], values[k]};
  std::sort(triples.begin(), triples.end(),
            [](const Triple& a, const Triple& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  std::vector<std::int32_t> pos(static_cast<std::size_t>(entries.dimensions[0]) + 1);
  std::vector<std::int32_t> crd(triples.size());
  std::vector<double> packed(triples.size());
  for (std::size_t k = 0; k < triples.size(); ++k) {
    ++pos[static_cast<std::size_t>(triples[k].row) + 1];
    crd[k] = triples[k].column;
    packed[k] = triples[k].value;
  }
  for (std::size_t k = 1; k < pos.size(); ++k) pos[k] += pos[k - 1];
  return packed.size() + static_cast<std::size_t>(pos.back()) + crd.size();
}

}  // namespace

void bench_packing(int threads) {
  const CoordinateList entries = shuffled(generate_rmat(200'000, 200'000, 2'000'000, 1));
  BuildOptions options;
  options.threads = threads;
  compare(fmt::format("packing {} shuffled coordinates as csr", entries.size()),
          {{fmt::format("lacuna on {} threads", threads),
            [&] { return time_of([&] { build(entries, csr_format(), options); }); }},
           {"std::sort, then counting", [&] { return time_of([&] { pack_by_sorting(entries); }); }}},
          5);
}

}  // namespace lacuna::bench
