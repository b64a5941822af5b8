#include <algorithm>

#include "lacuna/loop/build.h"
#include "lacuna/loop/passes.h"
#include "lacuna/loop/usage.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop {
namespace {

/// An element of an array that is read, as an Int64.
const Load* load_of(const Expr& e) {
  if (e.type() != int64_type) return nullptr;
  const auto* convert = std::get_if<Convert>(&e.node().kind);
  const auto* load = std::get_if<Load>(&(convert != nullptr ? convert->operand : e).node().kind);
  return load != nullptr && !load->member ? load : nullptr;
}

bool is_next(const Expr& next, const Expr& e) {
  const auto* sum = std::get_if<Binary>(&next.node().kind);
  return sum != nullptr && sum->op == BinaryOp::Add && is_constant(sum->right, 1) && same(sum->left, e);
}

/// A loop from array[i] to array[i+1], in each iteration of a loop over i.
struct Segment {
  std::size_t statement;  // of the outer loop's body
  const For* loop;
  Var array;
};

class CarriedEnds : public Rewriter {
 public:
  explicit CarriedEnds(const Module& module) : names_(names_of(module)) {
    for (const Parameter& p : module.parameters)
      if (!p.written && !p.out) inputs_.push_back(p.var);
  }

 protected:
  Stmt rebuilt(Stmt stmt) override {
    const auto* outer = std::get_if<For>(&stmt->kind);
    if (outer == nullptr || outer->mode != LoopMode::Serial || outer->step != 1 || outer->unroll > 0) return stmt;
    // Loops over segments, whose bounds are read, are mostly short: there the first iteration is what counts.
    if (!is_pure(outer->low) || !is_pure(outer->high)) return stmt;
    const auto* together = std::get_if<Block>(&outer->body->kind);
    std::vector<Stmt> body = together != nullptr ? together->statements : std::vector<Stmt>{outer->body};
    const std::optional<Segment> segment = segment_in(*outer, body);
    return segment ? carried(*outer, std::move(body), *segment) : stmt;
  }

 private:
  /// The first loop over segments of an array that nobody writes to, which runs in each iteration.
  std::optional<Segment> segment_in(const For& outer, const std::vector<Stmt>& body) const {
    for (std::size_t k = 0; k < body.size(); ++k) {
      if (may_leave(body[k])) return std::nullopt;
      const auto* loop = std::get_if<For>(&body[k]->kind);
      if (loop == nullptr || loop->mode != LoopMode::Serial) continue;
      const Load *low = load_of(loop->low), *high = load_of(loop->high);
      if (low == nullptr || high == nullptr || !(low->array == high->array)) continue;
      const bool is_input = std::find(inputs_.begin(), inputs_.end(), low->array) != inputs_.end();
      if (is_input && is_simple(*loop) && same(low->index, outer.var) && is_next(high->index, low->index))
        return Segment{k, loop, low->array};
    }
    return std::nullopt;
  }

  /// Beside what longer iterations take, reading a bound once more counts for nothing.
  static bool is_simple(const For& loop) {
    bool simple = true;
    for_each(loop.body, [&](const Stmt& s) {
      simple = simple && !std::holds_alternative<For>(s->kind) && !std::holds_alternative<While>(s->kind) &&
               !std::holds_alternative<MatrixProduct>(s->kind);
    });
    for_each_expression(loop.body, [&](const Expr& e) {
      simple = simple && !std::holds_alternative<Invoke>(e.node().kind) &&
               !std::holds_alternative<LowerBound>(e.node().kind) && !std::holds_alternative<Dot>(e.node().kind);
    });
    return simple;
  }

  static bool may_leave(const Stmt& stmt) {
    bool may = false;
    for_each(stmt, [&](const Stmt& s) {
      may = may || std::holds_alternative<Break>(s->kind) || std::holds_alternative<Return>(s->kind);
    });
    return may;
  }

  Stmt carried(const For& outer, std::vector<Stmt> body, const Segment& segment) {
    const std::string& array = segment.array.name();
    const std::string base = array.ends_with("_pos") ? array.substr(0, array.size() - 4) : array;
    const Var begin(names_.unique(base + "_begin"), int64_type), end(names_.unique(base + "_end"), int64_type);
    For inner = *segment.loop;
    const Expr past = inner.high;
    inner.low = begin;
    inner.high = end;
    body[segment.statement] = make_stmt(std::move(inner));
    body.insert(body.begin(), {declare(begin, end), assign(end, past)});
    For loop = outer;
    loop.body = block(std::move(body));
    // Without iterations, nobody knows that there is such an element; at 0 there is.
    const Expr first = convert(load(segment.array, outer.low), Type::Int64);
    return block({declare(end, is_constant(outer.low, 0) ? first : select(outer.low < outer.high, first, 0)),
                  make_stmt(std::move(loop))});
  }

  std::vector<Var> inputs_;
  NameSupply names_;
};

}  // namespace

Module carry_ends(const Module& module) {
  Module changed = module;
  changed.body = CarriedEnds(module).rewrite(changed.body);
  return changed;
}

}  // namespace lacuna::loop
