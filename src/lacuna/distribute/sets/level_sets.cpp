#include "lacuna/distribute/sets/level_sets.h"

#include <algorithm>

#include "lacuna/support/check.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/positions.h"

namespace lacuna {

namespace {

/// The first of the positions [low, high) whose element is not less than `bound`; the elements ascend.
std::int64_t first_not_less(const IntegerReader& elements, std::int64_t low, std::int64_t high, std::int64_t bound) {
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (elements[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

class Image {
 public:
  Image(const Storage& storage, int level, const IndexSet& coordinates)
      : data_(storage.levels[static_cast<std::size_t>(level)]),
        format_(storage.format.level(level)),
        coordinates_(coordinates),
        first_(first_position(storage, level)) {
    const Interval all{data_.origin, data_.origin + data_.extent};
    whole_ = coordinates.within(all).size() == all.size();
  }

  IndexSet of(const IndexSet& parents) {
    parents.for_each_interval([&](const Interval& run) { add(run); });
    return builder_.finish();
  }

 private:
  void add(const Interval& parents) {
    switch (format_.kind) {
      case LevelKind::Dense: return add_spans(parents, [&](const Interval& span) { builder_.add(span); });
      case LevelKind::Bitmap: return add_spans(parents, [&](const Interval& span) { add_present(span); });
      case LevelKind::Singleton: return whole_ ? builder_.add(parents) : add_fitting(parents);
      case LevelKind::Compressed: return add_compressed(parents);
      case LevelKind::Hashed: {
        const IntegerReader pos(data_.pos);
        return add_fitting({pos[parents.begin], pos[parents.end]});
      }
      case LevelKind::Dynamic: break;
    }
    throw InternalError("internal error: nodes have no positions to be cut at");
  }

  template <typename F>
  void add_spans(const Interval& parents, const F& add_span) {
    if (whole_) return add_span(Interval{parents.begin * data_.extent, parents.end * data_.extent});
    for (std::int64_t p = parents.begin; p < parents.end; ++p) {
      const std::int64_t shift = p * data_.extent - data_.origin;
      coordinates_.for_each_interval_within({data_.origin, data_.origin + data_.extent}, [&](const Interval& run) {
        add_span(Interval{run.begin + shift, run.end + shift});
      });
    }
  }

  void add_present(const Interval& span) {
    const auto present = data_.present.view<std::uint8_t>();
    for (std::int64_t p = span.begin; p < span.end; ++p) {
      if (present[static_cast<std::size_t>(p - first_)] != 0) builder_.add(p);
    }
  }

  void add_compressed(const Interval& parents) {
    const IntegerReader pos(data_.pos);
    if (whole_) return builder_.add(Interval{pos[parents.begin], pos[parents.end]});
    if (!format_.ordered || !coordinates_.is_interval()) return add_fitting({pos[parents.begin], pos[parents.end]});
    const IntegerReader crd(data_.crd);
    const Interval wanted = coordinates_.bounds();
    for (std::int64_t p = parents.begin; p < parents.end; ++p) {
      const std::int64_t begin = first_not_less(crd, pos[p], pos[p + 1], wanted.begin);
      builder_.add(Interval{begin, first_not_less(crd, begin, pos[p + 1], wanted.end)});
    }
  }

  /// Those of the positions whose coordinates are wanted; empty slots have a negative one.
  void add_fitting(const Interval& positions) {
    const IntegerReader crd(data_.crd);
    for (std::int64_t p = positions.begin; p < positions.end; ++p) {
      const std::int64_t c = crd[p];
      if (c >= 0 && (whole_ || coordinates_.contains(c))) builder_.add(p);
    }
  }

  const LevelStorage& data_;
  const LevelFormat& format_;
  const IndexSet& coordinates_;
  std::int64_t first_;
  bool whole_ = false;
  IndexSetBuilder builder_;
};

/// The parents whose segments meet the children.
IndexSet owners(const Array& pos, const IndexSet& children) {
  const IntegerReader reader(pos);
  const std::int64_t end = pos.base() + pos.size() - 1;
  IndexSetBuilder builder;
  std::int64_t p = pos.base();
  visit_integer_type(pos.type(), [&](auto zero) {
    const auto at = [&](std::int64_t q) {
      return static_cast<std::int64_t>(static_cast<const decltype(zero)*>(pos.data())[q - pos.base()]);
    };
    children.for_each_interval([&](const Interval& run) {
      // The first whose segment ends behind the run's begin.
      p = first_not_less(reader, p + 1, end + 1, run.begin + 1) - 1;
      for (std::int64_t q = p; q < end && at(q) < run.end; ++q) {
        if (at(q) < at(q + 1)) builder.add(q);
        p = q;
      }
    });
  });
  return builder.finish();
}

}  // namespace

IndexSet children_of(const Storage& storage, int level, const IndexSet& parents, const IndexSet& coordinates) {
  return Image(storage, level, coordinates).of(parents);
}

IndexSet parents_of(const Storage& storage, int level, const IndexSet& children) {
  const LevelStorage& data = storage.levels[static_cast<std::size_t>(level)];
  const LevelFormat& form = storage.format.level(level);
  internal_check(!form.is_dynamic(), "nodes have no positions to be cut at");
  if (form.branchless()) return children;
  if (form.has_pos()) return owners(data.pos, children);
  IndexSetBuilder builder;
  children.for_each_interval([&](const Interval& run) {
    builder.add({run.begin / data.extent, (run.end - 1) / data.extent + 1});
  });
  return builder.finish();
}

namespace {

/// `origin` + coordinate(p), below `extent`, of all positions, which are in the order of their parents and not of the
/// coordinates: these are sorted, or marked where that takes less time.
template <typename F>
IndexSet coordinates_of(const IndexSet& positions, std::int64_t origin, std::int64_t extent, const F& coordinate) {
  const auto for_each = [&](const auto& f) {
    positions.for_each_interval([&](const Interval& run) {
      for (std::int64_t p = run.begin; p < run.end; ++p) f(coordinate(p));
    });
  };
  constexpr std::int64_t marks_for_one_sorted = 64, always_marked = 1 << 16;
  if (extent > always_marked && extent / marks_for_one_sorted > positions.size()) {
    std::vector<std::int64_t> all;
    all.reserve(static_cast<std::size_t>(positions.size()));
    for_each([&](std::int64_t i) { all.push_back(origin + i); });
    return IndexSet::of_coordinates(std::move(all));
  }
  std::vector<std::uint8_t> stored(static_cast<std::size_t>(extent));
  for_each([&](std::int64_t i) { stored[static_cast<std::size_t>(i)] = 1; });
  return IndexSet::of_marks(origin, stored);
}

}  // namespace

IndexSet coordinates_at(const Storage& storage, int level, const IndexSet& positions) {
  const LevelStorage& data = storage.levels[static_cast<std::size_t>(level)];
  const LevelFormat& form = storage.format.level(level);
  const std::int64_t extent = data.extent, origin = data.origin;
  if (form.spans()) return coordinates_of(positions, origin, extent, [=](std::int64_t p) { return p % extent; });
  IndexSet all;
  visit_integer_type(data.crd.type(), [&](auto zero) {
    const auto* crd = static_cast<const decltype(zero)*>(data.crd.data());
    const std::int64_t base = data.crd.base();
    all = coordinates_of(positions, origin, extent,
                         [=](std::int64_t p) { return static_cast<std::int64_t>(crd[p - base]) - origin; });
  });
  return all;
}

Interval outermost_coordinates(const Storage& storage, const IndexSet& positions) {
  if (positions.empty()) return {};
  const LevelStorage& data = storage.levels[0];
  const Interval bounds = positions.bounds();
  const LevelFormat& format = storage.format.level(0);
  if (format.spans()) return {data.origin + bounds.begin, data.origin + bounds.end};
  const IntegerReader crd(data.crd);
  if (format.ordered) return {crd[bounds.begin], crd[bounds.end - 1] + 1};
  Interval all{crd[bounds.begin], crd[bounds.begin] + 1};
  positions.for_each_interval([&](const Interval& run) {
    for (std::int64_t p = run.begin; p < run.end; ++p) {
      all.begin = std::min(all.begin, crd[p]);
      all.end = std::max(all.end, crd[p] + 1);
    }
  });
  return all;
}

}  // namespace lacuna
