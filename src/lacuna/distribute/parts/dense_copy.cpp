#include "lacuna/distribute/parts/dense_copy.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "lacuna/distribute/parts/width.h"
#include "lacuna/support/check.h"
#include "lacuna/support/type_visit.h"
#include "lacuna/tensor/wrapping.h"

namespace lacuna {
namespace {

/// How many units before they are copied they are asked for, where they are scattered: so that some pages' worth are
/// under way.
std::int64_t units_asked_for(std::int64_t bytes) {
  constexpr std::int64_t under_way = 4096, most = 16;
  return std::clamp<std::int64_t>(under_way / bytes, 1, most);
}

/// Processors see by themselves how long stretches go on, but not where the next one begins.
void ask_for(const void* memory, std::int64_t bytes) {
  constexpr std::int64_t line = 64, seen_by_itself = 512;
  for (std::int64_t at = 0; at < std::min(bytes, seen_by_itself); at += line)
    __builtin_prefetch(static_cast<const std::byte*>(memory) + at);
}

}  // namespace

/// Goes through the levels, outermost first, and collects the runs of neighbours that both parts have.
class DenseCopy::Collector {
 public:
  Collector(const std::vector<IndexSet>& from, const std::vector<IndexSet>& to, const std::vector<IndexSet>& region,
            const Format& format) {
    for (int k = 0; k < format.order(); ++k) {
      const auto mode = static_cast<std::size_t>(format.map().mode_of(k));
      Level level{{}, from[mode].size(), to[mode].size()};
      AscendingRanks in_from(from[mode]), in_to(to[mode]);
      // Numbers without gaps have ranks without gaps.
      region[mode].for_each_interval([&](const Interval& run) {
        level.runs.push_back({in_from(run.begin), in_to(run.begin), run.size()});
      });
      levels_.push_back(std::move(level));
    }
  }

  std::vector<Run> take() {
    go(0, 0, 0);
    return std::move(runs_);
  }

 private:
  struct Level {
    std::vector<Run> runs;
    std::int64_t from_size, to_size;
    bool is_whole() const {
      return from_size == to_size && runs.size() == 1 && runs[0].from == 0 && runs[0].to == 0 &&
             runs[0].count == from_size;
    }
  };

  void go(std::size_t k, std::int64_t from, std::int64_t to) {
    if (k == levels_.size()) return add({from, to, 1});
    const Level& level = levels_[k];
    std::int64_t below = 1;  // elements under one coordinate, where all of them go
    std::size_t inner = k + 1;
    while (inner < levels_.size() && levels_[inner].is_whole()) below *= levels_[inner++].from_size;
    for (const Run& run : level.runs) {
      const std::int64_t a = from * level.from_size + run.from, b = to * level.to_size + run.to;
      if (inner == levels_.size()) {
        add({a * below, b * below, run.count * below});
        continue;
      }
      for (std::int64_t i = 0; i < run.count; ++i) go(k + 1, a + i, b + i);
    }
  }

  void add(const Run& run) {
    if (!runs_.empty() && runs_.back().from + runs_.back().count == run.from &&
        runs_.back().to + runs_.back().count == run.to)
      runs_.back().count += run.count;
    else if (run.count > 0) runs_.push_back(run);
  }

  std::vector<Level> levels_;
  std::vector<Run> runs_;
};

DenseCopy::DenseCopy(const std::vector<IndexSet>& from, const std::vector<IndexSet>& to,
                     const std::vector<IndexSet>& region, const Format& format, Type type)
    : type_(type) {
  internal_check(format.is_dense(), "a dense copy of a {} part", format.to_string());
  std::vector<Run> runs = Collector(from, to, region, format).take();
  if (runs.empty()) return;
  unit_ = runs[0].count;
  bool from_follows = true, to_follows = true, are_units = true;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    elements_ += runs[k].count;
    unit_ = std::min(unit_, runs[k].count);
    if (k == 0) continue;
    from_follows = from_follows && runs[k].from == runs[k - 1].from + runs[k - 1].count;
    to_follows = to_follows && runs[k].to == runs[k - 1].to + runs[k - 1].count;
  }
  if (from_follows) from_begin_ = runs[0].from;
  if (to_follows) to_begin_ = runs[0].to;
  for (const Run& run : runs) are_units = are_units && run.count % unit_ == 0;
  constexpr std::int64_t few = 4;  // units in a run
  if (runs.size() == 1 || !are_units || elements_ >= few * unit_ * std::ssize(runs)) {
    runs_ = std::move(runs);
    return;
  }
  for (const Run& run : runs) {
    for (std::int64_t i = 0; i < run.count; i += unit_) {
      if (!from_follows) from_.push_back(run.from + i);
      if (!to_follows) to_.push_back(run.to + i);
    }
  }
}

/// Calls f(from, to, count) for each run, or for each unit.
template <typename T, typename F>
void DenseCopy::each_run(const void* from, void* to, const F& f) const {
  const T* source = static_cast<const T*>(from);
  T* target = static_cast<T*>(to);
  for (const Run& run : runs_) f(source + run.from, target + run.to, run.count);
  if (!runs_.empty() || elements_ == 0) return;
  const std::int64_t units = elements_ / unit_;
  if (unit_ == 1 && to_begin_) {
    for (std::int64_t k = 0; k < units; ++k) f(source + from_[k], target + *to_begin_ + k, std::int64_t{1});
    return;
  }
  if (unit_ == 1 && from_begin_) {
    for (std::int64_t k = 0; k < units; ++k) f(source + *from_begin_ + k, target + to_[k], std::int64_t{1});
    return;
  }
  const std::int64_t bytes = unit_ * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t ahead = units_asked_for(bytes);
  for (std::int64_t k = 0; k < units; ++k) {
    if (!from_begin_ && k + ahead < units) ask_for(source + from_[k + ahead], bytes);
    const std::int64_t a = from_begin_ ? *from_begin_ + k * unit_ : from_[k];
    const std::int64_t b = to_begin_ ? *to_begin_ + k * unit_ : to_[k];
    f(source + a, target + b, unit_);
  }
}

void DenseCopy::copy(const void* from, void* to) const {
  with_width(type_, [&](auto width) {
    using Value = std::array<std::byte, width>;
    each_run<Value>(from, to, [](const Value* a, Value* b, std::int64_t count) {
      if (count == 1) std::memcpy(b, a, sizeof(Value));
      else std::memcpy(b, a, static_cast<std::size_t>(count) * sizeof(Value));
    });
  });
}

void DenseCopy::add(const void* from, void* to) const {
  visit_type(type_, [&](auto zero) {
    using T = decltype(zero);
    each_run<T>(from, to, [](const T* a, T* b, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) b[i] = static_cast<T>(add_wrapping(widen(b[i]), widen(a[i])));
    });
  });
}

std::optional<std::int64_t> DenseCopy::stretch_from() const {
  return from_begin_ ? std::optional(*from_begin_ * size_of(type_)) : std::nullopt;
}

std::optional<std::int64_t> DenseCopy::stretch_to() const {
  return to_begin_ ? std::optional(*to_begin_ * size_of(type_)) : std::nullopt;
}

}  // namespace lacuna
