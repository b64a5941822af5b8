#include "lacuna/schedule/directives/common.h"

#include <algorithm>
#include <cctype>

#include <fmt/ranges.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna::directives {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Program;
using concrete::Stmt;

/// Every variable that a program has ever had.
std::vector<IndexVar> known_variables(const Program& p) {
  std::vector<IndexVar> all = tree::loop_variables(p.root);
  for (const concrete::Derivation& d : p.provenance.all())
    for (const auto& list : {concrete::parents(d), concrete::made(d)})
      for (const IndexVar& v : list)
        if (!contains(all, v)) all.push_back(v);
  return all;
}

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return !name.empty() && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || digit(c); });
}

/// After how many loops all of a variable is known; past the end where it never is.
std::size_t rank_of(const Program& p, const IndexVar& v, const std::vector<const Forall*>& loops) {
  std::size_t rank = 0;
  for (const IndexVar& leaf : p.provenance.leaves(v)) {
    const auto it = std::find_if(loops.begin(), loops.end(), [&](const Forall* f) { return f->var == leaf; });
    rank = std::max(rank, static_cast<std::size_t>(it - loops.begin()));
  }
  return rank;
}

/// Whether each level that cannot be located into comes inside those above it.
bool is_walkable(const Program& p, const Access& a, const std::vector<const Forall*>& loops) {
  const Format& format = p.at(a.tensor).format;
  const std::vector<IndexVar> variables = tree::level_variables(p, a);
  std::size_t deepest = 0;
  for (int k = 0; k < format.order(); ++k) {
    const std::size_t rank = rank_of(p, variables[static_cast<std::size_t>(k)], loops);
    if (!format.level(k).locates() && rank < deepest) return false;
    deepest = std::max(deepest, rank);
  }
  return true;
}

void check_operand_order(const Scheduled& s, const Access& a, const std::vector<const Forall*>& loops,
                         std::string_view directive) {
  const Program& p = s.program;
  if (is_walkable(p, a, loops)) return;
  const auto copy =
      std::find_if(s.copies.begin(), s.copies.end(), [&](const OperandCopy& c) { return c.name == a.tensor.name(); });
  const std::string name = copy == s.copies.end() ? a.tensor.name() : copy->source;
  const std::string shown = to_string(make_expr(Access{TensorVar(name, a.tensor.order()), a.indices}));
  const std::vector<IndexVar> variables = tree::level_variables(p, a);
  std::vector<int> modes(a.indices.size());
  for (std::size_t m = 0; m < modes.size(); ++m) modes[m] = static_cast<int>(m);
  std::stable_sort(modes.begin(), modes.end(), [&](int x, int y) {
    return rank_of(p, a.indices[static_cast<std::size_t>(x)], loops) <
           rank_of(p, a.indices[static_cast<std::size_t>(y)], loops);
  });
  refuse(directive,
         "{} is stored by {}, so the loops must come in that order; to run them as asked, read a transposed copy: "
         "transpose({}, {}) before this directive",
         copy == s.copies.end() ? shown : "the copy that is read of " + shown,
         fmt::join(names_of(variables), ", then "), name, fmt::join(modes, ", "));
}

/// Positions under an entry of the level above can only be counted where that entry is known.
void check_position_order(const Program& p, const concrete::Position& position, const std::vector<const Forall*>& loops,
                          std::string_view directive) {
  const std::vector<IndexVar> over = p.provenance.underived(position.parent);
  std::size_t outermost = loops.size();
  for (const IndexVar& leaf : p.provenance.leaves(position.position))
    outermost = std::min(outermost, rank_of(p, leaf, loops));
  if (outermost == loops.size()) return;
  for (const IndexVar& v : tree::level_variables(p, position.access)) {
    if (contains(over, v)) return;
    if (rank_of(p, v, loops) < outermost) continue;
    refuse(directive,
           "{} counts the positions of {} under each {}, so its loops must stay inside those of {}; fuse {} "
           "and {} before pos to count the positions of all",
           position.position.name(), to_string(make_expr(position.access)), v.name(), v.name(), v.name(),
           position.parent.name());
  }
}

}  // namespace

std::vector<std::string> names_of(const std::vector<IndexVar>& variables) {
  std::vector<std::string> names;
  for (const IndexVar& v : variables) names.push_back(v.name());
  return names;
}

IndexVar loop_variable(const Program& p, const std::string& name, std::string_view directive) {
  const std::vector<IndexVar> loops = tree::loop_variables(p.root);
  for (const IndexVar& v : loops)
    if (v.name() == name) return v;
  for (const IndexVar& v : known_variables(p))
    if (v.name() == name)
      refuse(directive, "{} has no loop any more; the loops that replaced it are {}", name,
             fmt::join(names_of(p.provenance.leaves(v)), ", "));
  refuse(directive, "there is no loop over {}; the loops are {}", name,
         loops.empty() ? "none" : fmt::format("{}", fmt::join(names_of(loops), ", ")));
}

IndexVar new_variable(const Program& p, const std::string& name, std::string_view directive) {
  if (!is_identifier(name)) refuse(directive, "'{}' is no name for a variable", name);
  for (const IndexVar& v : known_variables(p))
    if (v.name() == name)
      refuse(directive, "there is a variable {} already; choose another name for the new one", name);
  for (const concrete::Tensor& t : p.tensors)
    if (t.var.name() == name) refuse(directive, "{} is a tensor; choose another name for the new variable", name);
  return IndexVar(name);
}

std::int64_t extent_of(const Program& p, const IndexVar& v) {
  const concrete::Derivation* d = p.provenance.made_by(v);
  if (d == nullptr) return p.extents.at(v);
  return std::visit(Overloaded{[&](const concrete::Split& s) {
                                 const std::int64_t whole = extent_of(p, s.parent);
                                 const std::int64_t other = whole / s.size + (whole % s.size != 0 ? 1 : 0);
                                 return (v == s.outer) == s.in_pieces ? s.size : other;
                               },
                               [&](const concrete::Fuse& f) {
                                 std::int64_t product = 0;
                                 if (__builtin_mul_overflow(extent_of(p, f.outer), extent_of(p, f.inner), &product))
                                   refuse("fuse", "{} and {} have more than 2^63 pairs", f.outer.name(),
                                          f.inner.name());
                                 return product;
                               },
                               [&](const concrete::Position& q) { return extent_of(p, q.parent); },
                               [&](const concrete::Bound& b) { return extent_of(p, b.parent); }},
                    *d);
}

Stmt replace_loop(const Stmt& s, const IndexVar& v, const std::function<Stmt(const Forall&)>& change) {
  return tree::rewrite(s, [&](const Stmt& x) {
    const auto* f = std::get_if<Forall>(&x->kind);
    return f != nullptr && f->var == v ? change(*f) : x;
  });
}

concrete::Execution outer_part(const concrete::Execution& how) {
  concrete::Execution outer;
  if (concrete::on_threads(how.unit)) {
    outer.unit = how.unit;
    outer.race = how.race;
  }
  return outer;
}

concrete::Execution inner_part(const concrete::Execution& how) {
  concrete::Execution inner = how;
  if (concrete::on_threads(how.unit)) {
    inner.unit = concrete::Unit::Serial;
    inner.race = concrete::Race::NoRaces;
  }
  return inner;
}

void check_operand_orders(const Scheduled& s, std::string_view directive) {
  const Program& p = s.program;
  tree::each_assignment(p.root, [&](const Assign& a, const std::vector<const Forall*>& loops) {
    for (const concrete::Derivation& d : p.provenance.all())
      if (const auto* position = std::get_if<concrete::Position>(&d))
        check_position_order(p, *position, loops, directive);
    for (const Access& access : accesses(a.rhs))
      if (p.at(access.tensor).role == concrete::Role::Operand) check_operand_order(s, access, loops, directive);
  });
}

void check_copy_orders(const Scheduled& s) {
  const Program& p = s.program;
  tree::each_assignment(p.root, [&](const Assign& a, const std::vector<const Forall*>& loops) {
    for (const Access& access : accesses(a.rhs)) {
      const auto copy = std::find_if(s.copies.begin(), s.copies.end(),
                                     [&](const OperandCopy& c) { return c.asked && c.name == access.tensor.name(); });
      if (copy == s.copies.end() || is_walkable(p, access, loops)) continue;
      const std::vector<IndexVar> variables = tree::level_variables(p, access);
      std::vector<IndexVar> wanted;
      for (const IndexVar& v : variables)
        for (const IndexVar& leaf : p.provenance.leaves(v))
          if (!contains(wanted, leaf)) wanted.push_back(leaf);
      refuse("transpose",
             "the copy of {} is stored by {}, and the loops do not come in that order; add reorder({}) after "
             "this directive",
             copy->source, fmt::join(names_of(variables), ", then "), fmt::join(names_of(wanted), ", "));
    }
  });
}

}  // namespace lacuna::directives
