#include "tools/summary.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/tensor/compare.h"

namespace lacuna::tool {
namespace {

/// Ends a for_each early; for_each itself has no way to stop.
struct Enough {};

std::vector<std::pair<std::vector<std::int64_t>, Scalar>> first_entries(const Storage& tensor, int count) {
  std::vector<std::pair<std::vector<std::int64_t>, Scalar>> entries;
  try {
    for_each(tensor, [&](std::span<const std::int64_t> coordinate, const Scalar& value) {
      if (static_cast<int>(entries.size()) == count) throw Enough();
      entries.emplace_back(std::vector<std::int64_t>(coordinate.begin(), coordinate.end()), value);
    });
  } catch (const Enough&) {
  }
  return entries;
}

}  // namespace

std::string dimensions_text(const std::vector<std::int64_t>& dimensions) {
  return dimensions.empty() ? "scalar" : fmt::format("{}", fmt::join(dimensions, " x "));
}

std::string bytes_text(std::int64_t bytes) {
  const auto amount = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", amount / 1e3);
  if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB", amount / 1e6);
  if (bytes < 10'000'000'000'000) return fmt::format("{:.1f} GB", amount / 1e9);
  return fmt::format("{:.1f} TB", amount / 1e12);
}

std::string time_text(double milliseconds) {
  if (milliseconds < 1) return fmt::format("{:.1f} us", milliseconds * 1e3);
  if (milliseconds < 1000) return fmt::format("{:.2f} ms", milliseconds);
  return fmt::format("{:.2f} s", milliseconds / 1e3);
}

std::string describe(const std::string& name, const Storage& tensor) {
  const std::string format = tensor.order() == 0 ? "" : tensor.format.to_string() + ", ";
  return fmt::format("{}: {}, {}, {}{} stored, {}", name, dimensions_text(tensor.dimensions), type_name(tensor.type),
                     format, tensor.stored(), bytes_text(tensor.bytes()));
}

std::string sample(const std::string& name, const Storage& tensor, int count) {
  const auto entries = first_entries(tensor, count);
  std::string text;
  for (const auto& [coordinate, value] : entries) {
    if (coordinate.empty()) return fmt::format("  {} = {}\n", name, value.to_string());
    text += fmt::format("  {}({}) = {}\n", name, fmt::join(coordinate, ","), value.to_string());
  }
  const std::int64_t left = tensor.stored() - static_cast<std::int64_t>(entries.size());
  if (left > 0) text += fmt::format("  … and {} more\n", left);
  return text + fmt::format("  2-norm {:.12g}\n", norm(tensor));
}

double norm(const Storage& tensor) {
  const auto& levels = tensor.format.levels();
  const bool gaps = std::any_of(levels.begin(), levels.end(), [](const LevelFormat& level) {
    return level.kind == LevelKind::Bitmap || level.kind == LevelKind::Hashed || level.is_dynamic();
  });
  double sum = 0;
  if (gaps) {
    // What lies at positions that store nothing is nobody's value, and nodes hold theirs themselves.
    for_each(tensor, [&](std::span<const std::int64_t>, const Scalar& value) {
      sum += std::norm(value.as<std::complex<double>>());
    });
    return std::sqrt(sum);
  }
  visit_type(tensor.type, [&](auto zero) {
    using T = decltype(zero);
    for (const T& value : tensor.values.view<T>()) {
      if constexpr (std::is_arithmetic_v<T>) sum += static_cast<double>(value) * static_cast<double>(value);
      else sum += static_cast<double>(std::norm(value));
    }
  });
  return std::sqrt(sum);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace lacuna::tool
