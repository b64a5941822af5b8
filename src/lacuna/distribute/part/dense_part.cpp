#include "lacuna/distribute/part/dense_part.h"

#include <cstring>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/wrapping.h"

namespace lacuna {
namespace {

/// A stretch of coordinates of a mode that both parts hold.
struct Run {
  std::int64_t from, to, count;
};

/// The stretches that two dense parts have in common, mode by mode in the order of their levels.
class Overlap {
 public:
  Overlap(const LocalPart& from, const LocalPart& to) {
    const Storage& a = from.storage;
    const Storage& b = to.storage;
    internal_check(a.format == b.format && a.format.is_dense() && a.type == b.type,
                   "parts of {} {} and {} {} are not alike", type_name(a.type), a.format.to_string(), type_name(b.type),
                   b.format.to_string());
    for (int k = 0; k < a.order(); ++k) {
      const auto mode = static_cast<std::size_t>(a.format.map().mode_of(k));
      Level level{{}, a.dimensions[mode], b.dimensions[mode]};
      (from.sets[mode] & to.sets[mode]).for_each_interval([&](const Interval& run) {
        // A run of both may be in pieces in one of them: numbers without gaps have ranks without gaps.
        level.stretches.push_back({from.sets[mode].rank(run.begin), to.sets[mode].rank(run.begin), run.size()});
      });
      levels_.push_back(std::move(level));
    }
  }

  /// Calls f(from, to, count) for each run of neighbours, positions in the arrays.
  template <typename F>
  void for_each(F&& f) const {
    go(0, 0, 0, f);
  }

 private:
  struct Level {
    std::vector<Run> stretches;
    std::int64_t from_size, to_size;
  };

  template <typename F>
  void go(std::size_t k, std::int64_t from, std::int64_t to, F& f) const {
    if (k == levels_.size()) return f(from, to, std::int64_t{1});
    const Level& level = levels_[k];
    for (const Run& s : level.stretches) {
      const std::int64_t a = from * level.from_size + s.from, b = to * level.to_size + s.to;
      if (k + 1 == levels_.size()) {
        f(a, b, s.count);
        continue;
      }
      for (std::int64_t i = 0; i < s.count; ++i) go(k + 1, a + i, b + i, f);
    }
  }

  std::vector<Level> levels_;
};

}  // namespace

LocalPart dense_part(const std::vector<IndexSet>& region, const PartShape& shape) {
  LocalPart part{region, {}};
  std::vector<std::int64_t> dimensions;
  for (const IndexSet& set : region) dimensions.push_back(set.size());
  part.storage = empty_tensor(shape.type, dimensions, shape.format);
  part.storage.fill = shape.fill;
  return part;
}

void copy_into(const LocalPart& from, LocalPart& to) {
  const auto size = static_cast<std::size_t>(size_of(from.storage.type));
  const auto* source = static_cast<const std::byte*>(from.storage.values.data());
  auto* target = static_cast<std::byte*>(to.storage.values.mutable_data());
  Overlap(from, to).for_each([&](std::int64_t a, std::int64_t b, std::int64_t count) {
    std::memcpy(target + static_cast<std::size_t>(b) * size, source + static_cast<std::size_t>(a) * size,
                static_cast<std::size_t>(count) * size);
  });
}

void add_into(const LocalPart& from, LocalPart& to) {
  visit_type(from.storage.type, [&](auto zero) {
    using T = decltype(zero);
    const std::span<const T> source = from.storage.values.view<T>();
    const std::span<T> target = to.storage.values.mutable_view<T>();
    Overlap(from, to).for_each([&](std::int64_t a, std::int64_t b, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) {
        T& sum = target[static_cast<std::size_t>(b + i)];
        sum = static_cast<T>(add_wrapping(widen(sum), widen(source[static_cast<std::size_t>(a + i)])));
      }
    });
  });
}

}  // namespace lacuna
