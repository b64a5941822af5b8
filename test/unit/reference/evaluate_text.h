#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/notation/parse.h"
#include "lacuna/reference/evaluate.h"
#include "lacuna/tensor/build.h"

namespace lacuna {

using Coordinate = std::vector<std::int64_t>;

/// A tensor of values listed by coordinate; `T` is its element type.
template <typename T>
Storage tensor(const std::string& format, const std::vector<std::int64_t>& dimensions,
               const std::vector<std::pair<Coordinate, T>>& entries) {
  CoordinateList list{dimensions, {}, Array::allocate(type_of<T>(), static_cast<std::int64_t>(entries.size()), true)};
  for (std::size_t m = 0; m < dimensions.size(); ++m) {
    std::vector<std::int64_t> column;
    for (const auto& entry : entries) column.push_back(entry.first[m]);
    const Array wide = Array::of<std::int64_t>(column);
    Array narrow = Array::allocate(coordinate_type(dimensions[m]), wide.size(), true);
    for (std::size_t k = 0; k < column.size(); ++k) {
      auto* at =
          static_cast<unsigned char*>(narrow.mutable_data()) + k * static_cast<std::size_t>(size_of(narrow.type()));
      Scalar(column[k]).convert(narrow.type()).store(at);
    }
    list.coordinates.push_back(narrow);
  }
  for (std::size_t k = 0; k < entries.size(); ++k) {
    Scalar(entries[k].second).store(static_cast<unsigned char*>(list.values.mutable_data()) + k * sizeof(T));
  }
  return build(list, parse_format(format, static_cast<int>(dimensions.size())));
}

/// A vector whose every position is stored, or one that stores what is not zero.
template <typename T>
Storage dense(const std::vector<T>& values) {
  std::vector<std::pair<Coordinate, T>> entries;
  for (std::size_t k = 0; k < values.size(); ++k) entries.push_back({{static_cast<std::int64_t>(k)}, values[k]});
  return tensor<T>("dense", {static_cast<std::int64_t>(values.size())}, entries);
}
template <typename T>
Storage sparse(std::int64_t size, const std::vector<std::pair<Coordinate, T>>& entries) {
  return tensor<T>("compressed", {size}, entries);
}
template <typename T>
Storage scalar(T value) {
  return tensor<T>("", {}, {{{}, value}});
}

using Operands = std::map<std::string, Storage>;

inline ReferenceResult evaluate(const std::string& text, const Operands& operands, Type type = Type::Float64,
                                const std::map<std::string, std::int64_t>& given = {}) {
  const Statement s = parse_statement(text);
  FactsByName facts;
  for (const auto& [name, storage] : operands) facts[name] = {storage.type, storage.dimensions};
  return evaluate_reference(s, operands, type, infer_dimensions(s, facts, given));
}

/// One line an entry, "coordinate: value", structural values marked with a '*'.
inline std::vector<std::string> lines(const ReferenceResult& result) {
  std::vector<std::string> shown;
  for (const auto& [coordinate, entry] : result.entries) {
    std::string line;
    for (const std::int64_t c : coordinate) line += (line.empty() ? "" : ",") + std::to_string(c);
    shown.push_back(line + ": " + entry.value.to_string() + (entry.structural ? "*" : ""));
  }
  return shown;
}

}  // namespace lacuna
