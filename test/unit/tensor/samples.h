#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna::testing {

/// One entry written out: coordinates by mode, then the value.
struct Entry {
  std::vector<std::int64_t> coordinate;
  double value;
};

/// A coordinate list from entries written out, its values of `type`.
CoordinateList list_of(std::vector<std::int64_t> dimensions, const std::vector<Entry>& entries,
                       Type type = Type::Float64);

/// `entries` random entries (fewer after summing: coordinates may repeat) with small integer values, zero among them.
CoordinateList random_list(std::vector<std::int64_t> dimensions, std::int64_t entries, std::uint64_t seed,
                           Type type = Type::Float64);

/// Every stored entry in storage order.
std::vector<Entry> entries_of(const Storage& tensor);

/// The level lists of order `order` over dense, compressed, bitmap, hashed and coordinate chains that can nest.
std::vector<Format> every_format(int order);

inline void PrintTo(const Entry& entry, std::ostream* out) {
  *out << "(";
  for (const std::int64_t c : entry.coordinate) *out << c << ",";
  *out << ")=" << entry.value;
}
inline bool operator==(const Entry& a, const Entry& b) { return a.coordinate == b.coordinate && a.value == b.value; }

template <typename T>
Array array_of(std::initializer_list<T> values) {
  return Array::of<T>(std::span<const T>(values.begin(), values.size()));
}

}  // namespace lacuna::testing
