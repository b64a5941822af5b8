#include "unit/tensor/samples.h"

#include <random>

#include "lacuna/tensor/compare.h"

namespace lacuna::testing {

CoordinateList list_of(std::vector<std::int64_t> dimensions, const std::vector<Entry>& entries, Type type) {
  CoordinateList list{
      std::move(dimensions), {}, Array::allocate(type, static_cast<std::int64_t>(entries.size()), false)};
  for (std::size_t m = 0; m < list.dimensions.size(); ++m) {
    Array column = Array::allocate(coordinate_type(list.dimensions[m]), list.size(), false);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const std::int64_t c = entries[e].coordinate[m];
      if (column.type() == Type::Int32) column.mutable_view<std::int32_t>()[e] = static_cast<std::int32_t>(c);
      else column.mutable_view<std::int64_t>()[e] = c;
    }
    list.coordinates.push_back(column);
  }
  auto* values = static_cast<unsigned char*>(list.values.mutable_data());
  for (std::size_t e = 0; e < entries.size(); ++e) {
    Scalar(entries[e].value).convert(type).store(values + e * static_cast<std::size_t>(size_of(type)));
  }
  return list;
}

CoordinateList random_list(std::vector<std::int64_t> dimensions, std::int64_t entries, std::uint64_t seed, Type type) {
  std::mt19937_64 random(seed);
  std::vector<Entry> list;
  for (const std::int64_t d : dimensions) {
    if (d == 0) entries = 0;
  }
  for (std::int64_t e = 0; e < entries; ++e) {
    Entry entry;
    for (const std::int64_t d : dimensions) {
      entry.coordinate.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(d)));
    }
    entry.value = static_cast<double>(random() % 4);
    list.push_back(entry);
  }
  return list_of(std::move(dimensions), list, type);
}

std::vector<Entry> entries_of(const Storage& tensor) {
  std::vector<Entry> entries;
  for_each(tensor, [&](std::span<const std::int64_t> coordinate, const Scalar& value) {
    entries.push_back({{coordinate.begin(), coordinate.end()}, value.as<double>()});
  });
  return entries;
}

std::vector<Format> every_format(int order) {
  std::vector<std::vector<LevelFormat>> lists = {{}};
  for (int k = 0; k < order; ++k) {
    std::vector<std::vector<LevelFormat>> longer;
    for (const auto& list : lists) {
      for (const LevelKind kind : {LevelKind::Dense, LevelKind::Compressed, LevelKind::Bitmap, LevelKind::Hashed}) {
        const bool chain_open = !list.empty() && !list.back().unique;
        if (!chain_open) longer.push_back(list), longer.back().push_back({kind, true, true});
      }
      const bool chain_begins = list.empty() || list.back().unique;
      if (chain_begins && k + 1 < order) {
        longer.push_back(list), longer.back().push_back({LevelKind::Compressed, true, false});
      }
      if (!chain_begins) {
        longer.push_back(list), longer.back().push_back({LevelKind::Singleton, true, true});
        if (k + 1 < order) longer.push_back(list), longer.back().push_back({LevelKind::Singleton, true, false});
      }
    }
    lists = std::move(longer);
  }
  std::vector<Format> formats;
  for (const auto& list : lists) formats.emplace_back(list);
  return formats;
}

}  // namespace lacuna::testing
