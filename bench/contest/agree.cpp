// Quickly where they are stored alike, which is the usual case.

#include "bench/contest/agree.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "tools/verify.h"

namespace lacuna::contest {
namespace {

bool same_array(const Array& a, const Array& b) {
  if (a.type() != b.type() || a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

bool stored_alike(const Storage& a, const Storage& b) {
  if (!(a.format == b.format) || a.dimensions != b.dimensions || a.values.size() != b.values.size()) return false;
  if (a.type != Type::Float64 || b.type != Type::Float64) return false;
  for (std::size_t k = 0; k < a.levels.size(); ++k) {
    if (!same_array(a.levels[k].pos, b.levels[k].pos) || !same_array(a.levels[k].crd, b.levels[k].crd)) return false;
    if (a.format.level(static_cast<int>(k)).kind == LevelKind::Bitmap) return false;
  }
  return true;
}

bool close(std::span<const double> x, std::span<const double> y) {
  double largest = 0;
  for (const double v : x) largest = std::max(largest, std::abs(v));
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!(std::abs(x[k] - y[k]) <= 1e-9 * largest)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> disagreement(const Storage& a, const Storage& b) {
  if (stored_alike(a, b) && close(a.values.view<double>(), b.values.view<double>())) return std::nullopt;
  // Slowly: it knows of NaN and infinity, and says where.
  return difference(a, b, tool::tolerance_for(a));
}

}  // namespace lacuna::contest
