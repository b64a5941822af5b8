#include "lacuna/distribute/parts/dense_view.h"

#include "lacuna/distribute/sets/runs.h"
#include "lacuna/tensor/unbacked.h"

namespace lacuna {
namespace {

using Region = std::vector<IndexSet>;

/// The ranks that a set has in another one, if they follow each other.
std::optional<Interval> ranks_in(const IndexSet& all, const IndexSet& some) {
  const Interval bounds = some.bounds();
  const Interval ranks{all.rank(bounds.begin), all.rank(bounds.end)};
  return ranks.size() == some.size() && (some & all) == some ? std::optional(ranks) : std::nullopt;
}

/// Where a region begins, if it is one stretch: all of the part, or single coordinates in some outer levels, neighbours
/// in one, and all there are in those below.
std::optional<std::int64_t> begin_of(const Region& part, const Region& region, const Format& format) {
  if (region == part) return 0;
  if (!format.is_dense() || volume_of(region) == 0) return std::nullopt;
  const LevelMap& map = format.map();
  std::int64_t begin = 0;
  bool is_single = true;
  for (int k = 0; k < map.size(); ++k) {
    const auto mode = static_cast<std::size_t>(map.mode_of(k));
    const std::optional<Interval> ranks = ranks_in(part[mode], region[mode]);
    if (!ranks || (!is_single && ranks->size() < part[mode].size())) return std::nullopt;
    begin = begin * part[mode].size() + ranks->begin;
    is_single = is_single && ranks->size() == 1;
  }
  return begin;
}

}  // namespace

bool is_one_stretch(const Region& part, const Region& region, const Format& format) {
  return begin_of(part, region, format).has_value();
}

std::optional<DenseView> DenseView::of(const Region& part, const Region& region, const PartShape& shape) {
  if (!shape.format.is_dense()) return std::nullopt;
  const std::optional<std::int64_t> begin = begin_of(part, region, shape.format);
  if (!begin) return std::nullopt;
  std::vector<std::int64_t> dimensions;
  for (const IndexSet& set : region) dimensions.push_back(set.size());
  Storage storage = unbacked_tensor(shape.type, dimensions, shape.format.map());
  storage.fill = shape.fill;
  return DenseView(std::move(storage), *begin, volume_of(region));
}

const Storage& DenseView::in(const Array& values) {
  if (size_ > 0) storage_.values = window(values, values.base() + begin_, size_, 0);
  return storage_;
}

}  // namespace lacuna
