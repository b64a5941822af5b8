#include "lacuna/distribute/tensors/sample.h"

#include <algorithm>
#include <random>

#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

using Tuple = std::vector<std::int64_t>;  // coordinates, outermost level first

/// One of every so many entries of this rank, with the number of all of them first. It is another one in each stride:
/// entries may come in an order that repeats.
std::vector<std::int64_t> sample_of(const std::vector<CoordinateList>& mine, const std::vector<std::size_t>& modes) {
  constexpr std::int64_t most = 1024;
  std::int64_t size = 0;
  for (const CoordinateList& list : mine) size += list.size();
  std::vector<std::int64_t> sample{size};
  const std::int64_t stride = std::max<std::int64_t>(1, size / most);
  std::minstd_rand random;  // its seed is fixed, so that runs are alike
  const auto within_stride = [&] { return static_cast<std::int64_t>(random()) % stride; };
  std::int64_t begin = 0;  // of the stride, in the list
  std::int64_t next = within_stride();
  for (const CoordinateList& list : mine) {
    for (; begin + next < list.size(); begin += stride, next = within_stride())
      for (const std::size_t m : modes) sample.push_back(list.coordinates[m].integer(begin + next));
    begin -= list.size();
  }
  return sample;
}

/// The tuple before, in lexicographic order.
Tuple before(Tuple tuple, const std::vector<std::int64_t>& dimensions, const std::vector<std::size_t>& modes) {
  for (std::size_t k = tuple.size(); k-- > 0;) {
    if (tuple[k]-- > 0) break;
    tuple[k] = dimensions[modes[k]] - 1;
  }
  return tuple;
}

/// Those of the levels above dense ones at the end, of which entries have whole stretches.
std::vector<std::size_t> modes_that_count(const Format& format) {
  std::vector<std::size_t> modes;
  for (int k = 0; k < format.levels_above_full(); ++k)
    modes.push_back(static_cast<std::size_t>(format.map().mode_of(k)));
  return modes;
}

}  // namespace

std::vector<Tuple> bounds_by_sample(const std::vector<CoordinateList>& mine, const std::vector<std::size_t>& modes,
                                    int stretches, Communicator& ranks) {
  std::vector<std::pair<Tuple, double>> all;  // and for how many entries each stands
  double entries = 0;
  for (const std::vector<std::int64_t>& each : gather_numbers(ranks, sample_of(mine, modes))) {
    const std::size_t sampled = (each.size() - 1) / modes.size();
    entries += static_cast<double>(each[0]);
    for (auto at = each.begin() + 1; at != each.end(); at += std::ssize(modes))
      all.emplace_back(Tuple(at, at + std::ssize(modes)), static_cast<double>(each[0]) / static_cast<double>(sampled));
  }
  std::sort(all.begin(), all.end());
  std::vector<Tuple> bounds;
  double so_far = 0;
  for (const auto& [tuple, weight] : all) {
    while (std::ssize(bounds) + 1 < stretches && so_far >= entries * static_cast<double>(bounds.size() + 1) / stretches)
      bounds.push_back(tuple);
    so_far += weight;
  }
  if (bounds.empty() && stretches > 1) bounds.emplace_back(modes.size(), 0);
  bounds.resize(static_cast<std::size_t>(stretches) - 1, bounds.empty() ? Tuple() : bounds.back());
  return bounds;
}

TensorLayout layout_by_sample(const std::vector<CoordinateList>& mine, const std::vector<std::int64_t>& dimensions,
                              const Format& format, Type type, const Machine& machine, Communicator& ranks) {
  const PartShape shape{array_format_of(format), type, Scalar::zero(type)};
  const std::vector<std::size_t> modes = modes_that_count(shape.format);
  std::vector<std::int64_t> processors;  // the first of each rank that plays any
  for (std::int64_t p = 0; p < machine.processors(); p = machine.first_beside(p) + machine.threads())
    if (const int rank = rank_of(p, machine, ranks.ranks());
        processors.empty() || rank != rank_of(processors.back(), machine, ranks.ranks()))
      processors.push_back(p);
  std::vector<Tuple> firsts{Tuple(modes.size(), 0)};
  for (Tuple& bound : bounds_by_sample(mine, modes, static_cast<int>(processors.size()), ranks))
    firsts.push_back(std::move(bound));
  TensorLayout layout{dimensions, format, shape, {}, machine};
  for (std::size_t p = 0; p < processors.size(); ++p) {
    Restriction part = whole_of(dimensions);
    const bool is_last = p + 1 == processors.size(), is_empty = !is_last && firsts[p] == firsts[p + 1];
    Tuple last;
    for (const std::size_t m : modes) last.push_back(dimensions[m] - 1);
    if (!is_last && !is_empty) last = before(firsts[p + 1], dimensions, modes);
    part.coordinates[modes[0]] =
        is_empty ? IndexSet() : IndexSet::range({firsts[p][0], std::max(last[0] + 1, firsts[p][0])});
    if (!is_empty) part.stretches.push_back({firsts[p], std::move(last)});
    layout.placement.parts.push_back({std::move(part), {processors[p]}});
  }
  return layout;
}

}  // namespace lacuna
