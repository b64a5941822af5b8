#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <set>

#include "fuzz/statement/draw.h"

namespace lacuna::fuzz {
namespace {

Scalar special_value(Random& random, Type type) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double values[] = {infinity, -infinity, std::nan(""), -0.0};
  return Scalar(values[random.below(4)]).convert(type);
}

Scalar draw_value(Random& random, Type type, bool special) {
  if (random.percent(12)) return Scalar::zero(type);
  if (special && !is_integer(type) && random.percent(15)) return special_value(random, type);
  if (type == Type::Bool) return Scalar(true);
  const int low = is_unsigned_integer(type) ? 1 : -4;
  const auto draw = [&] { return random.between(low, 5); };
  if (is_complex(type)) return Scalar(std::complex<double>(draw(), random.percent(50) ? draw() : 0)).convert(type);
  return Scalar(draw()).convert(type);
}

void all_coordinates(const std::vector<std::int64_t>& dimensions, std::vector<std::int64_t>& prefix,
                     std::vector<std::vector<std::int64_t>>& out) {
  if (prefix.size() == dimensions.size()) return out.push_back(prefix);
  for (std::int64_t c = 0; c < dimensions[prefix.size()]; ++c) {
    prefix.push_back(c);
    all_coordinates(dimensions, prefix, out);
    prefix.pop_back();
  }
}

/// Makes a coordinate set fit the levels that are singletons below unique parents: one entry a parent that exists.
class SingletonFitter {
 public:
  SingletonFitter(Random& random, const Operand& operand, std::set<std::vector<std::int64_t>>& coordinates)
      : random_(random), operand_(operand), coordinates_(coordinates) {}

  void run() {
    const Format& f = operand_.format;
    for (int k = 1; k < f.order(); ++k)
      if (f.level(k).kind == LevelKind::Singleton && f.level(k - 1).unique) fit(k);
  }

 private:
  using Key = std::vector<std::int64_t>;

  std::int64_t extent(int level) const { return operand_.dimensions[mode(level)]; }
  std::size_t mode(int level) const { return static_cast<std::size_t>(operand_.format.map().mode_of(level)); }
  Key prefix(const Key& coordinate, int levels) const {
    Key key;
    for (int k = 0; k < levels; ++k) key.push_back(coordinate[mode(k)]);
    return key;
  }

  void fit(int level) {
    std::map<Key, std::int64_t> chosen;
    std::set<Key> kept;
    for (const Key& c : coordinates_) {
      const auto [it, is_new] = chosen.emplace(prefix(c, level), c[mode(level)]);
      if (it->second == c[mode(level)]) kept.insert(c);
    }
    coordinates_ = std::move(kept);
    int first = level;
    while (first > 0 && operand_.format.level(first - 1).kind == LevelKind::Dense) --first;
    if (first == level) return;
    std::set<Key> bases;
    if (first == 0) bases.insert(Key{});
    for (const Key& c : coordinates_) bases.insert(prefix(c, first));
    for (Key base : bases) fill(base, level, chosen);
  }

  /// Adds an entry below every dense position under `base` that has none.
  void fill(Key& base, int level, std::map<Key, std::int64_t>& chosen) {
    const int k = static_cast<int>(base.size());
    if (k < level) {
      for (std::int64_t c = 0; c < extent(k); ++c) {
        base.push_back(c);
        fill(base, level, chosen);
        base.pop_back();
      }
      return;
    }
    if (chosen.count(base) > 0) return;
    Key coordinate(operand_.dimensions.size());
    for (int j = 0; j < operand_.format.order(); ++j) {
      if (extent(j) == 0) return;
      coordinate[mode(j)] = j < level ? base[static_cast<std::size_t>(j)] : random_.below(static_cast<int>(extent(j)));
    }
    chosen[base] = coordinate[mode(level)];
    coordinates_.insert(coordinate);
  }

  Random& random_;
  const Operand& operand_;
  std::set<Key>& coordinates_;
};

bool keeps_duplicates(const Format& format) { return format.order() > 0 && !format.level(format.order() - 1).unique; }

/// A whole row or column of some mode left empty.
void clear_slice(Random& random, const Operand& operand, std::set<std::vector<std::int64_t>>& coordinates) {
  const auto m = static_cast<std::size_t>(random.below(static_cast<int>(operand.dimensions.size())));
  if (operand.dimensions[m] == 0) return;
  const std::int64_t c = random.below(static_cast<int>(operand.dimensions[m]));
  std::erase_if(coordinates, [&](const std::vector<std::int64_t>& at) { return at[m] == c; });
}

std::set<std::vector<std::int64_t>> draw_coordinates(Random& random, const Operand& operand) {
  std::vector<std::vector<std::int64_t>> all;
  std::vector<std::int64_t> prefix;
  all_coordinates(operand.dimensions, prefix, all);
  const int density[] = {0, 10, 30, 50, 80, 100};
  const int percent = density[random.weighted({5, 15, 35, 25, 12, 8})];
  std::set<std::vector<std::int64_t>> coordinates;
  for (auto& c : all)
    if (operand.dimensions.empty() || random.percent(percent)) coordinates.insert(std::move(c));
  if (!operand.dimensions.empty() && random.percent(20)) clear_slice(random, operand, coordinates);
  return coordinates;
}

}  // namespace

void draw_entries(Random& random, Operand& operand, bool special, Rejections& rejections) {
  std::set<std::vector<std::int64_t>> coordinates = draw_coordinates(random, operand);
  SingletonFitter(random, operand, coordinates).run();
  for (const auto& c : coordinates) operand.entries.push_back({c, draw_value(random, operand.type, special)});
  if (keeps_duplicates(operand.format) && random.percent(50)) {
    const std::size_t n = operand.entries.size();
    for (std::size_t e = 0; e < n; ++e)
      if (random.percent(25))
        operand.entries.push_back({operand.entries[e].coordinate, draw_value(random, operand.type, special)});
  }
  random.shuffle(operand.entries);
  try {
    storage_of(operand);
  } catch (const Error&) {
    ++rejections.data;
    operand.format = csf_format(operand.format.order());
    std::set<std::vector<std::int64_t>> seen;
    std::erase_if(operand.entries, [&](const Entry& e) { return !seen.insert(e.coordinate).second; });
  }
}

}  // namespace lacuna::fuzz
