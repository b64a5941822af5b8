#include "lacuna/tensor/storage.h"

#include <algorithm>

#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/positions.h"

namespace lacuna {

std::int64_t first_position(const Storage& storage, int level) {
  std::int64_t first = 0;
  for (int k = 0; k <= level; ++k) {
    const LevelStorage& data = storage.levels[static_cast<std::size_t>(k)];
    switch (storage.format.level(k).kind) {
      case LevelKind::Dense:
      case LevelKind::Bitmap: first *= data.extent; break;
      case LevelKind::Compressed:
      case LevelKind::Hashed: first = data.crd.base(); break;
      case LevelKind::Dynamic: first = 0; break;
      case LevelKind::Singleton: break;
    }
  }
  return first;
}

std::int64_t Storage::stored() const {
  // Only the positions that belong to an entry count: slots and bytes of absent entries own none below them but dense
  // spans.
  std::int64_t count = 1;
  for (int k = 0; k < order(); ++k) {
    const LevelStorage& data = levels[static_cast<std::size_t>(k)];
    switch (format.level(k).kind) {
      case LevelKind::Dense: count *= data.extent; break;
      case LevelKind::Compressed:
      case LevelKind::Dynamic: count = data.positions; break;
      case LevelKind::Singleton: break;
      case LevelKind::Bitmap: {
        const auto bytes = data.present.view<std::uint8_t>();
        count = std::count_if(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte != 0; });
        break;
      }
      case LevelKind::Hashed: {
        const IntegerReader crd(data.crd);
        count = 0;
        for (std::int64_t slot = 0; slot < data.positions; ++slot) count += crd[data.crd.base() + slot] >= 0;
        break;
      }
    }
  }
  return count;
}

std::int64_t Storage::bytes() const {
  std::int64_t total = values.bytes();
  for (const LevelStorage& level : levels) {
    total += level.pos.bytes() + level.crd.bytes() + level.present.bytes();
    for (const Array& array : level.nodes) total += array.bytes();
  }
  return total;
}

Type coordinate_type(std::int64_t dimension) { return dimension <= 0x7fffffff ? Type::Int32 : Type::Int64; }

}  // namespace lacuna
