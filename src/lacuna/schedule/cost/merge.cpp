#include "lacuna/schedule/cost/merge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace lacuna::cost {
namespace {

constexpr std::size_t max_cursors = 6;
constexpr int steps = 24;  // of the integral over how much of the extent is left

bool inside(std::uint64_t a, std::uint64_t b) { return (a & b) == a; }

/// What happens at one coordinate, over every way in which cursors may stand there.
class Coordinate {
 public:
  Coordinate(const concrete::Formula& formula, const std::vector<double>& here, const std::vector<double>& later)
      : formula_(formula), here_(here), later_(later) {
    go(0, 0, 0, 1);
  }
  MergeWork work;

 private:
  /// `at`: the cursors with an entry here; `live`: those and the ones with entries further on.
  void go(std::size_t cursor, std::uint64_t at, std::uint64_t live, double probability) {
    if (probability <= 0) return;
    if (cursor == here_.size()) return add(at, live, probability);
    const std::uint64_t bit = std::uint64_t{1} << cursor;
    go(cursor + 1, at | bit, live | bit, probability * here_[cursor]);
    const double elsewhere = probability * (1 - here_[cursor]);
    go(cursor + 1, at, live | bit, elsewhere * later_[cursor]);
    go(cursor + 1, at, live, elsewhere * (1 - later_[cursor]));
  }

  /// The loop that runs is that of all live points together.
  void add(std::uint64_t at, std::uint64_t live, double probability) {
    std::uint64_t point = 0;
    for (const std::uint64_t term : formula_.terms())
      if (inside(term, live)) point |= term;
    if ((at & point) == 0) return;
    work.trips += probability;
    work.heads += probability * std::popcount(point);
  }

  const concrete::Formula& formula_;
  const std::vector<double>& here_;
  const std::vector<double>& later_;
};

}  // namespace

MergeWork merge_work(const concrete::Formula& formula, const std::vector<double>& entries, double extent) {
  MergeWork total;
  if (extent <= 0) return total;
  if (entries.size() > max_cursors) {
    double absent = 1;
    for (const double n : entries) absent *= 1 - std::min(1.0, n / extent);
    total.trips = extent * (1 - absent);
    total.heads = total.trips * static_cast<double>(entries.size());
    return total;
  }
  std::vector<double> here, later(entries.size());
  for (const double n : entries) here.push_back(std::clamp(n / extent, 0.0, 1.0));
  for (int s = 0; s < steps; ++s) {
    const double left = (s + 0.5) / steps;
    for (std::size_t c = 0; c < entries.size(); ++c)
      later[c] = here[c] >= 1 ? 1 : -std::expm1(extent * left * std::log1p(-here[c]));
    const MergeWork at = Coordinate(formula, here, later).work;
    total.trips += at.trips * extent / steps;
    total.heads += at.heads * extent / steps;
  }
  return total;
}

/// Cursors take turns in leaping: as often as a run of entries of one ends among those of the others.
MergeWork gallop_work(const std::vector<double>& entries) {
  const double least = *std::min_element(entries.begin(), entries.end());
  const double all = std::accumulate(entries.begin(), entries.end(), 0.0);
  MergeWork work;
  if (least <= 0) return work;
  work.trips = 2 * least * (all - least) / all;
  const double leapt_over = (all - least) / std::max(1.0, least * static_cast<double>(entries.size() - 1));
  // Every other leap is one of the shortest cursor, to its next entry.
  const double search = (3 + 2 * std::log2(1 + leapt_over)) / 2;
  work.heads = work.trips * (static_cast<double>(entries.size()) + search);
  return work;
}

}  // namespace lacuna::cost
