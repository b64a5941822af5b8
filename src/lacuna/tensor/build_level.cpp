#include "lacuna/tensor/build_level.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "lacuna/support/check.h"
#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/hash.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

/// Replaces counts (element p+1 counts parent p) by their running sums.
void accumulate(Array& counts) {
  with_mutable_coordinates(counts, [](auto pos) {
    for (std::size_t p = 1; p < pos.size(); ++p) pos[p] += pos[p - 1];
  });
}

/// Calls f(former run, run, coordinate) for every run.
template <typename F>
void each_run(const FinerRuns& finer, F&& f) {
  with_coordinates(finer.coordinates, [&](auto crd) {
    with_coordinates(finer.bounds, [&](auto bounds) {
      for (std::size_t parent = 0; parent + 1 < bounds.size(); ++parent) {
        for (auto n = static_cast<std::int64_t>(bounds[parent]); n < bounds[parent + 1]; ++n) {
          f(static_cast<std::int64_t>(parent), n, static_cast<std::int64_t>(crd[n]));
        }
      }
    });
  });
}

}  // namespace

LevelBuilder::LevelBuilder(const Entries& entries, const Format& format, int threads)
    : entries_(entries), format_(format), threads_(threads), runs_(EntryRuns::whole(entries.size())) {}

template <typename F>
void LevelBuilder::with_positions(F&& f) const {
  if (!listed_) f([](std::int64_t n) { return n; });
  else with_coordinates(positions_, [&](auto view) { f([view](std::int64_t n) { return std::int64_t{view[n]}; }); });
}

FinerRuns LevelBuilder::cut(int last) {
  FinerRuns finer = refine(entries_, runs_, last, threads_);
  runs_ = finer.runs;
  return finer;
}

LevelStorage LevelBuilder::add() {
  LevelStorage level;
  switch (format_.level(level_).kind) {
    case LevelKind::Dense: level = dense(); break;
    case LevelKind::Compressed: level = compressed(); break;
    case LevelKind::Singleton: level = singleton(); break;
    case LevelKind::Bitmap: level = bitmap(); break;
    case LevelKind::Hashed: level = hashed(); break;
    case LevelKind::Dynamic: throw InternalError("internal error: nodes are built by kernels alone");
  }
  level.extent = entries_.extents[static_cast<std::size_t>(level_)];
  level.positions = span_;
  ++level_;
  return level;
}

void LevelBuilder::move_to_dense_children() {
  const std::int64_t extent = entries_.extents[static_cast<std::size_t>(level_)];
  span_ = multiply_sizes(span_, extent, "a dense or bitmap level");
  const FinerRuns finer = cut(level_);
  if (level_ == 0) {
    positions_ = finer.coordinates;
  } else {
    // No child has a number at or above span_, so the arithmetic below cannot overflow.
    Array children = Array::allocate(position_type(span_), runs_.count, false);
    with_mutable_coordinates(children, [&](auto to) {
      using To = typename decltype(to)::value_type;
      with_positions([&](auto position) {
        each_run(finer, [&](std::int64_t parent, std::int64_t n, std::int64_t c) {
          to[n] = static_cast<To>(position(parent) * extent + c);
        });
      });
    });
    positions_ = std::move(children);
  }
  listed_ = !ascending_ || runs_.count != span_;
}

LevelStorage LevelBuilder::dense() {
  move_to_dense_children();
  reachable_ *= entries_.extents[static_cast<std::size_t>(level_)];
  return {};
}

LevelStorage LevelBuilder::bitmap() {
  move_to_dense_children();
  LevelStorage level;
  level.present = Array::allocate(Type::UInt8, span_, true);
  auto present = level.present.mutable_view<std::uint8_t>();
  with_positions([&](auto position) {
    for (std::int64_t n = 0; n < runs_.count; ++n) present[position(n)] = 1;
  });
  reachable_ = runs_.count;
  return level;
}

int LevelBuilder::chain_end() const {
  int last = level_;
  while (last + 1 < format_.order() && !format_.level(last).unique) ++last;
  return last;
}

Array LevelBuilder::spread(const Array& bounds) const {
  if (!listed_) return bounds;
  Array pos = Array::allocate(bounds.type(), span_ + 1, false);
  const std::int64_t parents = positions_.size();
  with_coordinates(positions_, [&](auto position) {
    with_mutable_coordinates(pos, [&](auto to) {
      using Pos = typename decltype(to)::value_type;
      const auto ends = bounds.view<Pos>();
      run_chunks(worthwhile_threads(threads_, span_), parents, [&](int, std::int64_t first, std::int64_t last) {
        // Each chunk writes from behind its first parent's position, where that of the one before ends, to its last's.
        std::int64_t p = first == 0 ? 0 : std::int64_t{position[first - 1]} + 2;
        const std::int64_t end = last == parents ? span_ + 1 : std::int64_t{position[last - 1]} + 2;
        std::fill(to.begin() + p, to.begin() + end, Pos{0});
        for (std::int64_t n = first; n < last; ++n) to[std::int64_t{position[n]} + 1] = ends[n + 1];
        for (Pos before = ends[first]; p < end; ++p) to[p] = before = std::max(before, to[p]);
      });
    });
  });
  return pos;
}

void LevelBuilder::scatter(const FinerRuns& finer, LevelStorage& level) {
  level.pos = Array::allocate(position_type(runs_.count), span_ + 1, true);
  level.crd = Array::allocate(finer.coordinates.type(), runs_.count, false);
  Array children = Array::allocate(position_type(runs_.count), runs_.count, false);
  with_positions([&](auto position) {
    with_mutable_coordinates(level.pos, [&](auto count) {
      each_run(finer, [&](std::int64_t parent, std::int64_t, std::int64_t) { ++count[position(parent) + 1]; });
    });
    accumulate(level.pos);
    const IntegerReader pos(level.pos);
    with_mutable_coordinates(level.crd, [&](auto to) {
      using Coordinate = typename decltype(to)::value_type;
      with_mutable_coordinates(children, [&](auto child) {
        using Child = typename decltype(child)::value_type;
        std::int64_t last_parent = -1;
        std::int64_t next = 0;
        each_run(finer, [&](std::int64_t parent, std::int64_t n, std::int64_t c) {
          if (parent != last_parent) next = pos[position(parent)];
          last_parent = parent;
          to[next] = static_cast<Coordinate>(c);
          child[n] = static_cast<Child>(next++);
        });
      });
    });
  });
  positions_ = std::move(children);
}

LevelStorage LevelBuilder::compressed() {
  LevelStorage level;
  const FinerRuns finer = cut(chain_end());
  // Positions of a compressed level are there for the entries under them.
  level.nonempty = level_ > 0 && format_.level(level_ - 1).packed();
  if (ascending_) {
    level.pos = spread(finer.bounds);
    level.crd = finer.coordinates;
    listed_ = false;
  } else {
    scatter(finer, level);
  }
  span_ = reachable_ = runs_.count;
  return level;
}

Array LevelBuilder::check_single_child() {
  const std::int64_t parents = runs_.count;
  const FinerRuns finer = cut(level_);
  if (runs_.count == parents) return finer.coordinates;
  const IntegerReader bounds(finer.bounds);
  std::int64_t parent = 0;
  while (bounds[parent + 1] - bounds[parent] == 1) ++parent;
  const std::int64_t second = bounds[parent] + 1;
  const std::int64_t e = runs_.single ? second : runs_.starts.integer(second);
  user_error(
      "level {} is a singleton, which holds one entry a parent, but the entries {} and {} share theirs; make it "
      "compressed, or the level above nonunique",
      level_, coordinate_text(entries_, e - 1), coordinate_text(entries_, e));
}

LevelStorage LevelBuilder::singleton() {
  LevelStorage level;
  // Where the level above is not unique, the runs are already cut by this column.
  const Array& column = entries_.columns[static_cast<std::size_t>(level_)];
  const Array coordinates = runs_.columns <= level_ ? check_single_child() : first_of_runs(column, runs_);
  if (runs_.count != reachable_) {
    user_error(
        "level {} is a singleton, which holds exactly one entry for each of the {} positions above it, but {} "
        "of them have none; make it compressed",
        level_, reachable_, reachable_ - runs_.count);
  }
  if (!listed_) {
    level.crd = coordinates;
    return level;
  }
  level.crd = Array::allocate(column.type(), span_, true);
  with_coordinates(coordinates, [&](auto from) {
    auto to = level.crd.mutable_view<std::remove_const_t<typename decltype(from)::element_type>>();
    with_positions([&](auto position) {
      for (std::int64_t n = 0; n < runs_.count; ++n) to[position(n)] = from[n];
    });
  });
  return level;
}

LevelStorage LevelBuilder::hashed() {
  const FinerRuns finer = cut(level_);
  const IntegerReader bounds(finer.bounds);
  const std::int64_t parents = finer.bounds.size() - 1;
  const auto region = [&](std::int64_t parent) { return hash_region_size(bounds[parent + 1] - bounds[parent]); };
  std::int64_t slots = 0;
  for (std::int64_t n = 0; n < parents; ++n) slots += region(n);
  LevelStorage level;
  level.pos = Array::allocate(position_type(slots), span_ + 1, true);
  level.crd = Array::allocate(finer.coordinates.type(), slots, false);
  std::memset(level.crd.mutable_data(), 0xff, static_cast<std::size_t>(level.crd.bytes()));
  Array children = Array::allocate(position_type(slots), runs_.count, false);
  with_positions([&](auto position) {
    with_mutable_coordinates(level.pos, [&](auto pos) {
      using Pos = typename decltype(pos)::value_type;
      for (std::int64_t n = 0; n < parents; ++n) pos[position(n) + 1] = static_cast<Pos>(region(n));
    });
    accumulate(level.pos);
    const IntegerReader pos(level.pos);
    with_mutable_coordinates(level.crd, [&](auto to) {
      using Coordinate = typename decltype(to)::value_type;
      with_mutable_coordinates(children, [&](auto child) {
        using Child = typename decltype(child)::value_type;
        each_run(finer, [&](std::int64_t parent, std::int64_t n, std::int64_t c) {
          const std::int64_t begin = pos[position(parent)];
          const std::int64_t size = region(parent);
          std::int64_t slot = hash_slot(c, size);
          while (to[begin + slot] != empty_slot) slot = (slot + 1) & (size - 1);
          to[begin + slot] = static_cast<Coordinate>(c);
          child[n] = static_cast<Child>(begin + slot);
        });
      });
    });
  });
  positions_ = std::move(children);
  listed_ = true;
  ascending_ = false;
  span_ = slots;
  reachable_ = runs_.count;
  return level;
}

Array LevelBuilder::values(const Scalar& fill) {
  // Entries differ, so each is a run by now: but for those of a tensor of order 0, which has at most one.
  if (!listed_ && span_ == entries_.size()) return entries_.values;
  const bool zero = fill.is_zero();
  Array result = Array::allocate(entries_.values.type(), span_, zero);
  visit_type(entries_.values.type(), [&](auto example) {
    using T = decltype(example);
    auto to = result.mutable_view<T>();
    if (!zero) std::fill(to.begin(), to.end(), fill.as<T>());
    const auto from = entries_.values.view<T>();
    with_positions([&](auto position) {
      run_chunks(worthwhile_threads(threads_, entries_.size()), entries_.size(),
                 [&](int, std::int64_t begin, std::int64_t end) {
                   for (std::int64_t e = begin; e < end; ++e) to[position(e)] = from[e];
                 });
    });
  });
  return result;
}

}  // namespace lacuna
