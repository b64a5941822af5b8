#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/notation/operators.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/directives/loopfuse_find.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/schedule/problem/workspaces.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using concrete::Forall;
using concrete::Role;
using loopfuse::Point;
using product::Places;
using product::Product;

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
    if (d_.producer) perform(plan(loopfuse::find_named(out_, d_)));
    else
      for (int n = 1; n <= d_.count; ++n) step(n);
    return std::move(out_);
  }

 private:
  concrete::Program& program() { return out_.program; }

  /// Splits every product that something can be taken off the end of, those that share the fewest loops first: what
  /// comes apart outside does not tear up what was split inside.
  void step(int n) {
    std::set<const ExprNode*> left;
    const loopfuse::Ends ends = loopfuse::find_ends(out_);
    for (const Point& p : ends.points) left.insert(p.addends[p.addend].expr.get());
    if (left.empty())
      refuse("loopfuse",
             "{}nothing can be split off the end of a product: {}; say which operands are to be computed "
             "first, as in loopfuse({{B,C}},left)",
             n == 1 ? std::string() : fmt::format("after {} of {} steps, ", n - 1, d_.count),
             fmt::join(ends.refusals, ", and "));
    while (!left.empty()) {
      std::optional<Plan> outermost;
      for (const Point& p : loopfuse::find_ends(out_).points) {
        if (left.count(p.addends[p.addend].expr.get()) == 0) continue;
        Plan next = plan(p);
        if (!outermost || next.depth < outermost->depth) outermost = std::move(next);
      }
      internal_check(outermost.has_value(), "a product that was to be split is gone");
      left.erase(outermost->point.addends[outermost->point.addend].expr.get());
      perform(*outermost);
    }
  }

  Plan plan(Point point) {
    Plan plan;
    const Product& product = point.product;
    Places rest;
    for (std::size_t k = 0; k < product.factors.size(); ++k)
      if (!product::contains(point.first, k)) rest.push_back(k);
    plan.part = product::multiply(product, point.first, program().facts());
    plan.part_uses = product::variables_of(product, point.first);
    plan.rest_uses = product::variables_of(product, rest);
    const std::vector<IndexVar>& indices = point.site.assign().target.indices;
    plan.rest_uses.insert(plan.rest_uses.end(), indices.begin(), indices.end());
    plan.point = std::move(point);
    share_loops(plan);
    check_loops(plan);
    return plan;
  }

  bool produces(const Plan& p, const IndexVar& loop) { return branch::uses_some(program(), p.part_uses, loop); }
  bool consumes(const Plan& p, const IndexVar& loop) { return branch::uses_some(program(), p.rest_uses, loop); }

  bool needs_all(const std::vector<IndexVar>& uses, const IndexVar& loop) {
    return branch::uses_all(program(), uses, loop);
  }

  /// The outermost loops of which both sides need all that they stand for; or as many as one asks for. A side then does
  /// what it does anew in every turn of a loop that only the other side needs.
  void share_loops(Plan& p) {
    const std::vector<const Forall*>& loops = p.point.site.loops;
    p.depth = p.point.site.boundary;
    if (d_.shared_loops) return share_as_asked(p);
    while (p.depth < loops.size() && needs_all(p.part_uses, loops[p.depth]->var) &&
           needs_all(p.rest_uses, loops[p.depth]->var))
      ++p.depth;
  }

  void share_as_asked(Plan& p) {
    const std::vector<const Forall*>& loops = p.point.site.loops;
    const std::size_t most = loops.size() - p.depth, wanted = static_cast<std::size_t>(*d_.shared_loops);
    if (wanted > most)
      refuse("loopfuse", "there are {} loop{} that the producer and the consumer could share, not {}", most,
             most == 1 ? "" : "s", wanted);
    for (; p.depth < p.point.site.boundary + wanted; ++p.depth) {
      const IndexVar& v = loops[p.depth]->var;
      const bool torn =
          (produces(p, v) && !needs_all(p.part_uses, v)) || (consumes(p, v) && !needs_all(p.rest_uses, v));
      if (torn)
        refuse("loopfuse",
               "{} runs over {} together, and one side of the split needs only some of them, so it cannot be "
               "shared; fuse after loopfuse",
               v.name(), fmt::join(directives::names_of(program().provenance.underived(v)), " and "));
    }
  }

  /// Whether the loops below can be run by one side, or by both; the temporary is over what both need.
  void check_loops(Plan& p) {
    const std::vector<const Forall*>& loops = p.point.site.loops;
    for (std::size_t k = p.depth; k < loops.size(); ++k) {
      const IndexVar& v = loops[k]->var;
      const bool first = produces(p, v), then = consumes(p, v);
      if (!first && !then)
        refuse("loopfuse", "nothing in {} depends on {}, over which it is summed, so neither side can take that loop",
               to_string(p.point.addends[p.point.addend].expr), v.name());
      check_whole(p, v, first, then);
      p.sums = p.sums || !then;
      if (!first || !then) continue;
      for (const IndexVar& u : program().provenance.underived(v))
        if (!contains(p.modes, u)) p.modes.push_back(u);
    }
    check_names_of_positions(p);
    const Type sum = branch::sum_type(program(), p.point.site.assign());
    if (p.sums && is_integer(p.point.product.type) && p.point.product.type != sum)
      refuse("loopfuse", "{} is computed in {} and added up in {}, where it wraps otherwise if {} is added up first",
             to_string(p.point.addends[p.point.addend].expr), type_name(p.point.product.type), type_name(sum),
             to_string(p.part));
  }

  /// Pairs and positions belong to one nest.
  void check_whole(const Plan& p, const IndexVar& v, bool first, bool then) {
    const concrete::Provenance& provenance = program().provenance;
    const std::vector<IndexVar> all = provenance.underived(v);
    if ((first && !branch::uses_all(program(), p.part_uses, v)) ||
        (then && !branch::uses_all(program(), p.rest_uses, v)))
      refuse("loopfuse",
             "{} runs over {} together, and one side of the split needs only some of them; fuse after loopfuse",
             v.name(), fmt::join(directives::names_of(all), " and "));
    if (!first || !then) return check_positions(p, v, first);
    const bool pairs = all.size() > 1;
    if (provenance.counts_positions(v))
      refuse("loopfuse",
             "{} runs over positions, which belong to one nest, and both sides need it; apply pos after "
             "loopfuse, or reorder so that the loop can be shared",
             v.name());
    const auto is_shared = [&](const IndexVar& leaf) {
      for (std::size_t k = 0; k < p.depth; ++k)
        if (p.point.site.loops[k]->var == leaf) return true;
      return false;
    };
    const std::vector<IndexVar> leaves = provenance.leaves(all[0]);
    if (pairs && std::any_of(leaves.begin(), leaves.end(), is_shared))
      refuse("loopfuse", "{} runs over pieces of pairs, of which only some loops are shared; fuse after loopfuse",
             v.name());
  }

  /// A loop over the positions of an operand stays with it.
  void check_positions(const Plan& p, const IndexVar& v, bool first) {
    for (const concrete::Derivation& d : program().provenance.all()) {
      const auto* position = std::get_if<concrete::Position>(&d);
      if (position == nullptr) continue;
      const std::vector<IndexVar> loops = program().provenance.leaves(position->position);
      if (!contains(loops, v)) continue;
      for (std::size_t k = 0; k < p.point.product.factors.size(); ++k)
        for (const Access& a : accesses(p.point.product.factors[k].expr))
          if (a.tensor == position->access.tensor && a.indices == position->access.indices &&
              product::contains(p.point.first, k) == first)
            return;
      refuse("loopfuse",
             "{} runs over the positions of {}, which the other side of the split needs; apply pos after "
             "loopfuse",
             v.name(), to_string(make_expr(position->access)));
    }
  }

  /// The producer has other names for the temporary's variables; positions are those of the access as it is.
  void check_names_of_positions(const Plan& p) {
    const concrete::Provenance& provenance = program().provenance;
    const std::vector<Access> taken = accesses(p.part);
    const auto is_renamed = [&](const IndexVar& v) {
      return contains(p.modes, v) && provenance.replaced_by(v) == nullptr;
    };
    for (const concrete::Derivation& d : provenance.all()) {
      const auto* position = std::get_if<concrete::Position>(&d);
      if (position == nullptr) continue;
      const Access& counted = position->access;
      const bool moves = std::any_of(taken.begin(), taken.end(), [&](const Access& a) {
        return a.tensor == counted.tensor && a.indices == counted.indices;
      });
      if (moves && std::any_of(counted.indices.begin(), counted.indices.end(), is_renamed))
        refuse("loopfuse",
               "{} counts the positions of {}, whose loops the producer calls differently; apply pos after "
               "loopfuse",
               position->position.name(), to_string(make_expr(counted)));
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
    split.rest =
        product::replace(point.product, point.first, make_expr(Access{split.temporary, p.modes}), program().facts());
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
    if (!scalar) return workspaces::add(program(), "w", p.modes, format_of_temporary(p), type);
    const TensorVar var(workspaces::fresh_tensor(program(), "t"), 0);
    program().tensors.push_back({var, Role::Scalar, Format(), type, {}, false});
    return var;
  }

  /// Rows that are there or not take a mark each, not a list of all entries, where they are produced once: the loops
  /// outside, if any, run over pieces of the rows.
  Format format_of_temporary(const Plan& p) const {
    const concrete::Program& before = out_.program;
    const std::vector<const Forall*>& loops = p.point.site.loops;
    const bool once =
        std::all_of(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(p.depth), [&](const auto* f) {
          return before.provenance.is_derived(f->var) && branch::uses_some(before, p.modes, f->var);
        });
    if (once && workspaces::has_sparse_rows(before, p.part, p.modes))
      return dense_format(static_cast<int>(p.modes.size()));
    return workspaces::format_for(before, p.part, p.modes);
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
};

}  // namespace

/// forall i forall j forall k forall l A(i,l) += B(i,j)*C(i,k)*D(j,k)*E(j,l)
///   ->  forall i forall j (forall l A(i,l) += t*E(j,l) where forall k t += B(i,j)*C(i,k)*D(j,k))
/// (SparseLNR, algorithm 1).
Scheduled apply(const Scheduled& before, const directive::LoopFuse& d) { return Fuser(before, d).run(); }

}  // namespace lacuna
