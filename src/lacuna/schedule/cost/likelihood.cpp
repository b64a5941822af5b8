#include "lacuna/schedule/cost/likelihood.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace lacuna::cost {
namespace {

using Terms = std::vector<std::uint64_t>;

constexpr int max_groups = 12;

class Expansion {
 public:
  explicit Expansion(const std::vector<Chance>& chances) : chances_(chances) {}

  double of(const Terms& terms) const {
    if (terms.empty()) return 0;
    std::uint64_t all = 0;
    for (const std::uint64_t t : terms) {
      if (t == 0) return 1;
      all |= t;
    }
    if (terms.size() == 1) return of_term(terms[0]);
    if (groups_in(all) > max_groups) return bound(terms);
    return over_group(terms, all, chances_[static_cast<std::size_t>(std::countr_zero(all))].group);
  }

 private:
  template <typename F>
  static void each(std::uint64_t mask, const F& visit) {
    for (; mask != 0; mask &= mask - 1) visit(static_cast<std::size_t>(std::countr_zero(mask)));
  }

  /// Of each group the highest rank decides.
  double of_term(std::uint64_t term) const {
    double product = 1;
    each(term, [&](std::size_t a) {
      bool decides = true;
      each(term, [&](std::size_t b) {
        decides = decides && !(chances_[b].group == chances_[a].group && chances_[b].rank > chances_[a].rank);
      });
      if (decides) product *= chances_[a].probability;
    });
    return product;
  }

  int groups_in(std::uint64_t mask) const {
    std::vector<int> seen;
    each(mask, [&](std::size_t a) {
      if (std::find(seen.begin(), seen.end(), chances_[a].group) == seen.end()) seen.push_back(chances_[a].group);
    });
    return static_cast<int>(seen.size());
  }

  double bound(const Terms& terms) const {
    double none = 1;
    for (const std::uint64_t t : terms) none *= 1 - of_term(t);
    return 1 - none;
  }

  /// By how many ranks of one group hold: none, the lowest, …, all.
  double over_group(const Terms& terms, std::uint64_t all, int group) const {
    std::vector<std::size_t> ranks;
    each(all, [&](std::size_t a) {
      if (chances_[a].group == group) ranks.push_back(a);
    });
    std::sort(ranks.begin(), ranks.end(),
              [&](std::size_t a, std::size_t b) { return chances_[a].rank < chances_[b].rank; });
    double total = 0, reached = 1;
    std::uint64_t held = 0, failed = 0;
    for (const std::size_t a : ranks) failed |= std::uint64_t{1} << a;
    for (std::size_t n = 0; n <= ranks.size(); ++n) {
      const double next = n < ranks.size() ? std::min(reached, chances_[ranks[n]].probability) : 0;
      if (reached > next) total += (reached - next) * of(given(terms, held, failed));
      if (n == ranks.size()) break;
      held |= std::uint64_t{1} << ranks[n];
      failed &= ~held;
      reached = next;
    }
    return total;
  }

  static Terms given(const Terms& terms, std::uint64_t held, std::uint64_t failed) {
    Terms left;
    for (const std::uint64_t t : terms)
      if ((t & failed) == 0) left.push_back(t & ~held);
    return left;
  }

  const std::vector<Chance>& chances_;
};

}  // namespace

double likelihood(const concrete::Formula& formula, const std::vector<Chance>& chances) {
  return Expansion(chances).of(formula.terms());
}

double at_least_once(double probability, double draws) {
  if (probability >= 1) return draws > 0 ? 1 : 0;
  return -std::expm1(draws * std::log1p(-std::max(0.0, probability)));
}

}  // namespace lacuna::cost
