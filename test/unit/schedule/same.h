#pragma once

#include <algorithm>

#include "lacuna/notation/expr.h"
#include "lacuna/schedule/language/schedule.h"

namespace lacuna {

// Equality of directives field by field, expressions compared as trees: what tests mean by "the same".

inline bool same(const directive::Split& a, const directive::Split& b) {
  return a.variable == b.variable && a.outer == b.outer && a.inner == b.inner && a.size == b.size &&
         a.in_pieces == b.in_pieces && a.axis == b.axis;
}
inline bool same(const directive::Distribute& a, const directive::Distribute& b) {
  return a.variables == b.variables && a.outer == b.outer && a.inner == b.inner && a.pieces == b.pieces &&
         a.machine_level == b.machine_level;
}
inline bool same(const directive::Communicate& a, const directive::Communicate& b) {
  return a.tensors == b.tensors && a.variable == b.variable;
}
inline bool same(const directive::Rotate& a, const directive::Rotate& b) {
  return a.variable == b.variable && a.by == b.by && a.rotated == b.rotated;
}
inline bool same(const directive::Reorder& a, const directive::Reorder& b) { return a.variables == b.variables; }
inline bool same(const directive::Fuse& a, const directive::Fuse& b) {
  return a.outer == b.outer && a.inner == b.inner && a.fused == b.fused;
}
inline bool same(const directive::Pos& a, const directive::Pos& b) {
  return a.variable == b.variable && a.position == b.position && equal(a.access, b.access);
}
inline bool same(const directive::Bound& a, const directive::Bound& b) {
  return a.variable == b.variable && a.bounded == b.bounded && a.size == b.size && a.kind == b.kind;
}
inline bool same(const directive::Unroll& a, const directive::Unroll& b) {
  return a.variable == b.variable && a.factor == b.factor;
}
inline bool same(const directive::Substitute& a, const directive::Substitute& b) {
  return a.variables == b.variables && a.leaf == b.leaf;
}
inline bool same(const directive::Prefetch& a, const directive::Prefetch& b) {
  return a.variable == b.variable && a.turns == b.turns;
}
inline bool same(const directive::Parallelize& a, const directive::Parallelize& b) {
  return a.variable == b.variable && a.unit == b.unit && a.race == b.race;
}
inline bool same(const directive::Precompute& a, const directive::Precompute& b) {
  return equal(a.expr, b.expr) && a.variables == b.variables && a.producer_variables == b.producer_variables &&
         a.format == b.format && a.name == b.name;
}
inline bool same(const directive::LoopFuse& a, const directive::LoopFuse& b) {
  return a.count == b.count && a.producer == b.producer && a.path == b.path && a.shared_loops == b.shared_loops &&
         std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(), equal);
}
inline bool same(const directive::Assemble& a, const directive::Assemble& b) {
  return a.strategy == b.strategy && a.tensor == b.tensor;
}
inline bool same(const directive::MergeBy& a, const directive::MergeBy& b) {
  return a.variable == b.variable && a.merge == b.merge;
}
inline bool same(const directive::Transpose& a, const directive::Transpose& b) {
  return a.tensor == b.tensor && a.mode_order == b.mode_order;
}

inline bool same(const Directive& a, const Directive& b) {
  return std::visit(
      [](const auto& x, const auto& y) {
        if constexpr (std::is_same_v<decltype(x), decltype(y)>) return same(x, y);
        else return false;
      },
      a.kind, b.kind);
}

inline bool same(const Schedule& a, const Schedule& b) {
  if (a.directives.size() != b.directives.size()) return false;
  for (std::size_t k = 0; k < a.directives.size(); ++k) {
    if (!same(a.directives[k], b.directives[k])) return false;
  }
  return true;
}

}  // namespace lacuna
