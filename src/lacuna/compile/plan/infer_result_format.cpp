#include <algorithm>
#include <set>

#include "lacuna/compile/plan/request.h"
#include "lacuna/notation/check.h"

namespace lacuna {
namespace {

bool is_sparse(const Format& f) {
  for (int k = 0; k < f.order(); ++k)
    if (!f.level(k).full()) return true;
  return false;
}

const IndexVar& variable_of_level(const Access& a, const Format& f, int level) {
  return a.indices[static_cast<std::size_t>(f.map().mode_of(level))];
}

/// What one term of the right side says of the result's levels.
class TermPattern {
 public:
  TermPattern(const Expr& term, const std::map<std::string, Format>& formats) : formats_(formats) {
    for (const Access& a : accesses(term)) accesses_.push_back(a);
  }

  /// Whether the term stores only some of a variable's coordinates under those of the variables before it.
  bool is_sparse_at(const IndexVar& v, const std::set<IndexVar>& before) const {
    if (is_bound_sparsely(v)) return true;
    return is_linked(v, before) && !is_stored_whole(v, before);
  }

 private:
  const Format& format(const Access& a) const { return formats_.at(a.tensor.name()); }

  bool is_bound_sparsely(const IndexVar& v) const {
    return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& a) {
      for (int k = 0; k < format(a).order(); ++k)
        if (variable_of_level(a, format(a), k) == v && !format(a).level(k).full()) return true;
      return false;
    });
  }

  /// Whether sparse operands lead from the variable to one before it: its coordinates then depend on that one's.
  bool is_linked(const IndexVar& v, const std::set<IndexVar>& before) const {
    std::set<IndexVar> reached{v};
    for (std::size_t size = 0; size != reached.size();) {
      size = reached.size();
      for (const Access& a : accesses_) {
        const auto is_reached = [&](const IndexVar& x) { return reached.count(x) > 0; };
        if (is_sparse(format(a)) && std::any_of(a.indices.begin(), a.indices.end(), is_reached))
          reached.insert(a.indices.begin(), a.indices.end());
      }
    }
    return std::any_of(reached.begin(), reached.end(), [&](const IndexVar& x) { return before.count(x) > 0; });
  }

  /// Whether an operand stores all coordinates of the variable below those of the variables before it, so that the
  /// result has no more positions there than the operand has.
  bool is_stored_whole(const IndexVar& v, const std::set<IndexVar>& before) const {
    return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& a) {
      std::set<IndexVar> above;
      for (int k = 0; k < format(a).order(); ++k) {
        const IndexVar& here = variable_of_level(a, format(a), k);
        if (here == v) return std::includes(above.begin(), above.end(), before.begin(), before.end());
        above.insert(here);
      }
      return false;
    });
  }

  const std::map<std::string, Format>& formats_;
  std::vector<Access> accesses_;
};

}  // namespace

Format infer_result_format(const Statement& s, const std::map<std::string, Format>& formats) {
  std::vector<TermPattern> terms;
  for (const Term& t : terms_of(s)) terms.emplace_back(t.expr, formats);
  if (s.accumulate) terms.emplace_back(make_expr(s.lhs), formats);
  std::vector<LevelFormat> levels;
  std::set<IndexVar> before;
  for (const IndexVar& v : s.lhs.indices) {
    const bool sparse =
        std::all_of(terms.begin(), terms.end(), [&](const TermPattern& t) { return t.is_sparse_at(v, before); });
    levels.push_back(sparse ? LevelFormat::compressed() : LevelFormat::dense());
    before.insert(v);
  }
  return Format(levels);
}

}  // namespace lacuna
