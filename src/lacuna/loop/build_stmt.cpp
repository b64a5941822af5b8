#include <algorithm>

#include "lacuna/loop/access.h"
#include "lacuna/loop/build.h"
#include "lacuna/loop/passes.h"
#include "lacuna/loop/usage.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/check.h"

namespace lacuna::loop {
namespace {

/// `value`, or the same integer constant in the type that it is assigned to.
Expr fitted(const Expr& value, const IrType& type, const std::string& target) {
  internal_check(value.defined(), "{} is given no value", target);
  if (value.type() == type) return value;
  const bool is_integer_constant = std::holds_alternative<Constant>(value.node().kind) && value.type().is_scalar() &&
                                   is_integer(value.scalar()) && value.scalar() != Type::Bool;
  internal_check(is_integer_constant && type.is_scalar() && type.scalar != Type::Bool && is_integer(type.scalar),
                 "the value `{}` has another type than {}", to_string(value), target);
  const Scalar before = std::get<Constant>(value.node().kind).value;
  const Scalar after = before.convert(type.scalar);
  internal_check(after.as<double>() == before.as<double>(), "the value {} does not fit {}", before.to_string(), target);
  return after;
}

void check_memory(const Var& array, const char* what) {
  internal_check(array.type().is_memory(), "{} of {}, which is no array", what, array.name());
}

Expr count_of(const Expr& count) {
  const bool is_integer_value = count.defined() && count.type().is_scalar() && is_integer(count.scalar());
  internal_check(is_integer_value, "the count `{}` is no integer", count.defined() ? to_string(count) : "");
  return convert(count, Type::Int64);
}

void check_condition(const Expr& condition) {
  internal_check(condition.defined() && condition.type() == scalar_type(Type::Bool), "the condition `{}` is no bool",
                 condition.defined() ? to_string(condition) : "");
}

bool is_value(const IrType& type) { return type.is_scalar() || type.is_ref(); }

bool accepts(StoreOp op, const IrType& type) {
  switch (op) {
    case StoreOp::Set: return is_value(type);
    case StoreOp::Add: return type.is_scalar();
    case StoreOp::Min:
    case StoreOp::Max: return type.is_scalar() && !is_complex(type.scalar);
    case StoreOp::Or: return type.is_scalar() && is_integer(type.scalar);
  }
  return false;
}

Stmt store_to(const Var& array, const Expr& index, std::optional<Member> member, const Expr& value, StoreOp op) {
  const IrType type = accessed_type(array, index, member);
  internal_check(accepts(op, type), "elements of {} cannot be updated so", array.name());
  Expr stored = fitted(value, type, array.name());
  return make_stmt(Store{array, index, std::move(member), op, std::move(stored), false});
}

void check_range(const Var& array, const Expr& low, const Expr& high) {
  check_memory(array, "a range");
  const bool positions = low.defined() && high.defined() && low.type().is_scalar() && high.type().is_scalar() &&
                         is_integer(low.scalar()) && is_integer(high.scalar());
  internal_check(positions, "a range of {} needs two positions", array.name());
}

void check_place(const Var& shelf, const Expr& index, const Var& array) {
  internal_check(shelf.type().is_shelf(), "{} is no shelf", shelf.name());
  internal_check(array.type() == kept_type(shelf.type()), "{} is no array that the shelf {} can keep", array.name(),
                 shelf.name());
  const bool is_position =
      index.defined() && index.type().is_scalar() && is_integer(index.scalar()) && index.scalar() != Type::Bool;
  internal_check(is_position, "`{}` is no place of {}", index.defined() ? to_string(index) : "", shelf.name());
}

void check_hints(const Var& var, const LoopOptions& options) {
  // Compilers take an unroll count of 16 bits.
  internal_check(options.unroll >= 0 && options.unroll < 65535, "the loop over {} is unrolled {} times", var.name(),
                 options.unroll);
  internal_check(options.unroll == 0 || options.mode == LoopMode::Serial,
                 "the loop over {} is unrolled and is not serial", var.name());
  internal_check(options.grain >= 0, "the grain of the loop over {} is {}", var.name(), options.grain);
  internal_check(options.grain == 0 || options.mode == LoopMode::Parallel,
                 "the loop over {} has a grain and is not parallel", var.name());
}

}  // namespace

Stmt declare(const Var& var, const Expr& init) {
  internal_check(is_value(var.type()), "{} is no scalar and cannot be declared with a value", var.name());
  return make_stmt(Declare{var, fitted(init, var.type(), var.name())});
}

Stmt declare(const Var& var) {
  internal_check(is_value(var.type()), "{} is no scalar", var.name());
  return make_stmt(Declare{var, Expr()});
}

Stmt declare_array(const Var& array) {
  check_memory(array, "the declaration");
  return make_stmt(Declare{array, Expr()});
}

Stmt declare_local(const Var& array, std::int64_t size) {
  check_memory(array, "the declaration");
  internal_check(!array.type().is_shelf(), "{} is a shelf and has no local elements", array.name());
  internal_check(size > 0 && size <= max_local_size, "{} has {} local elements", array.name(), size);
  return make_stmt(Declare{array, Expr(), size});
}

Stmt assign(const Var& var, const Expr& value) {
  internal_check(is_value(var.type()), "{} is no scalar and cannot be assigned", var.name());
  return make_stmt(Assign{var, fitted(value, var.type(), var.name())});
}

Stmt increment(const Var& var) { return assign(var, Expr(var) + 1); }

Stmt store(const Var& array, const Expr& index, const Expr& value, StoreOp op) {
  return store_to(array, index, std::nullopt, value, op);
}

Stmt store(const Var& arena, const Expr& index, Member member, const Expr& value, StoreOp op) {
  return store_to(arena, index, std::move(member), value, op);
}

Stmt atomic(const Stmt& store) {
  internal_check(store && std::holds_alternative<Store>(store->kind), "only a store can be atomic");
  Store copy = std::get<Store>(store->kind);
  copy.atomic = true;
  return make_stmt(std::move(copy));
}

Stmt stream(const Stmt& store, const Expr& past_caches) {
  internal_check(store && std::holds_alternative<Store>(store->kind), "only a store can go past the caches");
  check_condition(past_caches);
  Store copy = std::get<Store>(store->kind);
  copy.past_caches = past_caches;
  return make_stmt(std::move(copy));
}

Stmt if_then(const Expr& condition, Stmt then_branch, Stmt else_branch) {
  check_condition(condition);
  if (is_true(condition)) return then_branch ? then_branch : block({});
  if (is_false(condition)) return else_branch ? else_branch : block({});
  return make_stmt(If{condition, then_branch ? std::move(then_branch) : block({}), std::move(else_branch)});
}

Stmt for_loop(const Var& var, const Expr& low, const Expr& high, Stmt body, LoopMode mode,
              std::vector<Reduction> reductions) {
  return for_loop_by(var, low, high, 1, std::move(body), mode, std::move(reductions));
}

Stmt for_loop_by(const Var& var, const Expr& low, const Expr& high, std::int64_t step, Stmt body, LoopMode mode,
                 std::vector<Reduction> reductions) {
  return for_loop(var, low, high, std::move(body),
                  LoopOptions{.mode = mode, .reductions = std::move(reductions), .step = step});
}

Stmt for_loop(const Var& var, const Expr& low, const Expr& high, Stmt body, LoopOptions options) {
  internal_check(var.type().is_scalar() && is_integer(var.type().scalar) && var.type().scalar != Type::Bool,
                 "the loop variable {} is no integer", var.name());
  internal_check(options.step > 0, "the step of the loop over {} is {}", var.name(), options.step);
  internal_check(options.mode == LoopMode::Parallel || (!options.setup && !options.teardown && options.sums.empty()),
                 "the loop over {} has a setup, a teardown or sums and is not parallel", var.name());
  for (const OwnSum& each : options.sums)
    internal_check(each.own.type().kind == IrType::Kind::Array && each.own.type() == each.total.type(),
                   "{} is no array that can be added to {}", each.own.name(), each.total.name());
  check_hints(var, options);
  for (const Reduction& each : options.reductions) {
    internal_check(each.op != StoreOp::Set && accepts(each.op, each.var.type()), "{} cannot be reduced so",
                   each.var.name());
  }
  Expr from = fitted(low, var.type(), var.name());
  Expr to = fitted(high, var.type(), var.name());
  For loop{var, std::move(from), std::move(to), options.step, body ? std::move(body) : block({}), options.mode};
  loop.reductions = std::move(options.reductions);
  loop.setup = std::move(options.setup);
  loop.teardown = std::move(options.teardown);
  loop.sums = std::move(options.sums);
  loop.unroll = options.unroll;
  loop.grain = options.grain;
  loop.unit = options.unit;
  return make_stmt(std::move(loop));
}

Stmt while_loop(const Expr& condition, Stmt body) {
  check_condition(condition);
  return make_stmt(While{condition, body ? std::move(body) : block({})});
}

Stmt block(std::vector<Stmt> statements) {
  std::vector<Stmt> flat;
  flat.reserve(statements.size());
  for (Stmt& each : statements) {
    if (!each) continue;
    if (const auto* inner = std::get_if<Block>(&each->kind)) {
      flat.insert(flat.end(), inner->statements.begin(), inner->statements.end());
    } else {
      flat.push_back(std::move(each));
    }
  }
  if (flat.size() == 1) return flat.front();
  return make_stmt(Block{std::move(flat)});
}

Stmt comment(std::string text) {
  // The text may hold what a user wrote; one line is all that a comment can be.
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }, ' ');
  return make_stmt(Comment{std::move(text)});
}

Stmt allocate(const Var& array, const Expr& count, bool zeroed) {
  check_memory(array, "an allocation");
  internal_check(zeroed || !array.type().is_shelf(), "the shelf {} would not be empty: allocate it zeroed",
                 array.name());
  return make_stmt(Allocate{array, count_of(count), zeroed});
}

Stmt resize(const Var& array, const Expr& count) {
  check_memory(array, "a change of size");
  internal_check(!array.type().is_shelf(), "the shelf {} cannot be resized", array.name());
  return make_stmt(Resize{array, count_of(count)});
}

Stmt release(const Var& array) {
  check_memory(array, "a release");
  return make_stmt(Release{array});
}

Stmt keep(const Var& shelf, const Expr& index, const Var& array) {
  check_place(shelf, index, array);
  return make_stmt(Keep{shelf, index, array});
}

Stmt take(const Var& array, const Var& shelf, const Expr& index) {
  check_place(shelf, index, array);
  return make_stmt(Take{array, shelf, index});
}

Stmt sort(const Var& array, const Expr& low, const Expr& high) {
  check_range(array, low, high);
  internal_check(array.type().kind == IrType::Kind::Array && !array.type().record && is_integer(array.type().scalar),
                 "{} does not hold integers and cannot be sorted", array.name());
  return make_stmt(Sort{array, low, high, std::nullopt, {}});
}

Stmt sort_marked(const Var& array, const Expr& count, const Var& marks, const Expr& places) {
  const Sort all = std::get<Sort>(sort(array, Expr(0), count)->kind);
  check_range(marks, Expr(0), places);
  internal_check(marks.type() == array_type(Type::UInt8), "{} does not hold marks", marks.name());
  return make_stmt(Sort{all.array, all.low, all.high, marks, places});
}

Stmt fill(const Var& array, const Expr& low, const Expr& high, const Expr& value) {
  check_range(array, low, high);
  internal_check(array.type().kind == IrType::Kind::Array, "{} holds records and cannot be filled", array.name());
  return make_stmt(Fill{array, low, high, fitted(value, element_type(array.type()), array.name())});
}

Stmt matrix_product(const MatrixProduct& product) {
  const IrType& type = product.target.array.type();
  const bool floats = type == array_type(Type::Float64) || type == array_type(Type::Float32);
  internal_check(floats, "{} is no array of floating-point numbers", product.target.array.name());
  internal_check(!product.target.transposed, "a product is stored transposed");
  internal_check(product.right.has_value() == (product.routine != Routine::Axpy), "one matrix is multiplied, or three");
  const bool only_adds = product.routine == Routine::Ger || product.routine == Routine::Axpy;
  internal_check(product.adds || !only_adds, "{} is stored by what can only add to it", product.target.array.name());
  internal_check(!only_adds || is_constant(product.inner, 1), "what only adds has a sum");
  internal_check(is_constant(product.columns, 1) || product.routine == Routine::Gemm || product.routine == Routine::Ger,
                 "a vector has columns");
  internal_check(!product.scalar.defined() || product.scalar.type() == element_type(type), "a scalar has another type");
  std::vector<Expr> numbers{product.rows, product.columns, product.inner};
  for (const Matrix& m : matrices(product)) {
    internal_check(m.array.type() == type, "matrices of different types are multiplied");
    numbers.insert(numbers.end(), {m.first, m.stride});
  }
  for (const Expr& e : numbers)
    internal_check(e.defined() && e.type() == scalar_type(Type::Int64), "a matrix's size or place is no Int64");
  return make_stmt(MatrixProduct(product));
}

Stmt prefetch(const Var& array, const Expr& index) {
  internal_check(array.type().kind == IrType::Kind::Array, "{} is no array and cannot be fetched", array.name());
  internal_check(index.defined() && is_value(index.type()) && is_integer(index.scalar()), "{} is indexed by no integer",
                 array.name());
  return make_stmt(Prefetch{array, index});
}

Stmt launch(Launch node) {
  internal_check(node.threads > 0 && node.blocks.type() == int64_type, "the launch {} has no threads", node.name);
  node.captured = captured_by(node);
  return make_stmt(std::move(node));
}

namespace {

bool is_power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

}  // namespace

Stmt exchange(const Exchange& node) {
  internal_check(node.var.type().is_scalar() && node.var.type() == node.value.type(), "{} becomes {}, of another type",
                 node.var.name(), node.value.name());
  internal_check(is_power_of_two(node.offset) && is_power_of_two(node.group) && node.offset < node.group,
                 "{} is exchanged between threads that are {} apart, in groups of {}", node.value.name(), node.offset,
                 node.group);
  return make_stmt(Exchange(node));
}

Stmt barrier(std::int64_t group) {
  internal_check(is_power_of_two(group), "{} threads wait for each other", group);
  return make_stmt(Barrier{group});
}

Stmt read_back(const Var& var, const Var& array, const Expr& index) {
  internal_check(array.type().kind == IrType::Kind::Array && element_type(array.type()) == var.type(),
                 "{} is no element of {}", var.name(), array.name());
  return make_stmt(ReadBack{var, array, convert(index, Type::Int64)});
}

Stmt evaluate(const Expr& call) {
  internal_check(call.defined() && std::holds_alternative<Invoke>(call.node().kind), "only a call can be a statement");
  return make_stmt(Evaluate{call});
}

Stmt return_value(const Expr& value) {
  internal_check(value.defined() && is_value(value.type()), "a return needs a scalar or a reference");
  return make_stmt(Return{value});
}

Stmt return_void() { return make_stmt(Return{}); }
Stmt break_loop() { return make_stmt(Break{}); }

}  // namespace lacuna::loop
