#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/directives/fission.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Forall;
using concrete::Stmt;

/// A statement as the loops directly inside one another and what is inside them all.
struct Chain {
  std::vector<const Forall*> loops;
  Stmt inside;
};

Chain chain_of(const Stmt& s) {
  Chain c{{}, s};
  while (const auto* f = std::get_if<Forall>(&c.inside->kind)) {
    c.loops.push_back(f);
    c.inside = f->body;
  }
  return c;
}

Stmt around(const std::vector<const Forall*>& loops, Stmt s) {
  for (auto f = loops.rbegin(); f != loops.rend(); ++f) s = concrete::forall((*f)->var, s, (*f)->how);
  return s;
}

/// Loops change places with those directly inside or around them. The wanted ones may lie in several such chains, one
/// in another, as they do where the terms of a sum share some loops. Those of the outer chains that come first stay
/// shared; the others are split between the terms.
class Reorderer {
 public:
  Reorderer(const concrete::Program& p, std::vector<IndexVar> wanted) : program_(p), wanted_(std::move(wanted)) {}

  /// The statement reordered; nothing where no nest has all wanted loops in chains like that.
  std::optional<Stmt> run(const Stmt& s) { return below(s, wanted_); }

  /// Why nothing was reordered, where that is not that no nest has all of the loops.
  const std::string& obstacle() const { return obstacle_; }

 private:
  using Variables = std::vector<IndexVar>;
  using Places = std::vector<std::size_t>;

  /// `left`: the wanted loops that are not outside of `s`.
  std::optional<Stmt> below(const Stmt& s, const Variables& left) {
    return concrete::match(
        s, [&](const Forall&) { return chain(chain_of(s), left); },
        [&](const concrete::Where& w) -> std::optional<Stmt> {
          const auto consumer = below(w.consumer, left), producer = below(w.producer, left);
          if (!consumer && !producer) return std::nullopt;
          return concrete::where(consumer.value_or(w.consumer), producer.value_or(w.producer));
        },
        [](const concrete::Assign&) -> std::optional<Stmt> { return std::nullopt; },
        [&](const concrete::Sequence& q) -> std::optional<Stmt> {
          bool any = false;
          std::vector<Stmt> statements;
          for (const Stmt& x : q.statements) {
            const auto reordered = below(x, left);
            any = any || reordered;
            statements.push_back(reordered.value_or(x));
          }
          return any ? std::make_optional(concrete::sequence(std::move(statements))) : std::nullopt;
        });
  }

  /// A chain without some of the loops is another term's, or has the others inside.
  std::optional<Stmt> chain(Chain c, const Variables& left) {
    Places places;
    for (std::size_t k = 0; k < c.loops.size(); ++k)
      if (contains(left, c.loops[k]->var)) places.push_back(k);
    const auto in_chain = [&](const IndexVar& v) {
      return std::any_of(c.loops.begin(), c.loops.end(), [&](const Forall* f) { return f->var == v; });
    };
    const auto inner = std::find_if_not(left.begin(), left.end(), in_chain);
    put_first(c, {left.begin(), inner}, places);
    const auto first = static_cast<std::size_t>(inner - left.begin());
    if (first < places.size()) return split(c, places[first], {inner, left.end()});
    const std::optional<Stmt> inside = below(c.inside, inner == left.end() ? wanted_ : Variables(inner, left.end()));
    if (!inside && inner != left.end()) return std::nullopt;
    return around(c.loops, inside.value_or(c.inside));
  }

  /// These loops take the first of the places, in this order, and the others that are in places the rest.
  static void put_first(Chain& c, const Variables& first, const Places& places) {
    std::vector<const Forall*> ordered;
    for (const std::size_t k : places) ordered.push_back(c.loops[k]);
    std::stable_sort(ordered.begin(), ordered.end(), [&](const Forall* a, const Forall* b) {
      return std::find(first.begin(), first.end(), a->var) < std::find(first.begin(), first.end(), b->var);
    });
    for (std::size_t n = 0; n < places.size(); ++n) c.loops[places[n]] = ordered[n];
  }

  /// The loops of the chain from `depth` on become loops around each term inside in which they can be reordered with
  /// what is wanted; terms between these stay together.
  std::optional<Stmt> split(const Chain& c, std::size_t depth, const Variables& left) {
    const std::vector<const Forall*> shared(c.loops.begin(), c.loops.begin() + static_cast<std::ptrdiff_t>(depth));
    const std::vector<const Forall*> split(c.loops.begin() + static_cast<std::ptrdiff_t>(depth), c.loops.end());
    const directives::Fission fission(c.inside);
    std::vector<Stmt> parts, nests;
    std::size_t others = 0;  // the first of the statements that are in no part yet
    const auto add_others = [&](std::size_t last) {
      if (others == last) return;
      parts.push_back(fission.part(others, last));
      nests.push_back(around(split, parts.back()));
    };
    for (std::size_t k = 0; fission.size() > 1 && k < fission.size(); ++k) {
      const Stmt part = fission.part(k, k + 1);
      const std::optional<Stmt> reordered = below(around(split, part), left);
      if (!reordered) continue;
      add_others(k);
      parts.push_back(part);
      nests.push_back(*reordered);
      others = k + 1;
    }
    if (nests.empty()) return refuse(c, left);
    add_others(fission.size());
    Variables variables;
    for (const Forall* f : split) variables.push_back(f->var);
    const std::string obstacle = directives::Fission::obstacle(program_, variables, parts);
    if (obstacle.empty()) return around(shared, concrete::sequence(std::move(nests)));
    obstacle_ = obstacle;
    return std::nullopt;
  }

  /// Says so where the loops that are not in the chain are kept inside by what is made for them in each of its turns.
  std::optional<Stmt> refuse(const Chain& c, const Variables& left) {
    const auto* w = std::get_if<concrete::Where>(&c.inside->kind);
    if (w == nullptr) return std::nullopt;
    const Variables inside = tree::loop_variables(c.inside);
    const auto in_chain =
        std::find_if(left.begin(), left.end(), [&](const IndexVar& v) { return !contains(inside, v); });
    const auto kept = std::find_if(left.begin(), left.end(), [&](const IndexVar& v) { return contains(inside, v); });
    std::optional<TensorVar> made, of_kept;
    tree::each_assignment(w->producer, [&](const concrete::Assign& a, const std::vector<const Forall*>& loops) {
      const auto is_kept = [&](const Forall* f) { return kept != left.end() && f->var == *kept; };
      if (!made) made = a.target.tensor;
      if (!of_kept && std::any_of(loops.begin(), loops.end(), is_kept)) of_kept = a.target.tensor;
    });
    if (of_kept) made = of_kept;
    if (made && in_chain != left.end() && kept != left.end())
      obstacle_ = fmt::format(
          "{} is made and read in each iteration of the loop over {}, so that the loop over {} has to stay inside it",
          made->name(), in_chain->name(), kept->name());
    return std::nullopt;
  }

  const concrete::Program& program_;
  Variables wanted_;
  std::string obstacle_;
};

}  // namespace

/// forall i forall j S  ->  forall j forall i S
Scheduled apply(const Scheduled& before, const directive::Reorder& d) {
  Scheduled after = before;
  concrete::Program& p = after.program;
  std::vector<IndexVar> wanted;
  for (const std::string& name : d.variables) {
    const IndexVar v = directives::loop_variable(p, name, "reorder");
    if (contains(wanted, v)) refuse("reorder", "{} is named twice", name);
    wanted.push_back(v);
  }
  Reorderer reorderer(p, wanted);
  const std::optional<Stmt> reordered = reorderer.run(p.root);
  if (!reordered && !reorderer.obstacle().empty()) refuse("reorder", "{}", reorderer.obstacle());
  if (!reordered)
    refuse("reorder", "the loops {} are not directly inside one another in any nest: only such loops can change places",
           fmt::join(d.variables, ", "));
  p.root = *reordered;
  directives::check_operand_orders(after, "reorder");
  return after;
}

}  // namespace lacuna
