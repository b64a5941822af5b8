#include <numeric>

#include "fuzz/statement/draw.h"
#include "lacuna/dynamic/code/load.h"

namespace lacuna::fuzz {
namespace {

LevelMap draw_map(Random& random, int order) {
  std::vector<int> modes(static_cast<std::size_t>(order));
  std::iota(modes.begin(), modes.end(), 0);
  if (random.percent(40)) random.shuffle(modes);
  return LevelMap(modes);
}

Format draw_named(Random& random, int order) {
  switch (random.below(order == 2 ? 9 : 5)) {
    case 0: return dense_format(order);
    case 1: return csf_format(order);
    case 2: return coo_format(order);
    case 3: return hashed_format(order);
    case 4: return bitmap_format(order);
    case 5: return csc_format();
    case 6: return dcsr_format();
    case 7: return dcsc_format();
    default: return csr_format();
  }
}

LevelFormat draw_level(Random& random, bool can_be_singleton, bool must_be_singleton, bool last) {
  LevelFormat level;
  constexpr LevelKind kinds[] = {LevelKind::Dense, LevelKind::Compressed, LevelKind::Bitmap, LevelKind::Hashed,
                                 LevelKind::Singleton};
  level.kind =
      must_be_singleton ? LevelKind::Singleton : kinds[random.weighted({34, 36, 13, 17, can_be_singleton ? 8 : 0})];
  const bool loose = level.kind == LevelKind::Compressed || level.kind == LevelKind::Singleton;
  if (loose) level.ordered = !random.percent(18);
  if (loose) level.unique = must_be_singleton && !last ? !random.percent(50) : !random.percent(last ? 15 : 25);
  if (level.kind == LevelKind::Hashed) level.ordered = false;
  return level;
}

/// Dynamic levels, above, below and between the others that nest with them.
Format draw_nodes(Random& random, int order) {
  static const std::vector<std::string> names = [] {
    return schema::names_of_levels(schema::level_folders(Environment{}));
  }();
  std::vector<LevelFormat> levels;
  const int certain = random.below(order);
  for (int k = 0; k < order; ++k) {
    LevelFormat level{random.percent(50) ? LevelKind::Dense : LevelKind::Compressed, true, true};
    if (k == certain || random.percent(40))
      level = parse_format(names[static_cast<std::size_t>(random.below(static_cast<int>(names.size())))], 1).level(0);
    levels.push_back(level);
  }
  return Format(std::move(levels), draw_map(random, order));
}

}  // namespace

Format draw_format(Random& random, int order) {
  if (order == 0) return Format();
  if (random.percent(25)) return draw_named(random, order);
  if (random.percent(10)) return draw_nodes(random, order);
  std::vector<LevelFormat> levels;
  for (int k = 0; k < order; ++k) {
    const bool chained = k > 0 && !levels.back().unique;
    levels.push_back(draw_level(random, k > 0, chained, k + 1 == order));
  }
  return Format(std::move(levels), draw_map(random, order));
}

Format draw_result_format(Random& random, int order) {
  for (;;) {
    const Format format = draw_format(random, order);
    bool fits = true;
    for (int k = 1; k < order; ++k)
      fits = fits && (format.level(k).kind != LevelKind::Singleton || !format.level(k - 1).unique);
    if (fits || random.percent(2)) return format;
  }
}

}  // namespace lacuna::fuzz
