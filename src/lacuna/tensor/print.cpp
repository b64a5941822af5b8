#include "lacuna/tensor/print.h"

#include <iterator>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/value_at.h"

namespace lacuna {
namespace {

/// Ends a for_each early; for_each itself has no way to stop.
struct Enough {};

}  // namespace

std::vector<StoredEntry> first_entries(const Storage& tensor, std::int64_t count) {
  std::vector<StoredEntry> entries;
  try {
    for_each(tensor, [&](std::span<const std::int64_t> coordinate, const Scalar& value) {
      if (std::ssize(entries) == count) throw Enough();
      entries.push_back({{coordinate.begin(), coordinate.end()}, value});
    });
  } catch (const Enough&) {
  }
  return entries;
}

std::string to_text(const Storage& tensor, std::string_view name, std::int64_t most) {
  std::string text = name.empty() ? "" : fmt::format("{}: ", name);
  if (tensor.order() == 0) return text + fmt::format("{} {}", type_name(tensor.type), value_at(tensor, {}).to_string());
  text += fmt::format("{} {}, {}, {} stored", type_name(tensor.type), fmt::join(tensor.dimensions, " x "),
                      tensor.format.to_string(), tensor.stored());
  const std::vector<StoredEntry> entries = first_entries(tensor, most);
  for (const auto& [coordinate, value] : entries)
    text += fmt::format("\n({})  {}", fmt::join(coordinate, ", "), value.to_string());
  const std::int64_t left = tensor.stored() - std::ssize(entries);
  if (left > 0) text += fmt::format("\n... and {} more", left);
  return text;
}

}  // namespace lacuna
