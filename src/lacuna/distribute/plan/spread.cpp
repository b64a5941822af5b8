#include "lacuna/distribute/plan/spread.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "lacuna/distribute/plan/launch.h"
#include "lacuna/notation/check.h"
#include "lacuna/support/block.h"

namespace lacuna::launch {
namespace {

/// A variable in blocks, and these in blocks, and so on.
struct Cut {
  std::int64_t extent = 0;
  std::vector<std::int64_t> lengths = {};  // of blocks, level by level

  void into(std::int64_t pieces) { lengths.push_back(block_length(length(), pieces)); }
  std::int64_t length() const { return lengths.empty() ? extent : lengths.back(); }
  bool is_cut() const { return length() < extent; }
  double share() const { return extent == 0 ? 1 : static_cast<double>(length()) / static_cast<double>(extent); }
  /// How many blocks hold something.
  std::int64_t blocks() const { return blocks_of(extent, 0); }

 private:
  std::int64_t blocks_of(std::int64_t n, std::size_t level) const {
    if (n == 0 || level == lengths.size()) return n == 0 ? 0 : 1;
    const std::int64_t length = lengths[level];
    return n / length * blocks_of(length, level + 1) + blocks_of(n % length, level + 1);
  }
};

using Cuts = std::map<std::string, Cut>;

struct Rank {
  std::int64_t busy = 0;  // processors
  double cost = 0;        // of the one that has most to do: turns of loops, and words
};

class Spreader {
 public:
  Spreader(const Statement& statement, const std::vector<std::int64_t>& sizes,
           const std::map<IndexVar, std::int64_t>& extents, const std::map<std::string, PlacedOperand>& operands)
      : statement_(statement), sizes_(sizes), operands_(operands) {
    for (const auto& [v, extent] : extents) whole_[v.name()] = {extent};
  }

  std::vector<Spread> make() const {
    const std::vector<std::string> variables = some(dealable());
    std::vector<std::pair<Rank, Spread>> all;
    for (Spread& spread : all_of(variables)) all.emplace_back(rank(spread), std::move(spread));
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.first.busy != b.first.busy ? a.first.busy > b.first.busy : a.first.cost < b.first.cost;
    });
    std::vector<Spread> best;
    for (auto& [rank, spread] : all)
      if (best.size() < most_tried || is_of_one(spread)) best.push_back(std::move(spread));
    return best;
  }

 private:
  static constexpr std::size_t most_looked_at = 4096, most_tried = 64;

  static bool is_of_one(const Spread& spread) {
    return std::all_of(spread.begin(), spread.end(), [&](const std::string& v) { return v == spread.front(); });
  }

  /// Those whose values may be computed apart; all of them where none may, for the sake of the message.
  std::vector<std::string> dealable() const {
    std::vector<std::string> all, some;
    for (const IndexVar& v : all_variables(statement_)) {
      all.push_back(v.name());
      if (is_dealable(v.name())) some.push_back(v.name());
    }
    return some.empty() ? all : some;
  }
  /// No function is applied to a sum over it.
  bool is_dealable(const std::string& v) const {
    const std::vector<Term> terms = terms_of(statement_);
    return std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
      return has_name(free_variables(term.expr), v) || has_name(summed_variables(term), v) ||
             !has_name(all_variables(term.expr), v);
    });
  }

  /// On machines of many dimensions, the longest ones.
  std::vector<std::string> some(std::vector<std::string> variables) const {
    const auto ways = [&] {
      double product = 1;
      for (std::size_t d = 0; d < sizes_.size(); ++d) product *= static_cast<double>(variables.size());
      return product;
    };
    while (variables.size() > 1 && ways() > static_cast<double>(most_looked_at))
      variables.erase(std::min_element(variables.begin(), variables.end(), [&](const auto& a, const auto& b) {
        return whole_.at(a).extent < whole_.at(b).extent;
      }));
    return variables;
  }

  std::vector<Spread> all_of(const std::vector<std::string>& variables) const {
    std::vector<Spread> all{{}};
    for (std::size_t d = 0; d < sizes_.size(); ++d) {
      std::vector<Spread> longer;
      for (const Spread& spread : all)
        for (const std::string& v : variables) {
          longer.push_back(spread);
          longer.back().push_back(v);
        }
      all = std::move(longer);
    }
    return all;
  }

  Rank rank(const Spread& spread) const {
    Cuts cuts = whole_;
    for (std::size_t d = 0; d < spread.size(); ++d) cuts.at(spread[d]).into(sizes_[d]);
    const std::int64_t processors = std::accumulate(sizes_.begin(), sizes_.end(), std::int64_t{1}, std::multiplies<>());
    std::int64_t busy = 1;
    for (const auto& [v, cut] : cuts) busy *= cut.is_cut() ? cut.blocks() : 1;
    // The last quarter is not worth sums that have to be added up.
    return {std::min(busy, processors - processors / 4), turns(cuts) + words_read(cuts) + words_received(cuts)};
  }

  /// As far as operands store something there.
  double turns(const Cuts& cuts) const {
    double turns = 1, least = 1;
    for (const auto& [v, cut] : cuts) turns *= static_cast<double>(cut.length());
    for (const Access& access : accesses(statement_.rhs)) least = std::min(least, density(access));
    return turns * least;
  }
  double density(const Access& access) const {
    const double places = volume(access, whole_);
    return places == 0 ? 1 : std::min(1.0, static_cast<double>(stored(access)) / places);
  }
  std::int64_t stored(const Access& access) const { return operands_.at(access.tensor.name()).stored; }

  static double volume(const Access& access, const Cuts& cuts) {
    double volume = 1;
    for (const IndexVar& v : access.indices) volume *= static_cast<double>(cuts.at(v.name()).length());
    return volume;
  }

  /// What is cut further in than at the outermost level is picked out entry by entry, which counts for more.
  double words_read(const Cuts& cuts) const {
    constexpr double picked_out = 1.5;
    double words = volume(statement_.lhs, cuts);
    for (const Access& access : accesses(statement_.rhs)) {
      const Format& format = operands_.at(access.tensor.name()).format;
      double share = static_cast<double>(stored(access));
      bool is_picked_out = false;
      for (std::size_t m = 0; m < access.indices.size(); ++m) {
        const Cut& cut = cuts.at(access.indices[m].name());
        share *= cut.share();
        is_picked_out = is_picked_out || (cut.is_cut() && format.map().mode_of(0) != static_cast<int>(m));
      }
      words += is_picked_out && !format.is_dense() ? picked_out * share : share;
    }
    return words;
  }

  /// Sums that several processors have a part of go to the first one.
  double words_received(const Cuts& cuts) const {
    double sums = 1;
    for (const auto& [v, cut] : cuts)
      if (cut.is_cut() && !has_name(statement_.lhs.indices, v)) sums *= static_cast<double>(cut.blocks());
    return sums > 1 ? sums * volume(statement_.lhs, whole_) : 0;
  }

  const Statement& statement_;
  const std::vector<std::int64_t>& sizes_;
  const std::map<std::string, PlacedOperand>& operands_;
  Cuts whole_;
};

}  // namespace

std::vector<Spread> spreads(const Statement& statement, const std::vector<std::int64_t>& sizes,
                            const std::map<IndexVar, std::int64_t>& extents,
                            const std::map<std::string, PlacedOperand>& operands) {
  return Spreader(statement, sizes, extents, operands).make();
}

}  // namespace lacuna::launch
