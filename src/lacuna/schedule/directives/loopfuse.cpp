#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "lacuna/notation/operators.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/directives/loopfuse_site.h"
#include "lacuna/schedule/directives/product.h"
#include "lacuna/schedule/tree.h"

namespace lacuna {
namespace {

using concrete::Forall;
using concrete::Role;
using loopfuse::Site;
using product::Product;
using Places = std::vector<std::size_t>;

std::vector<std::string> names_of(const std::vector<IndexVar>& variables) {
  std::vector<std::string> names;
  for (const IndexVar& v : variables) names.push_back(v.name());
  return names;
}

bool contains(const Places& places, std::size_t k) {
  return std::find(places.begin(), places.end(), k) != places.end();
}

/// One product of an assignment, and which of its factors are computed first.
struct Point {
  Site site;
  std::vector<product::Addend> addends;  // of the assignment
  std::size_t addend = 0;                // the one that is split
  Product product;                       // that it is
  Places first;                          // factors
};

/// What a point becomes.
struct Plan {
  Point point;
  std::size_t depth = 0;  // so many loops are shared
  Expr part;
  std::vector<IndexVar> part_uses, rest_uses;
  std::vector<IndexVar> modes;
  bool sums = false;  // the part is summed over variables of its own
};

class Fuser {
 public:
  Fuser(const Scheduled& before, const directive::LoopFuse& d) : out_(before), d_(d) {}

  Scheduled run() {
    if (d_.producer) perform(plan(named_point()));
    else
      for (int n = 1; n <= d_.count; ++n) step(n);
    return std::move(out_);
  }

 private:
  concrete::Program& program() { return out_.program; }

  // Finding where to split.

  /// Splits every product that something can be taken off the end of, those that share the fewest loops first: what
  /// comes apart outside does not tear up what was split inside.
  void step(int n) {
    refusals_.clear();
    std::set<const ExprNode*> left;
    for (const Point& p : ends()) left.insert(p.addends[p.addend].expr.get());
    if (left.empty())
      user_error(
          "loopfuse: {}nothing can be split off the end of a product: {}; say which operands are to be computed "
          "first, as in loopfuse({{B,C}},left)",
          n == 1 ? std::string() : fmt::format("after {} of {} steps, ", n - 1, d_.count),
          fmt::join(refusals_, ", and "));
    while (!left.empty()) {
      std::optional<Plan> outermost;
      for (const Point& p : ends()) {
        if (left.count(p.addends[p.addend].expr.get()) == 0) continue;
        Plan next = plan(p);
        if (!outermost || next.depth < outermost->depth) outermost = std::move(next);
      }
      internal_check(outermost.has_value(), "a product that was to be split is gone");
      left.erase(outermost->point.addends[outermost->point.addend].expr.get());
      perform(*outermost);
    }
  }

  /// The products of the result that can be split, and where they cannot, those of what they read.
  std::vector<Point> ends() {
    std::vector<Point> found;
    const std::vector<Site> sites = loopfuse::sites_of(program().root);
    std::set<TensorVar> seen, wanted{program().result().var};
    while (!wanted.empty()) {
      std::set<TensorVar> next;
      for (const Site& site : sites) {
        if (wanted.count(site.assign().target.tensor) == 0) continue;
        for (Point& p : points_of(site)) {
          const std::optional<std::string> why_not = why_not_at_end(p);
          bool goes_on = false;
          for (const Access& a : accesses(p.addends[p.addend].expr)) {
            if (!why_not || !is_temporary(a.tensor)) continue;
            goes_on = true;
            if (seen.count(a.tensor) == 0) next.insert(a.tensor);
          }
          if (!why_not) found.push_back(std::move(p));
          else if (!goes_on) refusals_.push_back(*why_not);
        }
      }
      seen.insert(next.begin(), next.end());
      wanted = std::move(next);
    }
    return found;
  }

  bool is_temporary(const TensorVar& t) {
    const Role role = program().at(t).role;
    return role == Role::Scalar || role == Role::Workspace;
  }

  std::vector<Point> points_of(const Site& site) {
    const FactsByName facts = program().facts();
    const Type sum = branch::sum_type(program(), site.assign());
    const std::vector<product::Addend> addends = product::addends_of(site.assign().rhs, facts, sum);
    std::vector<Point> points;
    for (std::size_t k = 0; k < addends.size(); ++k)
      points.push_back({site, addends, k, product::product_of(addends[k].expr, facts), {}});
    return points;
  }

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
      if (tree::contains(variables_of(p.product, {operands[0]}), v)) used.push_back(v.name());
    if (used.empty()) return fmt::format("in {}, no operand has an index of {} for itself", shown, target);
    return fmt::format("in {}, all indices of {} are used by {} already ({})", shown, target, first,
                       fmt::join(used, ", "));
  }

  bool has_index_of_its_own(const Point& p, const Places& after, const Places& before) {
    const std::vector<IndexVar> used = variables_of(p.product, before), later = variables_of(p.product, after);
    const std::vector<IndexVar> free = free_indices(p);
    return std::any_of(free.begin(), free.end(),
                       [&](const IndexVar& v) { return tree::contains(later, v) && !tree::contains(used, v); });
  }

  bool has_sum_of_its_own(const Point& p, const Places& before, const Places& after) {
    const std::vector<IndexVar> used = variables_of(p.product, before), later = variables_of(p.product, after);
    return std::any_of(used.begin(), used.end(), [&](const IndexVar& v) {
      return !tree::contains(later, v) && !tree::contains(p.site.assign().target.indices, v) && !is_above(p, v);
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

  static std::vector<IndexVar> variables_of(const Product& p, const Places& places) {
    std::vector<IndexVar> all;
    for (const std::size_t k : places)
      for (const IndexVar& v : free_variables(p.factors[k].expr)) all.push_back(v);
    return all;
  }

  /// The product that the path and the operands of the directive name.
  Point named_point() {
    const loopfuse::Place place = loopfuse::follow(program().root, d_.path);
    std::vector<Point> points;
    for (const Site& site : place.sites) {
      std::vector<Point> here = points_of(site);
      if (place.addend) {
        if (*place.addend > static_cast<int>(here.size()))
          user_error("loopfuse: there are {} terms in {}, but the path names the {}th", here.size(),
                     to_string(site.assign().rhs), *place.addend);
        here = {here[static_cast<std::size_t>(*place.addend) - 1]};
      }
      for (Point& p : here) points.push_back(std::move(p));
    }
    if (!d_.operands.empty()) std::erase_if(points, [&](const Point& p) { return !has_operands(p); });
    if (points.empty() && !d_.operands.empty())
      user_error("loopfuse: {} are not all operands of one product there; the products are {}",
                 fmt::join(shown_operands(), ", "), fmt::join(shown_products(place), ", "));
    if (points.size() != 1)
      user_error(
          "loopfuse: there are {} terms; say which is meant by its operands, or by its number in the path, counted "
          "from 1",
          points.size());
    choose_side(points[0]);
    return std::move(points[0]);
  }

  void choose_side(Point& p) {
    const Places operands = product::operands_of(p.product);
    const std::string shown = to_string(p.addends[p.addend].expr);
    Places left, right;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const bool is_left = d_.operands.empty() ? static_cast<int>(k) < d_.count : is_named(p.product, operands[k]);
      (is_left ? left : right).push_back(operands[k]);
    }
    if (operands.size() < 2) user_error("loopfuse: {} is one operand: there is nothing to split", shown);
    if (right.empty())
      user_error("loopfuse: {} has {} operands, of which at most {} can be left of the split", shown, operands.size(),
                 operands.size() - 1);
    p.first = *d_.producer == directive::LoopFuse::Side::Left ? left : right;
    const auto divides = [&](std::size_t k) { return p.product.factors[k].divides; };
    if (std::all_of(p.first.begin(), p.first.end(), divides))
      user_error("loopfuse: {} is divided by what is to be computed first; take an operand that is multiplied with it",
                 shown);
  }

  std::vector<std::string> shown_operands() const {
    std::vector<std::string> shown;
    for (const Expr& e : d_.operands) shown.push_back(to_string(e));
    return shown;
  }

  std::vector<std::string> shown_products(const loopfuse::Place& place) {
    std::vector<std::string> shown;
    for (const Site& site : place.sites)
      for (const Point& p : points_of(site)) shown.push_back(to_string(p.addends[p.addend].expr));
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
    if (name == nullptr || a == nullptr) return equal(wanted, factor);
    std::string tensor = a->tensor.name();
    for (const OperandCopy& c : out_.copies)
      if (c.name == tensor) tensor = c.source;
    if (tensor != name->tensor.name()) return false;
    return name->indices.empty() || names_of(name->indices) == names_of(a->indices);
  }

  // Splitting.

  Plan plan(Point point) {
    Plan plan;
    const Product& product = point.product;
    Places rest;
    for (std::size_t k = 0; k < product.factors.size(); ++k)
      if (!contains(point.first, k)) rest.push_back(k);
    plan.part = product::multiply(product, point.first, program().facts());
    plan.part_uses = variables_of(product, point.first);
    plan.rest_uses = variables_of(product, rest);
    const std::vector<IndexVar>& indices = point.site.assign().target.indices;
    plan.rest_uses.insert(plan.rest_uses.end(), indices.begin(), indices.end());
    plan.point = std::move(point);
    share_loops(plan);
    check_loops(plan);
    return plan;
  }

  bool produces(const Plan& p, const IndexVar& loop) { return branch::uses_some(program(), p.part_uses, loop); }
  bool consumes(const Plan& p, const IndexVar& loop) { return branch::uses_some(program(), p.rest_uses, loop); }

  /// The outermost loops of which both sides need all that they stand for.
  void share_loops(Plan& p) {
    const std::vector<const Forall*>& loops = p.point.site.loops;
    const auto needed_by_both = [&](const IndexVar& v) {
      return branch::uses_all(program(), p.part_uses, v) && branch::uses_all(program(), p.rest_uses, v);
    };
    p.depth = p.point.site.boundary;
    while (p.depth < loops.size() && needed_by_both(loops[p.depth]->var)) ++p.depth;
    if (!d_.most_loops) return;
    const std::size_t most = p.depth - p.point.site.boundary;
    if (static_cast<std::size_t>(*d_.most_loops) > most)
      user_error("loopfuse: the producer and the consumer have {} outermost loop{} in common, not {}{}", most,
                 most == 1 ? "" : "s", *d_.most_loops,
                 p.depth < loops.size()
                     ? fmt::format(": only one of them needs {}; reorder the loops first", loops[p.depth]->var.name())
                     : "");
    p.depth = p.point.site.boundary + static_cast<std::size_t>(*d_.most_loops);
  }

  /// Whether the loops below can be run by one side, or by both; the temporary is over what both need.
  void check_loops(Plan& p) {
    const std::vector<const Forall*>& loops = p.point.site.loops;
    for (std::size_t k = p.depth; k < loops.size(); ++k) {
      const IndexVar& v = loops[k]->var;
      const bool first = produces(p, v), then = consumes(p, v);
      if (!first && !then)
        user_error("loopfuse: nothing in {} depends on {}, over which it is summed, so neither side can take that loop",
                   to_string(p.point.addends[p.point.addend].expr), v.name());
      check_whole(p, v, first, then);
      p.sums = p.sums || !then;
      if (!first || !then) continue;
      for (const IndexVar& u : program().provenance.underived(v))
        if (!tree::contains(p.modes, u)) p.modes.push_back(u);
    }
    const Type sum = branch::sum_type(program(), p.point.site.assign());
    if (p.sums && is_integer(p.point.product.type) && p.point.product.type != sum)
      user_error("loopfuse: {} is computed in {} and added up in {}, where it wraps otherwise if {} is added up first",
                 to_string(p.point.addends[p.point.addend].expr), type_name(p.point.product.type), type_name(sum),
                 to_string(p.part));
  }

  /// Pairs and positions belong to one nest.
  void check_whole(const Plan& p, const IndexVar& v, bool first, bool then) {
    const concrete::Provenance& provenance = program().provenance;
    const std::vector<IndexVar> all = provenance.underived(v);
    if ((first && !branch::uses_all(program(), p.part_uses, v)) ||
        (then && !branch::uses_all(program(), p.rest_uses, v)))
      user_error(
          "loopfuse: {} runs over {} together, and one side of the split needs only some of them; fuse after loopfuse",
          v.name(), fmt::join(names_of(all), " and "));
    if (!first || !then) return check_positions(p, v, first);
    const bool pairs = all.size() > 1;
    if (provenance.counts_positions(v))
      user_error(
          "loopfuse: {} runs over positions, which belong to one nest, and both sides need it; apply pos after "
          "loopfuse, or reorder so that the loop can be shared",
          v.name());
    const auto is_shared = [&](const IndexVar& leaf) {
      for (std::size_t k = 0; k < p.depth; ++k)
        if (p.point.site.loops[k]->var == leaf) return true;
      return false;
    };
    const std::vector<IndexVar> leaves = provenance.leaves(all[0]);
    if (pairs && std::any_of(leaves.begin(), leaves.end(), is_shared))
      user_error("loopfuse: {} runs over pieces of pairs, of which only some loops are shared; fuse after loopfuse",
                 v.name());
  }

  /// A loop over the positions of an operand stays with it.
  void check_positions(const Plan& p, const IndexVar& v, bool first) {
    for (const concrete::Derivation& d : program().provenance.all()) {
      const auto* position = std::get_if<concrete::Position>(&d);
      if (position == nullptr) continue;
      const std::vector<IndexVar> loops = program().provenance.leaves(position->position);
      if (!tree::contains(loops, v)) continue;
      for (std::size_t k = 0; k < p.point.product.factors.size(); ++k)
        for (const Access& a : accesses(p.point.product.factors[k].expr))
          if (a.tensor == position->access.tensor && a.indices == position->access.indices &&
              contains(p.point.first, k) == first)
            return;
      user_error(
          "loopfuse: {} runs over the positions of {}, which the other side of the split needs; apply pos after "
          "loopfuse",
          v.name(), to_string(make_expr(position->access)));
    }
  }

  void perform(const Plan& p) {
    const Point& point = p.point;
    const concrete::Assign& before = point.site.assign();
    const product::Addend& addend = point.addends[point.addend];
    branch::Split split{before, p.part, {}, TensorVar(), p.modes, {}};
    split.temporary = add_temporary(p);
    for (const IndexVar& v : p.modes)
      if (program().provenance.replaced_by(v) == nullptr) split.names.emplace(v, fresh_variable(v));
    split.rest = product::replace(point.product, point.first, make_expr(Access{split.temporary, p.modes}));
    if (addend.negative) split.rest = -split.rest;
    std::optional<loopfuse::Remainder> remainder;
    if (point.addends.size() > 1) {
      std::vector<product::Addend> others = point.addends;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(point.addend));
      remainder = {{before.target, true, product::add_up(others)}, point.addend > 0};
      split.assign.accumulate = true;
    }
    program().root = loopfuse::split_at(program(), point.site, p.depth, split, remainder);
  }

  TensorVar add_temporary(const Plan& p) {
    const bool scalar = p.modes.empty();
    const Type type =
        p.sums ? branch::sum_type(program(), p.point.site.assign()) : promote(type_of(p.part, program().facts()));
    const TensorVar var(branch::fresh_tensor(program(), scalar ? "t" : "w"), static_cast<int>(p.modes.size()));
    concrete::Tensor t{var,
                       scalar ? Role::Scalar : Role::Workspace,
                       scalar ? Format() : dense_format(static_cast<int>(p.modes.size())),
                       type,
                       {},
                       false};
    for (const IndexVar& v : p.modes)
      t.widths.push_back({Type::Int64, program().extents.at(v) - 1 <= INT32_MAX ? Type::Int32 : Type::Int64});
    program().tensors.push_back(std::move(t));
    return var;
  }

  /// The producer's name for a variable of the temporary.
  IndexVar fresh_variable(const IndexVar& v) {
    const auto taken = [&](const std::string& name) {
      for (const auto& [u, extent] : program().extents)
        if (u.name() == name) return true;
      for (const concrete::Derivation& d : program().provenance.all())
        for (const IndexVar& u : concrete::made(d))
          if (u.name() == name) return true;
      for (const concrete::Tensor& t : program().tensors)
        if (t.var.name() == name) return true;
      return false;
    };
    std::string name = v.name() + "w";
    for (int n = 2; taken(name); ++n) name = v.name() + "w" + std::to_string(n);
    const IndexVar made(name);
    program().extents[made] = program().extents.at(v);
    return made;
  }

  Scheduled out_;
  const directive::LoopFuse& d_;
  std::vector<std::string> refusals_;
};

}  // namespace

/// forall i forall j forall k forall l A(i,l) += B(i,j)*C(i,k)*D(j,k)*E(j,l)
///   ->  forall i forall j (forall l A(i,l) += t*E(j,l) where forall k t += B(i,j)*C(i,k)*D(j,k))
/// (SparseLNR, algorithm 1).
Scheduled apply(const Scheduled& before, const directive::LoopFuse& d) { return Fuser(before, d).run(); }

}  // namespace lacuna
