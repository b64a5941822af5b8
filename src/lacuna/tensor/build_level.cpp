#include "lacuna/tensor/build_level.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

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

}  // namespace

LevelBuilder::LevelBuilder(const Entries& entries, const Format& format)
    : entries_(entries), format_(format), size_(entries.size()) {}

template <typename F>
void LevelBuilder::with_parents(F&& f) const {
  switch (shape_) {
    case Shape::Root: f([](std::int64_t) { return std::int64_t{0}; }); break;
    case Shape::Identity: f([](std::int64_t e) { return e; }); break;
    case Shape::Column:
      with_coordinates(entries_.columns.front(), [&](auto column) {
        f([column](std::int64_t e) { return static_cast<std::int64_t>(column[e]); });
      });
      break;
    case Shape::Listed: f([view = positions_.view<std::int64_t>()](std::int64_t e) { return view[e]; }); break;
  }
}

template <typename F>
void LevelBuilder::with_parents_and_coordinates(F&& f) const {
  with_parents([&](auto parent) {
    with_coordinates(entries_.columns[static_cast<std::size_t>(level_)], [&](auto crd) { f(parent, crd); });
  });
}

std::span<std::int64_t> LevelBuilder::listed() {
  if (positions_.size() != size_ || positions_.type() != Type::Int64) {
    positions_ = Array::allocate(Type::Int64, size_, false);
  }
  return positions_.mutable_view<std::int64_t>();
}

LevelStorage LevelBuilder::add() {
  LevelStorage level;
  switch (format_.level(level_).kind) {
    case LevelKind::Dense: level = dense(); break;
    case LevelKind::Compressed: level = compressed(); break;
    case LevelKind::Singleton: level = singleton(); break;
    case LevelKind::Bitmap: level = bitmap(); break;
    case LevelKind::Hashed: level = hashed(); break;
  }
  level.extent = entries_.extents[static_cast<std::size_t>(level_)];
  level.positions = span_;
  ++level_;
  return level;
}

void LevelBuilder::move_to_dense_children() {
  const std::int64_t extent = entries_.extents[static_cast<std::size_t>(level_)];
  span_ = multiply_sizes(span_, extent, "a dense or bitmap level");
  // No child has a number at or above span_, so the arithmetic below cannot overflow.
  const auto children = listed();
  with_parents_and_coordinates([&](auto parent, auto crd) {
    for (std::int64_t e = 0; e < size_; ++e) children[e] = parent(e) * extent + crd[e];
  });
  shape_ = Shape::Listed;
}

LevelStorage LevelBuilder::dense() {
  if (shape_ == Shape::Root) {
    span_ = multiply_sizes(1, entries_.extents.front(), "a dense level");
    shape_ = Shape::Column;
  } else {
    move_to_dense_children();
  }
  reachable_ *= entries_.extents[static_cast<std::size_t>(level_)];
  return {};
}

LevelStorage LevelBuilder::bitmap() {
  move_to_dense_children();
  LevelStorage level;
  level.present = Array::allocate(Type::UInt8, span_, true);
  auto present = level.present.mutable_view<std::uint8_t>();
  reachable_ = 0;
  for (const std::int64_t child : positions_.view<std::int64_t>()) {
    reachable_ += present[child] == 0;
    present[child] = 1;
  }
  return level;
}

int LevelBuilder::chain_end() const {
  int last = level_;
  while (last + 1 < format_.order() && !format_.level(last).unique) ++last;
  return last;
}

template <typename F>
void LevelBuilder::with_steps(F&& f) const {
  const int last = chain_end();
  with_coordinates(entries_.columns[static_cast<std::size_t>(level_)], [&](auto crd) {
    // Entries differ somewhere, so a chain to the last level tells all of one parent apart.
    if (last + 1 == format_.order()) return f([](std::int64_t) { return true; });
    if (last == level_) return f([=](std::int64_t e) { return crd[e] != crd[e - 1]; });
    const std::span<const Array> chain(entries_.columns.data() + level_, static_cast<std::size_t>(last - level_ + 1));
    std::vector<IntegerReader> readers(chain.begin(), chain.end());
    f([&](std::int64_t e) {
      return std::any_of(readers.rbegin(), readers.rend(), [e](const IntegerReader& r) { return r[e] != r[e - 1]; });
    });
  });
}

Array LevelBuilder::count_children(std::int64_t& total) const {
  total = 0;
  const auto each_child = [&](const auto& visit) {
    with_parents([&](auto parent) {
      with_steps([&](auto step) {
        for (std::int64_t e = 0; e < size_; ++e) {
          if (e == 0 || step(e) || parent(e) != parent(e - 1)) visit(parent(e));
        }
      });
    });
  };
  if (chain_end() + 1 == format_.order()) total = size_;
  else each_child([&](std::int64_t) { ++total; });
  Array counts = Array::allocate(position_type(total), span_ + 1, true);
  with_mutable_coordinates(counts, [&](auto count) { each_child([&](std::int64_t parent) { ++count[parent + 1]; }); });
  return counts;
}

LevelStorage LevelBuilder::compressed() {
  LevelStorage level;
  std::int64_t total = 0;
  level.pos = count_children(total);
  accumulate(level.pos);
  // Positions of a compressed level are there for the entries under them.
  level.nonempty = level_ > 0 && format_.level(level_ - 1).kind == LevelKind::Compressed;
  const bool in_order = ascending_ && total == size_;
  span_ = reachable_ = total;
  if (in_order) {
    // Every entry is a child of its own, in the order of the list: the column is the coordinate array.
    level.crd = entries_.columns[static_cast<std::size_t>(level_)];
    shape_ = Shape::Identity;
    return level;
  }
  level.crd = Array::allocate(entries_.columns[static_cast<std::size_t>(level_)].type(), total, false);
  const auto children = listed();
  with_parents_and_coordinates([&](auto parent, auto crd) {
    auto to = level.crd.mutable_view<std::remove_const_t<typename decltype(crd)::element_type>>();
    const IntegerReader pos(level.pos);
    // Parents may come in any order (slots of a hash table), but the entries of one are neighbours.
    std::int64_t last_parent = -1;
    std::int64_t next = 0;
    with_steps([&](auto step) {
      for (std::int64_t e = 0; e < size_; ++e) {
        const std::int64_t here = parent(e);
        const bool new_parent = here != last_parent;
        if (new_parent) next = pos[here];
        if (new_parent || step(e)) to[next++] = crd[e];
        last_parent = here;
        children[e] = next - 1;
      }
    });
  });
  shape_ = Shape::Listed;
  return level;
}

LevelStorage LevelBuilder::singleton() {
  LevelStorage level;
  const Array& column = entries_.columns[static_cast<std::size_t>(level_)];
  if (shape_ == Shape::Identity && span_ == size_) {
    level.crd = column;
    return level;
  }
  level.crd = Array::allocate(column.type(), span_, true);
  std::int64_t parents = 0;
  with_parents_and_coordinates([&](auto parent, auto crd) {
    auto to = level.crd.mutable_view<std::remove_const_t<typename decltype(crd)::element_type>>();
    for (std::int64_t e = 0; e < size_; ++e) {
      const bool new_parent = e == 0 || parent(e) != parent(e - 1);
      if (!new_parent && crd[e] != crd[e - 1]) refuse_singleton(e);
      parents += new_parent ? 1 : 0;
      to[parent(e)] = crd[e];
    }
  });
  if (parents != reachable_) {
    user_error(
        "level {} is a singleton, which holds exactly one entry for each of the {} positions above it, but {} "
        "of them have none; make it compressed",
        level_, reachable_, reachable_ - parents);
  }
  return level;
}

void LevelBuilder::refuse_singleton(std::int64_t e) const {
  user_error(
      "level {} is a singleton, which holds one entry a parent, but the entries {} and {} share theirs; make it "
      "compressed, or the level above nonunique",
      level_, coordinate_text(entries_, e - 1), coordinate_text(entries_, e));
}

LevelStorage LevelBuilder::hashed() {
  LevelStorage level;
  std::int64_t total = 0;
  const Array counts = count_children(total);
  std::int64_t slots = 0;
  const IntegerReader count(counts);
  for (std::int64_t p = 0; p < span_; ++p) slots += hash_region_size(count[p + 1]);
  level.pos = Array::allocate(position_type(slots), span_ + 1, true);
  with_mutable_coordinates(level.pos, [&](auto pos) {
    using Pos = typename decltype(pos)::value_type;
    for (std::int64_t p = 0; p < span_; ++p) pos[p + 1] = pos[p] + static_cast<Pos>(hash_region_size(count[p + 1]));
  });
  level.crd = Array::allocate(entries_.columns[static_cast<std::size_t>(level_)].type(), slots, false);
  std::memset(level.crd.mutable_data(), 0xff, static_cast<std::size_t>(level.crd.bytes()));
  const auto children = listed();
  const IntegerReader pos(level.pos);
  with_parents_and_coordinates([&](auto parent, auto crd) {
    auto to = level.crd.mutable_view<std::remove_const_t<typename decltype(crd)::element_type>>();
    std::int64_t last_parent = -1;
    for (std::int64_t e = 0; e < size_; ++e) {
      const std::int64_t here = parent(e);
      if (here == last_parent && crd[e] == crd[e - 1]) {
        children[e] = children[e - 1];
        continue;
      }
      last_parent = here;
      const std::int64_t begin = pos[here];
      const std::int64_t size = pos[here + 1] - begin;
      std::int64_t slot = hash_slot(crd[e], size);
      while (to[begin + slot] != empty_slot) slot = (slot + 1) & (size - 1);
      to[begin + slot] = crd[e];
      children[e] = begin + slot;
    }
  });
  shape_ = Shape::Listed;
  ascending_ = false;
  span_ = slots;
  reachable_ = total;
  return level;
}

Array LevelBuilder::values(const Scalar& fill) {
  if (shape_ == Shape::Identity && span_ == size_) return entries_.values;
  const bool zero = fill.is_zero();
  Array result = Array::allocate(entries_.values.type(), span_, zero);
  visit_type(entries_.values.type(), [&](auto example) {
    using T = decltype(example);
    auto to = result.mutable_view<T>();
    if (!zero) std::fill(to.begin(), to.end(), fill.as<T>());
    const auto from = entries_.values.view<T>();
    with_parents([&](auto position) {
      for (std::int64_t e = 0; e < size_; ++e) to[position(e)] = from[e];
    });
  });
  return result;
}

}  // namespace lacuna
