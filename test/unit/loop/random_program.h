#pragma once

#include <random>
#include <vector>

#include "unit/loop/harness.h"

namespace lacuna::loop {

/// Draws small well-formed kernels that compute with indices, values and conditions, call a function with an effect,
/// and mostly (not always) pass the checks of the interpreter. With one compiler, the same seed draws the
/// same kernel.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint32_t seed) : random_(seed) {}

  /// Parameters: int64 n, float64 x, int64[8] a and float64[8] f (both updated), int64 r (out).
  Module module() {
    visible_ = {n_, r_};
    Module module =
        kernel({input(n_), input(x_), updated(a_), updated(f_), output(r_)}, {statements(3), statements(3)});
    module.functions = {bump()};
    return module;
  }

 private:
  std::uint32_t up_to(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  Expr element() { return bit_and(integer(2), 7); }

  /// Adds to a[0] and gives what it held: a call that may neither go nor move.
  Function bump() {
    const Var array("array", array_type(Type::Int64)), by("by", int64_type), old("old", int64_type);
    return {"bump",
            {array, by},
            int64_type,
            block({declare(old, load(array, 0)), store(array, 0, by, StoreOp::Add), return_value(Expr(old) + 0)})};
  }

  Expr integer(int depth) {
    if (depth == 0 || up_to(4) == 0) {
      if (up_to(2) == 0) return std::int64_t{up_to(5)} - 1;
      return visible_[up_to(static_cast<std::uint32_t>(visible_.size()))];
    }
    const auto sub = [&] { return integer(depth - 1); };
    switch (up_to(14)) {
      case 0: return sub() + sub();
      case 1: return sub() - sub();
      case 2: return sub() * sub();
      case 3: return sub() / (std::int64_t{up_to(3)});
      case 4: return sub() % (std::int64_t{up_to(3)});
      case 5: return min(sub(), sub());
      case 6: return select(condition(depth - 1), sub(), sub());
      case 7: return convert(convert(sub(), up_to(2) == 0 ? Type::Int32 : Type::Float64), Type::Int64);
      case 8: return load(a_, element());
      case 9: return value_op(BinaryOp::Mul, sub(), sub());
      case 10: return up_to(3) == 0 ? invoke("bump", {a_, sub()}, int64_type) : sub();
      case 11: {
        const Expr e = sub();
        return up_to(2) == 0 ? min(e, e) : e - e;
      }
      case 12: return convert(condition(depth - 1), Type::Int64);
      default: return sub() + (std::int64_t{up_to(4)} - 2) - (std::int64_t{up_to(4)} - 2);
    }
  }

  Expr real(int depth) {
    if (depth == 0 || up_to(4) == 0) {
      const double constants[] = {0.0, -0.0, 1.0, 0.5, std::numeric_limits<double>::infinity()};
      return up_to(2) == 0 ? Expr(constants[up_to(5)]) : Expr(x_);
    }
    const auto sub = [&] { return real(depth - 1); };
    switch (up_to(8)) {
      case 0: return value_op(BinaryOp::Add, sub(), sub());
      case 1: return value_op(BinaryOp::Sub, sub(), sub());
      case 2: return value_op(BinaryOp::Mul, sub(), sub());
      case 3: return value_op(BinaryOp::Div, sub(), sub());
      case 4: return negate(sub());
      case 5: return convert(integer(depth - 1), Type::Float64);
      case 6: return load(f_, element());
      default: return convert(convert(sub(), up_to(2) == 0 ? Type::Float32 : Type::Int32), Type::Float64);
    }
  }

  Expr condition(int depth) {
    if (depth == 0) return up_to(2) == 0 ? Expr(up_to(2) == 0) : integer(0) < integer(0);
    switch (up_to(8)) {
      case 0: return integer(depth - 1) <= integer(depth - 1);
      case 1: return eq(integer(depth - 1), integer(depth - 1));
      case 2: return condition(depth - 1) && condition(depth - 1);
      case 3: return condition(depth - 1) || condition(depth - 1);
      case 4: return !condition(depth - 1);
      case 5: return real(depth - 1) < real(depth - 1);
      case 6: return eq(condition(depth - 1), condition(depth - 1));
      default: return ne(real(depth - 1), real(depth - 1));
    }
  }

  Var fresh(const char* name) { return Var(names_.unique(name), int64_type); }

  Stmt inside(int depth) {
    const std::vector<Var> outer = visible_, outer_assignable = assignable_;
    Stmt body = statements(depth);
    visible_ = outer;
    assignable_ = outer_assignable;
    return body;
  }

  Stmt statements(int depth) {
    std::vector<Stmt> list;
    for (std::uint32_t k = up_to(5); k > 0; k--) list.push_back(statement(depth));
    return block(std::move(list));
  }

  Stmt statement(int depth) {
    switch (up_to(depth > 0 ? 12 : 7)) {
      case 0:
      case 1: return declaration();
      case 2: return store(a_, element(), integer(3), up_to(2) == 0 ? StoreOp::Set : StoreOp::Add);
      case 3: return store(f_, element(), real(3), up_to(2) == 0 ? StoreOp::Set : StoreOp::Max);
      case 4: return assign(r_, integer(3));
      case 5: return assignable_.empty() ? comment("nothing") : assign(assignable_.back(), integer(3));
      case 6: return fill(f_, bit_and(integer(1), 3), 4, real(1));
      case 7: return if_then(condition(2), inside(depth - 1), up_to(2) == 0 ? inside(depth - 1) : nullptr);
      case 8: return if_then(condition(2), block({}), inside(depth - 1));
      case 9: return loop(depth);
      case 10: {
        const Stmt body = inside(depth - 1);
        return while_loop(condition(2), block({body, break_loop(), comment("never reached")}));
      }
      default: return evaluate(invoke("bump", {a_, integer(2)}, int64_type));
    }
  }

  Stmt declaration() {
    const Var var = fresh("v");
    Stmt made = declare(var, up_to(3) == 0 ? Expr(visible_.back()) : integer(2));
    visible_.push_back(var);
    if (up_to(2) == 0) assignable_.push_back(var);
    return made;
  }

  Stmt loop(int depth) {
    const Var var = fresh("i");
    const Expr low = bit_and(integer(1), 3), high = up_to(4) == 0 ? low : bit_and(integer(2), 7);
    const std::vector<Var> outer = visible_;
    visible_.push_back(var);
    Stmt body = inside(depth - 1);
    visible_ = outer;
    return for_loop(var, low, high, std::move(body));
  }

  std::mt19937 random_;
  NameSupply names_;
  const Var n_{"n", int64_type}, x_{"x", float64_type}, r_{"r", int64_type};
  const Var a_{"a", array_type(Type::Int64)}, f_{"f", array_type(Type::Float64)};
  std::vector<Var> visible_;     // integers that may be read
  std::vector<Var> assignable_;  // those among them that may be assigned
};

}  // namespace lacuna::loop
