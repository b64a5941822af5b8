#include <algorithm>
#include <optional>

#include <fmt/ranges.h>

#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/tree.h"

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

/// Loops change places with those directly inside or around them. The wanted ones may lie in several such chains, one
/// in another, as they do where the terms of a sum share some loops: those of the outer chains then come first.
class Reorderer {
 public:
  explicit Reorderer(std::vector<IndexVar> wanted) : wanted_(std::move(wanted)) {}

  /// The statement reordered; nothing where no nest has all wanted loops in chains like that.
  std::optional<Stmt> run(const Stmt& s) { return below(s, wanted_); }

 private:
  using Variables = std::vector<IndexVar>;

  /// `left`: the wanted loops that are not outside of `s`.
  std::optional<Stmt> below(const Stmt& s, const Variables& left) {
    return concrete::match(
        s, [&](const Forall&) { return chain(chain_of(s), left); },
        [&](const concrete::Where& w) -> std::optional<Stmt> {
          if (left.size() < wanted_.size()) return std::nullopt;  // branches keep their loops
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
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < c.loops.size(); ++k)
      if (contains(left, c.loops[k]->var)) places.push_back(k);
    const auto here = left.begin() + static_cast<std::ptrdiff_t>(places.size());
    const bool come_first = std::all_of(left.begin(), here, [&](const IndexVar& v) {
      return std::any_of(places.begin(), places.end(), [&](std::size_t k) { return c.loops[k]->var == v; });
    });
    if (!come_first) return std::nullopt;
    const std::optional<Stmt> inside = below(c.inside, here == left.end() ? wanted_ : Variables(here, left.end()));
    if (!inside && here != left.end()) return std::nullopt;
    permute(c, left, places);
    Stmt result = inside.value_or(c.inside);
    for (auto f = c.loops.rbegin(); f != c.loops.rend(); ++f) result = concrete::forall((*f)->var, result, (*f)->how);
    return result;
  }

  /// The loops at these places take them in the wanted order.
  static void permute(Chain& c, const Variables& left, const std::vector<std::size_t>& places) {
    const std::vector<const Forall*> old = c.loops;
    for (std::size_t n = 0; n < places.size(); ++n)
      for (const std::size_t k : places)
        if (old[k]->var == left[n]) c.loops[places[n]] = old[k];
  }

  Variables wanted_;
};

}  // namespace

/// forall i forall j S  ->  forall j forall i S
Scheduled apply(const Scheduled& before, const directive::Reorder& d) {
  Scheduled after = before;
  concrete::Program& p = after.program;
  std::vector<IndexVar> wanted;
  for (const std::string& name : d.variables) {
    const IndexVar v = directives::loop_variable(p, name, "reorder");
    if (contains(wanted, v)) user_error("reorder: {} is named twice", name);
    wanted.push_back(v);
  }
  const std::optional<Stmt> reordered = Reorderer(wanted).run(p.root);
  if (!reordered)
    user_error(
        "reorder: the loops {} are not directly inside one another in any nest: only such loops can change places",
        fmt::join(d.variables, ", "));
  p.root = *reordered;
  directives::check_operand_orders(after, "reorder");
  return after;
}

}  // namespace lacuna
