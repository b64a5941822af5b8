#include "lacuna/loop/simplify/usage.h"

#include "lacuna/loop/simplify/rules.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop::simplifier {
namespace {

class Collector {
 public:
  explicit Collector(Usages& found) : found_(found) {}

  void collect(const Stmt& stmt) {
    if (const auto* node = std::get_if<Assign>(&stmt->kind)) {
      note_value(found_[node->var], node->value);
      found_[node->var].assignments++;
      return collect_reads(node->value, &node->var);
    }
    if (const auto* node = std::get_if<Declare>(&stmt->kind)) {
      note_value(found_[node->var], node->init);
      found_[node->var].declarations++;
    }
    if (const auto* node = std::get_if<For>(&stmt->kind)) {
      found_[node->var].assignments++;
      for (const Reduction& each : node->reductions) {
        found_[each.var].assignments++;
        found_[each.var].is_effect = true;
      }
      for (const OwnSum& each : node->sums) {
        found_[each.own].is_effect = true;
        found_[each.total].writes++;
      }
    }
    if (const auto* node = std::get_if<Store>(&stmt->kind)) found_[node->array].writes++;
    if (const auto* node = std::get_if<Sort>(&stmt->kind)) {
      found_[node->array].writes++;
      if (node->marks) found_[*node->marks].reads++;
    }
    if (const auto* node = std::get_if<Fill>(&stmt->kind)) found_[node->array].writes++;
    if (const auto* node = std::get_if<MatrixProduct>(&stmt->kind)) {
      found_[node->target.array].writes++;
      found_[node->left.array].reads++;
      if (node->right) found_[node->right->array].reads++;
    }
    if (const auto* node = std::get_if<Prefetch>(&stmt->kind)) found_[node->array].is_effect = true;
    if (const auto* node = std::get_if<Keep>(&stmt->kind)) note_move(node->shelf, node->array);
    if (const auto* node = std::get_if<Take>(&stmt->kind)) note_move(node->shelf, node->array);
    if (const auto* node = std::get_if<Allocate>(&stmt->kind)) note_value(found_[node->array], node->count);
    if (const auto* node = std::get_if<Resize>(&stmt->kind)) note_value(found_[node->array], node->count);
    for (const Expr& each : expressions(stmt)) collect_reads(each, nullptr);
  }

 private:
  static void note_value(Usage& usage, const Expr& value) {
    if (value.defined() && !is_droppable(value)) usage.is_effect = true;
  }

  /// Memory that moves stays alive with both its owners: without either statement it would be lost.
  void note_move(const Var& shelf, const Var& array) {
    for (const Var& each : {shelf, array}) {
      found_[each].reads++;
      found_[each].writes++;
    }
  }

  /// `target`: the variable to which the expression is assigned; that it reads itself keeps nothing alive.
  void collect_reads(const Expr& top, const Var* target) {
    for_each(top, [&](const Expr& expr) {
      const auto& kind = expr.node().kind;
      if (const auto* use = std::get_if<VarUse>(&kind); use && (!target || use->var != *target))
        found_[use->var].reads++;
      if (const auto* load = std::get_if<Load>(&kind)) found_[load->array].reads++;
      if (const auto* search = std::get_if<LowerBound>(&kind)) found_[search->array].reads++;
      if (const auto* dot = std::get_if<Dot>(&kind))
        for (const Vector& v : {dot->left, dot->right}) found_[v.array].reads++;
    });
  }

  Usages& found_;
};

}  // namespace

Usages usages(const Stmt& body) {
  Usages found;
  Collector collector(found);
  for_each(body, [&](const Stmt& stmt) { collector.collect(stmt); });
  return found;
}

}  // namespace lacuna::loop::simplifier
