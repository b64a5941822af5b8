#include "lacuna/tensor/reorder_dense.h"

#include <algorithm>
#include <vector>

#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

constexpr std::int64_t tile = 32;  // elements a side: two tiles of the widest type fit into the smallest caches

/// One level of the target: its extent, and how far apart its neighbours lie in each array.
struct Side {
  std::int64_t extent = 1, from_stride = 1, to_stride = 1;
};

bool is_whole(const Storage& tensor) {
  std::int64_t size = 1;
  for (int k = 0; k < tensor.order(); ++k) {
    const LevelStorage& level = tensor.levels[static_cast<std::size_t>(k)];
    const std::int64_t dimension = tensor.dimensions[static_cast<std::size_t>(tensor.format.map().mode_of(k))];
    if (level.origin != 0 || level.extent != dimension) return false;
    size = multiply_sizes(size, dimension, "a dense tensor");
  }
  return tensor.values.base() == 0 && tensor.values.size() == size;
}

/// The levels of the target.
std::vector<Side> sides_of(const Storage& tensor, const Format& format) {
  const auto order = static_cast<std::size_t>(format.order());
  std::vector<std::int64_t> strides(order, 1);  // by level of the source
  for (std::size_t k = order - 1; k-- > 0;) strides[k] = strides[k + 1] * tensor.levels[k + 1].extent;
  std::vector<Side> sides(order);
  for (std::size_t k = order; k-- > 0;) {
    const int mode = format.map().mode_of(static_cast<int>(k));
    const auto source = static_cast<std::size_t>(tensor.format.map().level_of(mode));
    const std::int64_t to = k + 1 < order ? sides[k + 1].to_stride * sides[k + 1].extent : 1;
    sides[k] = {tensor.levels[source].extent, strides[source], to};
  }
  return sides;
}

/// Takes out the side whose neighbours lie nearest to each other in the source.
Side take_fastest(std::vector<Side>& outer) {
  const auto fastest = std::min_element(outer.begin(), outer.end(), [](const Side& a, const Side& b) {
    return a.from_stride < b.from_stride || (a.from_stride == b.from_stride && a.extent > b.extent);
  });
  const Side side = *fastest;
  outer.erase(fastest);
  return side;
}

/// Moves the values of some of `down`, and of all of `across`, whose neighbours lie side by side in the target.
template <typename T>
void move_tiles(const T* from, T* to, const Side& down, const Side& across, std::int64_t begin, std::int64_t end) {
  if (across.from_stride == 1) {
    for (std::int64_t d = begin; d < end; ++d)
      std::copy_n(from + d * down.from_stride, across.extent, to + d * down.to_stride);
    return;
  }
  for (std::int64_t left = 0; left < across.extent; left += tile) {
    const std::int64_t right = std::min(left + tile, across.extent);
    for (std::int64_t d = begin; d < end; ++d)
      for (std::int64_t a = left; a < right; ++a)
        to[d * down.to_stride + a] = from[d * down.from_stride + a * across.from_stride];
  }
}

/// Moves all values: rows of tiles are dealt out to threads.
template <typename T>
void move_all(const T* from, T* to, const std::vector<Side>& sides, std::int64_t size, int threads) {
  std::vector<Side> outer = sides;
  const Side across = outer.back();
  outer.pop_back();
  const Side down = take_fastest(outer);
  const std::int64_t rows = (down.extent + tile - 1) / tile;
  std::int64_t units = rows;
  for (const Side& s : outer) units *= s.extent;
  run_chunks(worthwhile_threads(threads, size), units, [&](int, std::int64_t first, std::int64_t past) {
    for (std::int64_t unit = first; unit < past; ++unit) {
      std::int64_t rest = unit / rows, read = 0, written = 0;
      for (auto s = outer.rbegin(); s != outer.rend(); ++s) {
        read += rest % s->extent * s->from_stride;
        written += rest % s->extent * s->to_stride;
        rest /= s->extent;
      }
      const std::int64_t begin = unit % rows * tile;
      move_tiles(from + read, to + written, down, across, begin, std::min(begin + tile, down.extent));
    }
  });
}

}  // namespace

std::optional<Storage> reorder_dense(const Storage& tensor, const Format& format, int threads) {
  if (!tensor.format.is_dense() || !format.is_dense() || tensor.order() < 2 || !is_whole(tensor)) return std::nullopt;
  const std::vector<Side> sides = sides_of(tensor, format);
  Array values = Array::allocate(tensor.type, tensor.values.size(), false);
  if (!values.empty())
    visit_type(tensor.type, [&](auto zero) {
      using T = decltype(zero);
      move_all(tensor.values.view<T>().data(), values.mutable_view<T>().data(), sides, values.size(), threads);
    });
  Storage result{format, tensor.type, tensor.dimensions, tensor.fill, {}, values};
  std::int64_t positions = 1;
  for (const Side& s : sides) {
    LevelStorage level;
    level.extent = s.extent;
    level.positions = positions *= s.extent;
    result.levels.push_back(std::move(level));
  }
  return result;
}

}  // namespace lacuna
