#include "lacuna/iteration/lattice.h"

#include <algorithm>
#include <bit>

namespace lacuna::iteration {
namespace {

/// Beyond this many points (a union of three has seven) the one compact loop with presence flags is shorter and as
/// fast.
constexpr std::size_t max_points = 7;

bool inside(std::uint64_t a, std::uint64_t b) { return (a & b) == a; }

/// Whether the points are all sets of these cursors that contain a term, and so tell which of the cursors are there.
bool are_complete(const std::vector<std::uint64_t>& points, std::uint64_t cursors) {
  return std::all_of(points.begin(), points.end(), [&](std::uint64_t p) {
    for (std::uint64_t left = cursors & ~p; left != 0; left &= left - 1)
      if (std::find(points.begin(), points.end(), p | (left & -left)) == points.end()) return false;
    return true;
  });
}

}  // namespace

std::vector<std::uint64_t> unions_of(const std::vector<std::uint64_t>& sets, std::size_t most) {
  std::vector<std::uint64_t> points;
  for (std::uint64_t set : sets) {
    std::vector<std::uint64_t> more{set};
    for (std::uint64_t p : points) more.push_back(p | set);
    points.insert(points.end(), more.begin(), more.end());
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.size() > most) return {};
  }
  std::stable_sort(points.begin(), points.end(),
                   [](std::uint64_t a, std::uint64_t b) { return std::popcount(a) > std::popcount(b); });
  return points;
}

Lattice make_lattice(const concrete::Formula& formula, std::uint64_t used, bool read_once) {
  Lattice lattice;
  lattice.formula = formula;
  lattice.full = formula.is_always();
  lattice.deciding = formula.support();
  lattice.following = used & ~lattice.deciding;
  if (lattice.full || formula.is_never()) return lattice;
  std::vector<std::uint64_t> points = unions_of(formula.terms(), max_points);
  if (read_once || are_complete(points, lattice.deciding)) lattice.points = std::move(points);
  lattice.enumerated = !lattice.points.empty();
  return lattice;
}

bool known_absent(const Lattice& lattice, std::uint64_t matched, int c) {
  const std::uint64_t with = matched | (std::uint64_t{1} << c);
  return std::any_of(lattice.points.begin(), lattice.points.end(),
                     [&](std::uint64_t p) { return inside(p, with) && !inside(p, matched); });
}

std::vector<std::uint64_t> points_below(const Lattice& lattice, std::uint64_t point) {
  std::vector<std::uint64_t> below;
  for (std::uint64_t p : lattice.points)
    if (inside(p, point)) below.push_back(p);
  return below;
}

std::string Lattice::to_string(const std::function<std::string(int)>& name) const {
  const auto set = [&](std::uint64_t mask) {
    std::string text;
    for (int c = 0; c < 64; ++c)
      if (mask >> c & 1) text += (text.empty() ? "" : " ") + name(c);
    return "{" + text + "}";
  };
  std::string text;
  if (full) text = "every coordinate";
  for (std::uint64_t p : points) text += (text.empty() ? "" : " > ") + set(p);
  if (!full && !enumerated) {
    for (std::uint64_t t : formula.terms()) text += (text.empty() ? "any of " : ", ") + set(t);
    if (formula.is_never()) text = "nothing";
  }
  if (following != 0) text += ", followed by " + set(following);
  return text;
}

}  // namespace lacuna::iteration
