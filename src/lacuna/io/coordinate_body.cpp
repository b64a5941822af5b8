#include "lacuna/io/coordinate_body.h"

#include <cstring>
#include <limits>

#include <fmt/core.h>

#include "lacuna/io/coordinate_entry.h"
#include "lacuna/io/large_array.h"

namespace lacuna {
namespace {

constexpr std::uint64_t narrow_limit = std::numeric_limits<std::int32_t>::max();  // as coordinate_type has it

/// Arrays with room for every line that may hold an entry, and how many of them a block filled.
struct RawEntries {
  std::vector<Array> coordinates;
  Array values;
  std::vector<std::int64_t> filled;  // entries of each block, from slot block.first on
  std::vector<std::uint64_t> largest;
  std::int64_t count = 0;
};

std::vector<ModeColumn> allocate_columns(const CoordinateLayout& layout, const std::vector<bool>& wide,
                                         std::int64_t capacity, std::vector<Array>& arrays) {
  std::vector<ModeColumn> columns(wide.size());
  for (std::size_t m = 0; m < wide.size(); ++m) {
    arrays.push_back(allocate_large(wide[m] ? Type::Int64 : Type::Int32, capacity));
    ModeColumn& column = columns[m];
    if (wide[m]) column.wide = static_cast<std::int64_t*>(arrays[m].mutable_data());
    else column.narrow = static_cast<std::int32_t*>(arrays[m].mutable_data());
    if (layout.dimensions_known) column.limit = static_cast<std::uint64_t>(layout.dimensions[m]);
    else column.limit = wide[m] ? std::numeric_limits<std::int64_t>::max() : narrow_limit;
  }
  return columns;
}

RawEntries parse(const Text& text, const CoordinateLayout& layout, const BodyLines& lines,
                 const std::vector<bool>& wide, const ReadContext& context) {
  RawEntries raw;
  const auto columns = allocate_columns(layout, wide, lines.capacity(), raw.coordinates);
  raw.values = allocate_large(layout.type, lines.capacity());
  raw.filled.assign(lines.blocks().size(), 0);
  std::vector<std::vector<std::uint64_t>> largest(lines.blocks().size());
  visit_field(layout.field, layout.type, [&]<Field field, typename T>() {
    T* values = field == Field::Pattern ? nullptr : static_cast<T*>(raw.values.mutable_data());
    lines.for_each_block(context, [&](std::size_t i, const LineBlock& block) {
      CoordinateParser<field, T> parser(text, layout, columns, values);
      raw.filled[i] = parser.parse(block);
      largest[i] = parser.largest();
    });
  });
  raw.largest.assign(wide.size(), 0);
  for (std::size_t i = 0; i < largest.size(); ++i) {
    raw.count += raw.filled[i];
    for (std::size_t m = 0; m < wide.size(); ++m) raw.largest[m] = std::max(raw.largest[m], largest[i][m]);
  }
  return raw;
}

/// Moves the blocks' entries together where lines without entries left gaps, and cuts the array to `count`.
Array without_gaps(Array array, const std::vector<LineBlock>& blocks, const RawEntries& raw) {
  if (raw.count == array.size()) return array;
  const auto width = static_cast<std::size_t>(size_of(array.type()));
  auto* bytes = static_cast<char*>(array.mutable_data());
  std::size_t to = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::size_t from = static_cast<std::size_t>(blocks[i].first) * width;
    const std::size_t size = static_cast<std::size_t>(raw.filled[i]) * width;
    if (from != to && size != 0) std::memmove(bytes + to, bytes + from, size);
    to += size;
  }
  return Array::borrow(array.type(), array.data(), raw.count, array.owner());
}

void fill_ones(Array& values) {
  visit_type(values.type(), [&](auto tag) {
    using T = decltype(tag);
    std::fill_n(static_cast<T*>(values.mutable_data()), values.size(), static_cast<T>(1));
  });
}

}  // namespace

std::string symmetry_name(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::General: return "general";
    case Symmetry::Symmetric: return "symmetric";
    case Symmetry::SkewSymmetric: return "skew-symmetric";
    case Symmetry::Hermitian: return "hermitian";
  }
  throw InternalError("internal error: a Symmetry outside its enumeration");
}

std::string too_many_entries(std::int64_t declared) {
  return fmt::format("more entries than the {} announced: expected the end of the file", declared);
}

void check_not_fewer(const Text& text, const CoordinateLayout& layout, std::int64_t count) {
  if (!layout.declared || count >= *layout.declared) return;
  fail_at(text, layout.declared_at,
          fmt::format("{} entries are announced, but the file holds {}: is it cut off?", *layout.declared, count));
}

CoordinateList read_coordinates(const Text& text, std::size_t begin, const CoordinateLayout& layout,
                                const ReadContext& context) {
  const std::size_t order = layout.dimensions.size();
  const BodyLines lines(text, begin, context);
  std::vector<bool> wide(order, false);
  if (layout.dimensions_known) {
    for (std::size_t m = 0; m < order; ++m) wide[m] = coordinate_type(layout.dimensions[m]) == Type::Int64;
  }
  RawEntries raw = parse(text, layout, lines, wide, context);
  if (!layout.dimensions_known) {
    bool too_narrow = false;
    for (std::size_t m = 0; m < order; ++m) {
      wide[m] = raw.largest[m] > narrow_limit;
      too_narrow = too_narrow || wide[m];
    }
    if (too_narrow) {
      ReadContext quiet = context;  // progress has been at its end already
      quiet.progress = nullptr;
      raw = parse(text, layout, lines, wide, quiet);
    }
  }
  if (layout.declared && raw.count > *layout.declared)
    fail_at(text, line_of_entry(text, begin, layout.comment, *layout.declared), too_many_entries(*layout.declared));
  check_not_fewer(text, layout, raw.count);

  CoordinateList entries;
  entries.dimensions = layout.dimensions;
  for (std::size_t m = 0; m < order; ++m) {
    if (!layout.dimensions_known) entries.dimensions[m] = static_cast<std::int64_t>(raw.largest[m]);
    entries.coordinates.push_back(without_gaps(raw.coordinates[m], lines.blocks(), raw));
  }
  entries.values = without_gaps(raw.values, lines.blocks(), raw);
  if (layout.field == Field::Pattern) fill_ones(entries.values);
  return entries;
}

}  // namespace lacuna
