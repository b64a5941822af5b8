#include "lacuna/tensor/convert_outer_level.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/flags.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

/// Both formats alike but for the outermost level, and a compressed level below it.
bool differ_outside_only(const Format& a, const Format& b) {
  return a.order() >= 2 && a.map() == b.map() && a.level(1).packed() &&
         std::equal(a.levels().begin() + 1, a.levels().end(), b.levels().begin() + 1, b.levels().end());
}

Storage with_outer_level(const Storage& tensor, const Format& format, LevelStorage outer, Array pos) {
  Storage result = tensor;
  result.format = format;
  result.levels[0] = std::move(outer);
  result.levels[1].pos = std::move(pos);
  result.levels[1].nonempty = format.level(0).packed();
  return result;
}

/// Lists the coordinates that have children, and the bounds of these.
template <typename From>
class ParentList {
 public:
  ParentList(std::span<const From> bounds, int threads)
      : bounds_(bounds),
        size_(static_cast<std::int64_t>(bounds.size()) - 1),
        chunks_(worthwhile_threads(threads, size_)),
        firsts_(static_cast<std::size_t>(chunks_) + 1) {}

  std::int64_t count() {
    each_block([&](int chunk, std::int64_t, const Flags& parents) {
      firsts_[static_cast<std::size_t>(chunk) + 1] += parents.count();
    });
    std::partial_sum(firsts_.begin(), firsts_.end(), firsts_.begin());
    return firsts_.back();
  }

  /// To be called once, after count().
  template <typename Coordinate, typename Pos>
  void list(std::int64_t origin, std::span<Coordinate> crd, std::span<Pos> pos) {
    each_block([&](int chunk, std::int64_t begin, const Flags& parents) {
      std::int64_t n = firsts_[static_cast<std::size_t>(chunk)];
      for (std::int64_t first = begin; first < begin + parents.size(); first += 64) {
        const auto add = [&](std::int64_t i) {
          crd[n] = static_cast<Coordinate>(origin + first + i);
          pos[n++] = static_cast<Pos>(bounds_[first + i]);
        };
        const std::uint64_t bits = parents.word(first - begin);
        if (bits != ~std::uint64_t{0}) each_bit(bits, add);
        else
          for (std::int64_t i = 0; i < 64; ++i) add(i);
      }
      firsts_[static_cast<std::size_t>(chunk)] = n;
    });
    pos.back() = static_cast<Pos>(bounds_.back());
  }

 private:
  template <typename F>
  void each_block(const F& f) const {
    run_chunks(chunks_, size_, [&](int chunk, std::int64_t chunk_begin, std::int64_t chunk_end) {
      for (std::int64_t begin = chunk_begin; begin < chunk_end; begin += Flags::capacity) {
        Flags parents(std::min(Flags::capacity, chunk_end - begin));
        const From* const bounds = bounds_.data() + begin;
        std::uint8_t* const flag = parents.data();
        const std::int64_t size = parents.size();
        for (std::int64_t i = 0; i < size; ++i) flag[i] = bounds[i] != bounds[i + 1] ? 1 : 0;
        f(chunk, begin, parents);
      }
    });
  }

  std::span<const From> bounds_;
  std::int64_t size_;
  int chunks_;
  std::vector<std::int64_t> firsts_;  // by chunk, and the end
};

/// Dense to compressed: the coordinates without children go.
Storage compress(const Storage& tensor, const Format& format, int threads) {
  const LevelStorage& dense = tensor.levels[0];
  const Array& bounds = tensor.levels[1].pos;
  LevelStorage outer;
  outer.origin = dense.origin;
  outer.extent = dense.extent;
  Array pos = bounds;
  visit_integer_type(bounds.type(), [&](auto zero) {
    ParentList list(bounds.view<decltype(zero)>().first(static_cast<std::size_t>(dense.extent) + 1), threads);
    outer.positions = list.count();
    outer.crd = Array::allocate(coordinate_type(dense.origin + dense.extent), outer.positions, false);
    with_mutable_coordinates(outer.crd, [&](auto crd) {
      if (outer.positions == dense.extent) {
        return std::iota(crd.begin(), crd.end(), static_cast<typename decltype(crd)::value_type>(dense.origin));
      }
      pos = Array::allocate(position_type(IntegerReader(bounds)[dense.extent]), outer.positions + 1, false);
      with_mutable_coordinates(pos, [&](auto to) { list.list(dense.origin, crd, to); });
    });
  });
  outer.pos = Array::allocate(position_type(outer.positions), 2, true);
  with_mutable_coordinates(
      outer.pos, [&](auto ends) { ends[1] = static_cast<typename decltype(ends)::value_type>(outer.positions); });
  return with_outer_level(tensor, format, std::move(outer), std::move(pos));
}

/// Ordered compressed to dense: the coordinates between get no children.
Storage decompress(const Storage& tensor, const Format& format) {
  const LevelStorage& compressed = tensor.levels[0];
  const IntegerReader crd(compressed.crd);
  const IntegerReader pos(tensor.levels[1].pos);
  const std::int64_t first = compressed.crd.base();
  const std::int64_t last = first + compressed.positions;
  LevelStorage outer;
  outer.origin = compressed.origin;
  outer.extent = outer.positions = multiply_sizes(1, compressed.extent, "a dense level");
  Array new_pos = Array::allocate(position_type(pos[last]), outer.extent + 1, false);
  with_mutable_coordinates(new_pos, [&](auto to) {
    using Pos = typename decltype(to)::value_type;
    auto at = to.begin();
    for (std::int64_t p = first; p < last; ++p) {
      const auto end = to.begin() + (crd[p] - outer.origin) + 1;
      std::fill(at, end, static_cast<Pos>(pos[p]));
      at = end;
    }
    std::fill(at, to.end(), static_cast<Pos>(pos[last]));
  });
  return with_outer_level(tensor, format, std::move(outer), std::move(new_pos));
}

}  // namespace

std::optional<Storage> convert_outer_level(const Storage& tensor, const Format& format, int threads) {
  if (!differ_outside_only(tensor.format, format)) return std::nullopt;
  const LevelFormat& from = tensor.format.level(0);
  const LevelFormat& to = format.level(0);
  if (from.full() && to.packed() && to.unique) {
    return compress(tensor, format, threads);
  }
  const bool ascends = from.packed() && from.ordered && from.unique;
  if (ascends && to.full()) return decompress(tensor, format);
  return std::nullopt;
}

}  // namespace lacuna
