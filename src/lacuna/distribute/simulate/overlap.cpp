#include "lacuna/distribute/simulate/overlap.h"

#include <algorithm>
#include <set>

#include "lacuna/notation/check.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

using Coordinates = std::vector<std::int64_t>;  // by mode of the result

/// The operand that is all of a term, at the coordinates of the result in any order.
std::optional<std::size_t> only_operand(const PreparedLaunch& prepared, const Term& term) {
  const launch::Launch& launch = prepared.plan.launch;
  const std::vector<Access> all = accesses(term.expr);
  const auto same_name = [](const IndexVar& a, const IndexVar& b) { return a.name() == b.name(); };
  if (all.size() != 1 || !term.sums.empty() ||
      !std::is_permutation(all[0].indices.begin(), all[0].indices.end(), launch.result.indices.begin(),
                           launch.result.indices.end(), same_name))
    return std::nullopt;
  for (std::size_t o = 0; o < launch.operands.size(); ++o)
    if (launch.operands[o].tensor == all[0].tensor.name() && launch.operands[o].indices == all[0].indices &&
        prepared.tensor(o).is_whole())
      return o;
  return std::nullopt;
}

/// Some of n numbers, evenly apart.
IndexSet some_of(std::int64_t n) {
  constexpr std::int64_t most = 256;
  std::vector<Interval> all;
  for (std::int64_t k = 0; k < std::min(n, most); ++k) {
    const std::int64_t at = n <= most ? k : k * n / most;
    all.push_back({at, at + 1});
  }
  return IndexSet::of_intervals(std::move(all));
}

/// Adds the coordinates of an operand's entries under some of a variable; returns how many entries these are.
std::int64_t add_coordinates(const PreparedLaunch& prepared, std::size_t o, const IndexVar& variable,
                             std::set<Coordinates>& all) {
  const std::vector<IndexVar>&indices = prepared.plan.launch.operands[o].indices,
        &order = prepared.plan.launch.result.indices;
  const Storage& whole = prepared.tensor(o).whole();
  Restriction what = whole_of(whole.dimensions);
  std::vector<std::size_t> to(indices.size());
  for (std::size_t m = 0; m < indices.size(); ++m) {
    const auto is_it = [&](const IndexVar& v) { return v.name() == indices[m].name(); };
    to[m] = static_cast<std::size_t>(std::find_if(order.begin(), order.end(), is_it) - order.begin());
    if (is_it(variable)) what.coordinates[m] = some_of(whole.dimensions[m]);
  }
  const CoordinateList entries = coordinates_of(local_part(whole, what).storage);
  for (std::int64_t n = 0; n < entries.size(); ++n) {
    Coordinates at(order.size());
    for (std::size_t m = 0; m < to.size(); ++m) at[to[m]] = entries.coordinates[m].integer(n);
    all.insert(std::move(at));
  }
  return entries.size();
}

}  // namespace

double share_of_distinct(const PreparedLaunch& prepared) {
  const std::vector<Term> terms = terms_of(prepared.plan.launch.statement);
  const std::vector<IndexVar>& indices = prepared.plan.launch.result.indices;
  if (terms.size() < 2 || indices.empty()) return 1;
  std::set<Coordinates> distinct;
  std::int64_t entries = 0;
  for (const Term& term : terms) {
    const std::optional<std::size_t> o = only_operand(prepared, term);
    if (!o) return 1;
    entries += add_coordinates(prepared, *o, indices.front(), distinct);
  }
  return entries == 0 ? 1 : static_cast<double>(distinct.size()) / static_cast<double>(entries);
}

}  // namespace lacuna
