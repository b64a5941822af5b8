#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/concrete/sparsity.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Program;

/// The one access that the directive means, of the operand or of the copy that is read instead of it.
Access find_access(const Scheduled& s, const directive::Pos& d) {
  const Program& p = s.program;
  const auto* wanted = as<Access>(d.access);
  const auto source = [&](const TensorVar& t) {
    for (const OperandCopy& c : s.copies)
      if (c.name == t.name()) return c.source;
    return t.name();
  };
  std::vector<Access> found;
  std::set<std::string> read;
  tree::each_assignment(p.root, [&](const Assign& a, const std::vector<const Forall*>&) {
    for (const Access& access : accesses(a.rhs)) {
      if (p.at(access.tensor).role != concrete::Role::Operand) continue;
      const std::string operand = source(access.tensor);
      read.insert(to_string(make_expr(Access{TensorVar(operand, access.tensor.order()), access.indices})));
      if (operand != wanted->tensor.name()) continue;
      const bool named =
          wanted->indices.empty() ||
          std::equal(access.indices.begin(), access.indices.end(), wanted->indices.begin(), wanted->indices.end(),
                     [](const IndexVar& x, const IndexVar& y) { return x.name() == y.name(); });
      const bool seen =
          std::any_of(found.begin(), found.end(), [&](const Access& x) { return x.indices == access.indices; });
      if (named && !seen) found.push_back(access);
    }
  });
  const std::string text = to_string(d.access);
  if (found.empty())
    refuse("pos", "{} is not an operand that the loops read; they read {}", text, fmt::join(read, ", "));
  if (found.size() > 1)
    refuse("pos", "{} is used with several lists of variables; name one, as in {}", text,
           to_string(make_expr(Access{TensorVar(text, found.front().tensor.order()), found.front().indices})));
  return found.front();
}

/// The variables that `v` stands for where it is a variable of the statement, such a one bounded, or fused from such;
/// empty otherwise.
std::vector<IndexVar> fused_variables(const Program& p, const IndexVar& v) {
  const concrete::Derivation* d = p.provenance.made_by(v);
  if (d == nullptr) return {v};
  if (const auto* b = std::get_if<concrete::Bound>(d)) return fused_variables(p, b->parent);
  const auto* f = std::get_if<concrete::Fuse>(d);
  if (f == nullptr) return {};
  std::vector<IndexVar> outer = fused_variables(p, f->outer), inner = fused_variables(p, f->inner);
  if (outer.empty() || inner.empty()) return {};
  outer.insert(outer.end(), inner.begin(), inner.end());
  return outer;
}

void check_levels(const Program& p, const Access& a, const std::vector<IndexVar>& variables, std::size_t first,
                  const std::string& name) {
  const Format& format = p.at(a.tensor).format;
  const auto level = [&](std::size_t k) { return format.level(static_cast<int>(first + k)); };
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (level(k).has_gaps() || level(k).is_dynamic())
      refuse("pos", "{} is a {} level of {}, whose positions are not those of its entries; split {} itself",
             variables[k].name(), format.level(static_cast<int>(first + k)).name(), a.tensor.name(), name);
  }
  if (level(variables.size() - 1).full())
    refuse("pos", "{} is a dense level of {}, where positions are coordinates: split {} itself",
           variables.back().name(), a.tensor.name(), name);
  if (!format.level(static_cast<int>(first + variables.size() - 1)).unique)
    refuse("pos",
           "{} stores a coordinate of {} at several positions, and pieces of the positions would visit it "
           "again; fuse {} with the variables of the levels below first, or split {} itself",
           a.tensor.name(), variables.back().name(), name, name);
}

/// Whatever the loop computes must be absent where the access is.
void check_decides(const Program& p, const Access& a, const IndexVar& v) {
  using concrete::Formula;
  tree::each_assignment(p.root, [&](const Assign& assign, const std::vector<const Forall*>& loops) {
    if (std::none_of(loops.begin(), loops.end(), [&](const Forall* f) { return f->var == v; })) return;
    const auto of_access = [&](const Access& x) {
      return x.tensor == a.tensor && x.indices == a.indices ? Formula::atom(0) : Formula::always();
    };
    const Formula present = concrete::presence(assign.rhs, of_access);
    if (!present.is_never() && !(present == Formula::atom(0)))
      refuse("pos",
             "the loop over {} also computes where {} stores nothing ({} {} {}), so its positions do not cover it; "
             "split the variable itself",
             v.name(), to_string(make_expr(a)), to_string(make_expr(assign.target)), assign.accumulate ? "+=" : "=",
             to_string(assign.rhs));
  });
}

}  // namespace

/// forall f S  ->  forall fp S, where fp counts the positions of A's levels that f ranges over
Scheduled apply(const Scheduled& before, const directive::Pos& d) {
  Scheduled after = before;
  Program& p = after.program;
  const IndexVar v = directives::loop_variable(p, d.variable, "pos");
  const IndexVar position = directives::new_variable(p, d.position, "pos");
  const Access access = find_access(before, d);
  if (p.provenance.counts_positions(v))
    refuse("pos", "{} counts positions already; split it to share them out", d.variable);
  const std::vector<IndexVar> variables = fused_variables(p, v);
  if (variables.empty())
    refuse("pos", "{} is a piece of another variable; apply pos to the whole variable, then split the positions",
           d.variable);
  const std::vector<IndexVar> levels = tree::level_variables(p, access);
  for (const IndexVar& u : variables)
    if (std::count(levels.begin(), levels.end(), u) > 1)
      refuse("pos", "{} uses {} several times, so its positions are not counted by {} alone; split {} itself",
             to_string(make_expr(access)), u.name(), d.variable, d.variable);
  const auto first = std::search(levels.begin(), levels.end(), variables.begin(), variables.end());
  if (first == levels.end())
    refuse("pos", "{} does not range over consecutive levels of {} in the order in which they are stored", d.variable,
           to_string(make_expr(access)));
  check_levels(p, access, variables, static_cast<std::size_t>(first - levels.begin()), d.variable);
  check_decides(p, access, v);
  p.root =
      directives::replace_loop(p.root, v, [&](const Forall& f) { return concrete::forall(position, f.body, f.how); });
  p.provenance.add(concrete::Position{v, position, access});
  directives::check_operand_orders(after, "pos");
  return after;
}

}  // namespace lacuna
