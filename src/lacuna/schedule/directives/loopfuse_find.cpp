#include "lacuna/schedule/directives/loopfuse_find.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/ranges.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna::loopfuse {
namespace {

using product::Places;
using product::Product;

/// The products that an assignment adds up.
std::vector<Point> points_of(const concrete::Program& p, const Site& site) {
  const FactsByName facts = p.facts();
  const Type sum = branch::sum_type(p, site.assign());
  const std::vector<product::Addend> addends = product::addends_of(site.assign().rhs, facts, sum);
  std::vector<Point> points;
  for (std::size_t k = 0; k < addends.size(); ++k)
    points.push_back({site, addends, k, product::product_of(addends[k].expr, facts), {}});
  return points;
}

class EndFinder {
 public:
  explicit EndFinder(const Scheduled& s) : scheduled_(s) {}

  Ends run() {
    Ends found;
    const std::vector<Site> sites = sites_of(program().root);
    std::set<TensorVar> seen, wanted{program().result().var};
    while (!wanted.empty()) {
      std::set<TensorVar> next;
      for (const Site& site : sites) {
        if (wanted.count(site.assign().target.tensor) == 0) continue;
        for (Point& p : points_of(program(), site)) {
          const std::optional<std::string> why_not = why_not_at_end(p);
          bool goes_on = false;
          for (const Access& a : accesses(p.addends[p.addend].expr)) {
            if (!why_not || !is_temporary(a.tensor)) continue;
            goes_on = true;
            if (seen.count(a.tensor) == 0) next.insert(a.tensor);
          }
          if (!why_not) found.points.push_back(std::move(p));
          else if (!goes_on) found.refusals.push_back(*why_not);
        }
      }
      seen.insert(next.begin(), next.end());
      wanted = std::move(next);
    }
    return found;
  }

 private:
  const concrete::Program& program() const { return scheduled_.program; }

  bool is_temporary(const TensorVar& t) { return program().at(t).is_temporary(); }

  /// Leaves as few operands as possible for later: an index of the target is used by them, and by none before. What is
  /// computed first must be worth keeping: several operands, or a sum of its own. Says why where there is no such
  /// split.
  std::optional<std::string> why_not_at_end(Point& p) {
    const Places operands = product::operands_of(p.product);
    const std::string shown = to_string(p.addends[p.addend].expr);
    if (operands.size() < 2) return fmt::format("{} is one operand", shown);
    bool alone = false;
    for (std::size_t k = operands.size() - 1; k >= 1; --k) {
      const Places before(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(k));
      const Places after(operands.begin() + static_cast<std::ptrdiff_t>(k), operands.end());
      if (!has_index_of_its_own(p, after, before)) continue;
      alone = k < 2 && !has_sum_of_its_own(p, before, after);
      if (alone) continue;
      p.first = before;
      return std::nullopt;
    }
    const std::string first = to_string(p.product.factors[operands[0]].expr);
    const std::string target = to_string(make_expr(p.site.assign().target));
    if (alone) return fmt::format("in {}, {} would be left alone, with no sum of its own", shown, first);
    std::vector<std::string> used;
    for (const IndexVar& v : free_indices(p))
      if (contains(product::variables_of(p.product, {operands[0]}), v)) used.push_back(v.name());
    if (used.empty()) return fmt::format("in {}, no operand has an index of {} for itself", shown, target);
    return fmt::format("in {}, all indices of {} are used by {} already ({})", shown, target, first,
                       fmt::join(used, ", "));
  }

  bool has_index_of_its_own(const Point& p, const Places& after, const Places& before) {
    const std::vector<IndexVar> used = product::variables_of(p.product, before),
                                later = product::variables_of(p.product, after);
    const std::vector<IndexVar> free = free_indices(p);
    return std::any_of(free.begin(), free.end(),
                       [&](const IndexVar& v) { return contains(later, v) && !contains(used, v); });
  }

  bool has_sum_of_its_own(const Point& p, const Places& before, const Places& after) {
    const std::vector<IndexVar> used = product::variables_of(p.product, before),
                                later = product::variables_of(p.product, after);
    return std::any_of(used.begin(), used.end(), [&](const IndexVar& v) {
      return !contains(later, v) && !contains(p.site.assign().target.indices, v) && !is_above(p, v);
    });
  }

  /// Whether the variable is known outside the site's last boundary.
  bool is_above(const Point& p, const IndexVar& v) {
    std::vector<IndexVar> outside;
    for (std::size_t k = 0; k < p.site.boundary; ++k) outside.push_back(p.site.loops[k]->var);
    return program().provenance.is_known(v, outside);
  }

  std::vector<IndexVar> free_indices(const Point& p) {
    std::vector<IndexVar> free;
    for (const IndexVar& v : p.site.assign().target.indices)
      if (!is_above(p, v)) free.push_back(v);
    return free;
  }

  const Scheduled& scheduled_;
};

class NameFinder {
 public:
  NameFinder(const Scheduled& s, const directive::LoopFuse& d) : scheduled_(s), d_(d) {}

  Point run() {
    const Place place = follow(program().root, d_.path);
    std::vector<Point> points;
    for (const Site& site : place.sites) {
      std::vector<Point> here = points_of(program(), site);
      if (place.addend) {
        if (*place.addend > static_cast<int>(here.size()))
          refuse("loopfuse", "there are {} terms in {}, but the path names the {}th", here.size(),
                 to_string(site.assign().rhs), *place.addend);
        here = {here[static_cast<std::size_t>(*place.addend) - 1]};
      }
      for (Point& p : here) points.push_back(std::move(p));
    }
    if (!d_.operands.empty()) std::erase_if(points, [&](const Point& p) { return !has_operands(p); });
    if (points.empty() && !d_.operands.empty())
      refuse("loopfuse", "{} are not all operands of one product there; the products are {}",
             fmt::join(shown_operands(), ", "), fmt::join(shown_products(place), ", "));
    if (points.size() != 1)
      refuse("loopfuse",
             "there are {} terms; say which is meant by its operands, or by its number in the path, counted "
             "from 1",
             points.size());
    choose_side(points[0]);
    return std::move(points[0]);
  }

 private:
  const concrete::Program& program() const { return scheduled_.program; }

  void choose_side(Point& p) {
    const Places operands = product::operands_of(p.product);
    const std::string shown = to_string(p.addends[p.addend].expr);
    Places left, right;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const bool is_left = d_.operands.empty() ? static_cast<int>(k) < d_.count : is_named(p.product, operands[k]);
      (is_left ? left : right).push_back(operands[k]);
    }
    if (operands.size() < 2) refuse("loopfuse", "{} is one operand: there is nothing to split", shown);
    if (right.empty())
      refuse("loopfuse", "{} has {} operands, of which at most {} can be left of the split", shown, operands.size(),
             operands.size() - 1);
    p.first = *d_.producer == directive::LoopFuse::Side::Left ? left : right;
    const auto divides = [&](std::size_t k) { return p.product.factors[k].divides; };
    if (std::all_of(p.first.begin(), p.first.end(), divides))
      refuse("loopfuse", "{} is divided by what is to be computed first; take an operand that is multiplied with it",
             shown);
  }

  std::vector<std::string> shown_operands() const {
    std::vector<std::string> shown;
    for (const Expr& e : d_.operands) shown.push_back(to_string(e));
    return shown;
  }

  std::vector<std::string> shown_products(const Place& place) {
    std::vector<std::string> shown;
    for (const Site& site : place.sites)
      for (const Point& p : points_of(program(), site)) shown.push_back(to_string(p.addends[p.addend].expr));
    return shown;
  }

  bool has_operands(const Point& p) const {
    return std::all_of(d_.operands.begin(), d_.operands.end(), [&](const Expr& wanted) {
      for (const std::size_t k : product::operands_of(p.product))
        if (is_meant(wanted, p.product.factors[k].expr)) return true;
      return false;
    });
  }

  bool is_named(const Product& p, std::size_t k) const {
    return std::any_of(d_.operands.begin(), d_.operands.end(),
                       [&](const Expr& wanted) { return is_meant(wanted, p.factors[k].expr); });
  }

  /// A tensor by its name alone, or an access as it is written; copies are known by what they are copies of.
  bool is_meant(const Expr& wanted, const Expr& factor) const {
    const auto* name = as<Access>(wanted);
    const auto* a = as<Access>(factor);
    const auto* index = as<IndexValue>(factor);
    if (name != nullptr && index != nullptr) return name->indices.empty() && name->tensor.name() == index->var.name();
    if (name == nullptr || a == nullptr) return equal(wanted, factor);
    std::string tensor = a->tensor.name();
    for (const OperandCopy& c : scheduled_.copies)
      if (c.name == tensor) tensor = c.source;
    if (tensor != name->tensor.name()) return false;
    return name->indices.empty() || directives::names_of(name->indices) == directives::names_of(a->indices);
  }

  const Scheduled& scheduled_;
  const directive::LoopFuse& d_;
};

}  // namespace

Ends find_ends(const Scheduled& s) { return EndFinder(s).run(); }

Point find_named(const Scheduled& s, const directive::LoopFuse& d) { return NameFinder(s, d).run(); }

}  // namespace lacuna::loopfuse
