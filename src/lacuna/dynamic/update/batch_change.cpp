#include "lacuna/dynamic/update/batch_change.h"

#include <cstring>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/wrapping.h"

namespace lacuna {
namespace {

Entries distinct(const CoordinateList& touched, const Format& format, int threads) {
  const CoordinateList places{touched.dimensions, touched.coordinates,
                              Array::allocate(Type::UInt8, touched.size(), true)};
  Entries entries = entries_by_level(places, format);
  sort_and_coalesce(entries, Duplicates::Sum, threads);
  return entries;
}

/// The numbers of the entries that came, went, or have another value.
Array changed_numbers(const FoundEntries& before, const FoundEntries& after) {
  const auto width = static_cast<std::size_t>(size_of(before.values.type()));
  const auto was = before.present.view<std::uint8_t>(), is = after.present.view<std::uint8_t>();
  const auto* old = static_cast<const char*>(before.values.data());
  const auto* now = static_cast<const char*>(after.values.data());
  std::vector<std::uint64_t> numbers;
  for (std::size_t e = 0; e < was.size(); ++e)
    if (was[e] != is[e] || std::memcmp(old + e * width, now + e * width, width) != 0) numbers.push_back(e);
  return Array::of(std::span<const std::uint64_t>(numbers));
}

Array converted(const Array& values, Type type) {
  if (values.type() == type) return values;
  Array out = Array::allocate(type, values.size(), false);
  const std::int64_t from = size_of(values.type()), to = size_of(type);
  for (std::int64_t e = 0; e < values.size(); ++e)
    Scalar::load(values.type(), static_cast<const char*>(values.data()) + e * from)
        .convert(type)
        .store(static_cast<char*>(out.mutable_data()) + e * to);
  return out;
}

Array subtracted(const Array& from, const Array& what) {
  Array out = Array::allocate(from.type(), from.size(), false);
  visit_type(from.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto a = from.view<T>(), b = what.view<T>();
    const auto to = out.mutable_view<T>();
    for (std::size_t e = 0; e < to.size(); ++e) to[e] = static_cast<T>(subtract_wrapping(widen(a[e]), widen(b[e])));
  });
  return out;
}

}  // namespace

Format format_of_changes(const Format& format) {
  const std::vector<LevelFormat> levels(static_cast<std::size_t>(format.order()), LevelFormat::compressed());
  return Format(levels, format.map());
}

BatchChange::BatchChange(Compiler& engine, const UpdatedTensor& tensor, const CoordinateList& touched,
                         const Options& options)
    : engine_(engine), options_(options), touched_(distinct(touched, tensor.format(), options.target.threads)) {
  before_ = find_entries(engine_, tensor.storage(), touched_.columns, options_);
}

Storage BatchChange::difference(const UpdatedTensor& tensor, Type type) const {
  const FoundEntries after = find_entries(engine_, tensor.storage(), touched_.columns, options_);
  const Array changed = changed_numbers(before_, after);
  const int threads = options_.target.threads;
  const auto picked = [&](const Array& values) { return converted(gather(values, changed, threads), type); };
  CoordinateList list{tensor.dimensions(), {}, subtracted(picked(after.values), picked(before_.values))};
  const Format format = format_of_changes(tensor.format());
  for (int m = 0; m < format.order(); ++m)
    list.coordinates.push_back(
        gather(touched_.columns[static_cast<std::size_t>(format.map().level_of(m))], changed, threads));
  return build(list, format);
}

}  // namespace lacuna
