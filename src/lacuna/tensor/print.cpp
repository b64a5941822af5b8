#include "lacuna/tensor/print.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/value_at.h"

namespace lacuna {
namespace {

Scalar element(const Array& values, std::int64_t e) {
  const auto* first = static_cast<const std::byte*>(values.data());
  return Scalar::load(values.type(), first + static_cast<std::size_t>(e) * size_of(values.type()));
}

}  // namespace

std::string to_text(const Storage& tensor, std::string_view name, std::int64_t most) {
  std::string text = name.empty() ? "" : fmt::format("{}: ", name);
  if (tensor.order() == 0) return text + fmt::format("{} {}", type_name(tensor.type), value_at(tensor, {}).to_string());
  text += fmt::format("{} {}, {}, {} stored", type_name(tensor.type), fmt::join(tensor.dimensions, " x "),
                      tensor.format.to_string(), tensor.stored());
  const CoordinateList entries = coordinates_of(tensor);
  for (std::int64_t e = 0; e < std::min(entries.size(), most); ++e) {
    std::vector<std::int64_t> coordinate;
    for (const Array& mode : entries.coordinates) coordinate.push_back(mode.integer(e));
    text += fmt::format("\n({})  {}", fmt::join(coordinate, ", "), element(entries.values, e).to_string());
  }
  if (entries.size() > most) text += fmt::format("\n... and {} more", entries.size() - most);
  return text;
}

}  // namespace lacuna
