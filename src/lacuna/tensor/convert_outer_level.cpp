#include "lacuna/tensor/convert_outer_level.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

/// Both formats alike but for the outermost level, and a compressed level below it.
bool differ_outside_only(const Format& a, const Format& b) {
  return a.order() >= 2 && a.map() == b.map() && a.level(1).kind == LevelKind::Compressed &&
         std::equal(a.levels().begin() + 1, a.levels().end(), b.levels().begin() + 1, b.levels().end());
}

Storage with_outer_level(const Storage& tensor, const Format& format, LevelStorage outer, Array pos) {
  Storage result = tensor;
  result.format = format;
  result.levels[0] = std::move(outer);
  result.levels[1].pos = std::move(pos);
  return result;
}

/// Dense to compressed: the coordinates without children go.
Storage compress(const Storage& tensor, const Format& format) {
  const LevelStorage& dense = tensor.levels[0];
  const Array& old_pos = tensor.levels[1].pos;
  const IntegerReader pos(old_pos);
  std::int64_t kept = 0;
  for (std::int64_t p = 0; p < dense.extent; ++p) kept += pos[p] != pos[p + 1] ? 1 : 0;
  LevelStorage outer;
  outer.origin = dense.origin;
  outer.extent = dense.extent;
  outer.positions = kept;
  outer.pos = Array::allocate(position_type(kept), 2, true);
  with_mutable_coordinates(outer.pos,
                           [&](auto ends) { ends[1] = static_cast<typename decltype(ends)::value_type>(kept); });
  outer.crd = Array::allocate(coordinate_type(dense.origin + dense.extent), kept, false);
  Array new_pos = Array::allocate(position_type(pos[dense.extent]), kept + 1, false);
  with_mutable_coordinates(outer.crd, [&](auto crd) {
    with_mutable_coordinates(new_pos, [&](auto to) {
      using Coordinate = typename decltype(crd)::value_type;
      using Pos = typename decltype(to)::value_type;
      std::size_t next = 0;
      for (std::int64_t p = 0; p < dense.extent; ++p) {
        if (pos[p] == pos[p + 1]) continue;
        to[next] = static_cast<Pos>(pos[p]);
        crd[next++] = static_cast<Coordinate>(dense.origin + p);
      }
      to[next] = static_cast<Pos>(pos[dense.extent]);
    });
  });
  return with_outer_level(tensor, format, std::move(outer), std::move(new_pos));
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

std::optional<Storage> convert_outer_level(const Storage& tensor, const Format& format) {
  if (!differ_outside_only(tensor.format, format)) return std::nullopt;
  const LevelFormat& from = tensor.format.level(0);
  const LevelFormat& to = format.level(0);
  if (from.kind == LevelKind::Dense && to.kind == LevelKind::Compressed && to.unique) return compress(tensor, format);
  const bool ascends = from.kind == LevelKind::Compressed && from.ordered && from.unique;
  if (ascends && to.kind == LevelKind::Dense) return decompress(tensor, format);
  return std::nullopt;
}

}  // namespace lacuna
