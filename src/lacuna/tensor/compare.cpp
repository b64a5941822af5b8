#include "lacuna/tensor/compare.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>

#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

/// The stored entries sorted by mode, duplicates summed.
Entries sorted_entries(const Storage& tensor) {
  Entries entries = entries_by_level(coordinates_of(tensor), coo_format(tensor.order()));
  sort_and_coalesce(entries, Duplicates::Sum, 1);
  return entries;
}

bool is_nan(std::complex<double> v) { return std::isnan(v.real()) || std::isnan(v.imag()); }

bool is_negative_integer(const Scalar& v) { return is_signed_integer(v.type()) && v.as<std::int64_t>() < 0; }

bool agree(const Scalar& a, const Scalar& b, const CompareOptions& options) {
  if (is_integer(a.type()) && is_integer(b.type())) {
    return is_negative_integer(a) == is_negative_integer(b) && a.as<std::uint64_t>() == b.as<std::uint64_t>();
  }
  const auto x = a.as<std::complex<double>>();
  const auto y = b.as<std::complex<double>>();
  if (is_nan(x) || is_nan(y)) return is_nan(x) && is_nan(y);
  if (x == y) return true;
  // Infinities agree with themselves only, which is settled; the tolerance below would make them agree with everything.
  if (!std::isfinite(std::abs(x)) || !std::isfinite(std::abs(y))) return false;
  return std::abs(x - y) <= options.relative * std::max(std::abs(x), std::abs(y)) + options.absolute;
}

/// The sign of (coordinate of entry i of a) - (coordinate of entry j of b).
int order_of(const Entries& a, std::int64_t i, const Entries& b, std::int64_t j) {
  for (std::size_t k = 0; k < a.columns.size(); ++k) {
    const std::int64_t x = IntegerReader(a.columns[k])[i];
    const std::int64_t y = IntegerReader(b.columns[k])[j];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

Scalar value_of(const Entries& entries, std::int64_t e) {
  const auto* values = static_cast<const unsigned char*>(entries.values.data());
  return Scalar::load(entries.values.type(), values + e * size_of(entries.values.type()));
}

std::string dimensions_text(const std::vector<std::int64_t>& dimensions) {
  return dimensions.empty() ? "a scalar" : fmt::format("{}", fmt::join(dimensions, " x "));
}

std::string stored_text(const Scalar* value) { return value != nullptr ? value->to_string() : "nothing"; }

/// Compares at one coordinate; null stands for "not stored". The sentence lacks its beginning, "at (…) ".
std::optional<std::string> difference_at(const Scalar* a, const Scalar* b, const Scalar& fill_a, const Scalar& fill_b,
                                         const CompareOptions& options) {
  const bool same_presence = (a != nullptr) == (b != nullptr);
  if (options.same_pattern && !same_presence) {
    return fmt::format("the first stores {} and the second {}", stored_text(a), stored_text(b));
  }
  const Scalar x = a != nullptr ? *a : fill_a;
  const Scalar y = b != nullptr ? *b : fill_b;
  if (agree(x, y, options)) return std::nullopt;
  return fmt::format("the first has {}{} and the second {}{}", x.to_string(), a != nullptr ? "" : " (not stored)",
                     y.to_string(), b != nullptr ? "" : " (not stored)");
}

}  // namespace

std::optional<std::string> difference(const Storage& a, const Storage& b, const CompareOptions& options) {
  if (a.dimensions != b.dimensions) {
    return fmt::format("the dimensions differ: {} and {}", dimensions_text(a.dimensions),
                       dimensions_text(b.dimensions));
  }
  const Entries left = sorted_entries(a);
  const Entries right = sorted_entries(b);
  std::int64_t i = 0;
  std::int64_t j = 0;
  while (i < left.size() || j < right.size()) {
    int order = 0;
    if (i == left.size()) order = 1;
    else if (j == right.size()) order = -1;
    else order = order_of(left, i, right, j);
    std::optional<Scalar> x;
    std::optional<Scalar> y;
    if (order <= 0) x = value_of(left, i);
    if (order >= 0) y = value_of(right, j);
    const auto found = difference_at(x ? &*x : nullptr, y ? &*y : nullptr, a.fill, b.fill, options);
    if (found) {
      const std::string where = order <= 0 ? coordinate_text(left, i) : coordinate_text(right, j);
      return fmt::format("at {} {}", where, *found);
    }
    i += order <= 0;
    j += order >= 0;
  }
  return std::nullopt;
}

}  // namespace lacuna
