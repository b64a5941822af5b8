#include "tools/summary.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/tensor/compare.h"

namespace lacuna::tool {

std::string dimensions_text(const std::vector<std::int64_t>& dimensions) {
  return dimensions.empty() ? "scalar" : fmt::format("{}", fmt::join(dimensions, " x "));
}

std::string counted(std::int64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string time_text(double milliseconds) { return seconds_text(milliseconds / 1e3); }

std::string format_text(const Format& format) { return format.order() == 0 ? "" : format.to_string() + ", "; }

std::string describe(const std::string& name, const Storage& tensor) {
  return fmt::format("{}: {}, {}, {}{} stored, {}", name, dimensions_text(tensor.dimensions), type_name(tensor.type),
                     format_text(tensor.format), tensor.stored(), bytes_text(tensor.bytes()));
}

std::string sample(const std::string& name, const Storage& tensor, int count) {
  return sample_text(name, first_entries(tensor, count), tensor.stored(), norm(tensor));
}

std::string sample_text(const std::string& name, const std::vector<Entry>& entries, std::int64_t stored, double norm) {
  std::string text;
  for (const auto& [coordinate, value] : entries) {
    if (coordinate.empty()) return fmt::format("  {} = {}\n", name, value.to_string());
    text += fmt::format("  {}({}) = {}\n", name, fmt::join(coordinate, ","), value.to_string());
  }
  const std::int64_t left = stored - static_cast<std::int64_t>(entries.size());
  if (left > 0) text += fmt::format("  … and {} more\n", left);
  return text + fmt::format("  2-norm {:.12g}\n", norm);
}

double norm(const Storage& tensor) { return std::sqrt(sum_of_squares(tensor)); }

double sum_of_squares(const Storage& tensor) {
  const auto& levels = tensor.format.levels();
  const bool gaps = std::any_of(levels.begin(), levels.end(),
                                [](const LevelFormat& level) { return level.has_gaps() || level.is_dynamic(); });
  double sum = 0;
  if (gaps) {
    // What lies at positions that store nothing is nobody's value, and nodes hold theirs themselves.
    for_each(tensor, [&](std::span<const std::int64_t>, const Scalar& value) {
      sum += std::norm(value.as<std::complex<double>>());
    });
    return sum;
  }
  visit_type(tensor.type, [&](auto zero) {
    using T = decltype(zero);
    for (const T& value : tensor.values.view<T>()) {
      if constexpr (std::is_arithmetic_v<T>) sum += static_cast<double>(value) * static_cast<double>(value);
      else sum += static_cast<double>(std::norm(value));
    }
  });
  return sum;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace lacuna::tool
