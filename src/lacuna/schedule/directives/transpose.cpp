#include <algorithm>

#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/schedule/problem/walkable_format.h"

namespace lacuna {
namespace {

using concrete::Program;
using concrete::Tensor;

/// The operand under that name, or the copy that is read instead of it.
Tensor operand_called(const Scheduled& s, const std::string& name) {
  for (const Tensor& t : s.program.tensors) {
    if (t.role != concrete::Role::Operand) continue;
    const bool copy = std::any_of(s.copies.begin(), s.copies.end(),
                                  [&](const OperandCopy& c) { return c.name == t.var.name() && c.source == name; });
    if (t.var.name() == name || copy) return t;
  }
  refuse("transpose", "{} is not an operand of the statement", name);
}

Expr read_instead(const Expr& e, const TensorVar& old, const TensorVar& copy) {
  if (const auto* a = as<Access>(e)) return a->tensor == old ? make_expr(Access{copy, a->indices}, e.where()) : e;
  std::vector<Expr> operands = children(e);
  for (Expr& x : operands) x = read_instead(x, old, copy);
  return with_children(e, operands);
}

}  // namespace

/// Reads a copy of an operand whose levels, compressed in the order asked for, store its modes in another order.
Scheduled apply(const Scheduled& before, const directive::Transpose& d) {
  Scheduled after = before;
  Program& p = after.program;
  const Tensor old = operand_called(before, d.tensor);
  std::vector<int> sorted = d.mode_order;
  std::sort(sorted.begin(), sorted.end());
  bool permutation = static_cast<int>(sorted.size()) == old.var.order();
  for (std::size_t k = 0; k < sorted.size(); ++k) permutation = permutation && sorted[k] == static_cast<int>(k);
  if (old.var.order() == 0) refuse("transpose", "{} is a scalar: it has no modes to reorder", d.tensor);
  if (!permutation) refuse("transpose", "give each mode of {} once, 0 to {}", d.tensor, old.var.order() - 1);

  if (old.format.map().modes() == d.mode_order) return after;  // its levels are in that order
  for (const concrete::Derivation& x : p.provenance.all())
    if (const auto* counted = std::get_if<concrete::Position>(&x);
        counted != nullptr && counted->access.tensor == old.var)
      refuse("transpose", "positions of {} are counted already (pos); transpose it before", d.tensor);
  std::vector<std::int64_t> extents(sorted.size(), 1);
  tree::each_assignment(p.root, [&](const concrete::Assign& a, const std::vector<const concrete::Forall*>&) {
    for (const Access& x : accesses(a.rhs))
      for (std::size_t m = 0; x.tensor == old.var && m < extents.size(); ++m) extents[m] = p.extents.at(x.indices[m]);
  });
  const std::int64_t first = extents[static_cast<std::size_t>(d.mode_order[0])];
  const Format format = old.format.is_dense() ? Format(old.format.levels(), LevelMap(d.mode_order))
                                              : walkable_format(d.mode_order, first, static_cast<double>(first));
  const TensorVar copy(d.tensor + "_transposed", old.var.order());
  Tensor t{copy, concrete::Role::Operand, format, old.type, {}, false};
  for (const int m : d.mode_order)
    t.widths.push_back(
        {Type::Int64, extents[static_cast<std::size_t>(m)] - 1 <= INT32_MAX ? Type::Int32 : Type::Int64});
  for (Tensor& x : p.tensors)
    if (x.var == old.var) x = t;
  after.copies.erase(std::remove_if(after.copies.begin(), after.copies.end(),
                                    [&](const OperandCopy& c) { return c.name == old.var.name(); }),
                     after.copies.end());
  after.copies.push_back({copy.name(), d.tensor, format, true});
  p.root = tree::rewrite(p.root, [&](const concrete::Stmt& s) {
    const auto* a = std::get_if<concrete::Assign>(&s->kind);
    return a == nullptr ? s : concrete::assign(a->target, read_instead(a->rhs, old.var, copy), a->accumulate);
  });
  return after;
}

}  // namespace lacuna
