#pragma once

#include <initializer_list>

#include "lacuna/loop/ir.h"

/// Constructors of IR nodes. Each checks its invariants (operand types agree, conditions are Bool, members exist) and
/// throws InternalError.
namespace lacuna::loop {

// Expressions. Arithmetic operators build index arithmetic (wraps = false) on operands of one type; value_op builds
// wrapping arithmetic. An integer constant beside an operand of another integer type takes that type if it fits, so
// that `load(crd, p) + 1` needs no conversion.
Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator%(const Expr& a, const Expr& b);
Expr operator&&(const Expr& a, const Expr& b);  // true && x is x, and so on for constants
Expr operator||(const Expr& a, const Expr& b);
Expr operator!(const Expr& a);
Expr operator<(const Expr& a, const Expr& b);
Expr operator<=(const Expr& a, const Expr& b);
Expr operator>(const Expr& a, const Expr& b);
Expr operator>=(const Expr& a, const Expr& b);
Expr eq(const Expr& a, const Expr& b);
Expr ne(const Expr& a, const Expr& b);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
Expr bit_and(const Expr& a, const Expr& b);
Expr value_op(BinaryOp op, const Expr& a, const Expr& b);
Expr negate(const Expr& a);
Expr select(const Expr& condition, const Expr& if_true, const Expr& if_false);
Expr convert(const Expr& a, Type to);                                  // a itself when it has that type
Expr as_ref(const Expr& index, std::shared_ptr<const Record> record);  // the reference to arena[index]
Expr math(FunctionId function, std::vector<Expr> arguments);
Expr load(const Var& array, const Expr& index);
Expr load(const Var& arena, const Expr& index, Member member);
Expr invoke(const std::string& function, std::vector<Expr> arguments, IrType result);
Expr lower_bound(const Var& array, const Expr& low, const Expr& high, const Expr& key);  // of integers; any integer key
Expr lower_bound_near(const Var& array, const Expr& low, const Expr& high, const Expr& key);  // likely close to low
Expr dot(const Dot& product);
Expr constant(Type type, std::int64_t value);
Expr null_ref(std::shared_ptr<const Record> record);
Expr is_null(const Expr& ref);
bool is_constant(const Expr& e, std::int64_t value);
bool is_true(const Expr& e);
bool is_false(const Expr& e);

// Statements.
Stmt declare(const Var& var, const Expr& init);
Stmt declare_array(const Var& array);
/// An array or arena of `size` elements, at most max_local_size, all zero, which is never released.
Stmt declare_local(const Var& array, std::int64_t size);
constexpr std::int64_t max_local_size = 1024;
Stmt assign(const Var& var, const Expr& value);
Stmt increment(const Var& var);  // var = var + 1
Stmt declare(const Var& var);    // a scalar or reference that is assigned before it is read
Stmt store(const Var& array, const Expr& index, const Expr& value, StoreOp op = StoreOp::Set);
Stmt store(const Var& arena, const Expr& index, Member member, const Expr& value, StoreOp op = StoreOp::Set);
Stmt atomic(const Stmt& store);  // the same store, done so that parallel iterations may touch the element at once
/// The same store, after which nobody reads the element soon where the condition is true.
Stmt stream(const Stmt& store, const Expr& past_caches);
Stmt if_then(const Expr& condition, Stmt then_branch, Stmt else_branch = nullptr);  // folds constant conditions
Stmt for_loop(const Var& var, const Expr& low, const Expr& high, Stmt body, LoopMode mode = LoopMode::Serial,
              std::vector<Reduction> reductions = {});
/// What a loop has beyond its bounds and body: see For.
struct LoopOptions {
  LoopMode mode = LoopMode::Serial;
  std::vector<Reduction> reductions = {};
  std::int64_t step = 1;
  Stmt setup = nullptr;
  Stmt teardown = nullptr;
  std::vector<OwnSum> sums = {};
  int unroll = 0;
  std::int64_t grain = 0;
  DeviceUnit unit = DeviceUnit::Thread;
};
Stmt for_loop(const Var& var, const Expr& low, const Expr& high, Stmt body, LoopOptions options);
Stmt for_loop_by(const Var& var, const Expr& low, const Expr& high, std::int64_t step, Stmt body,
                 LoopMode mode = LoopMode::Serial, std::vector<Reduction> reductions = {});
Stmt while_loop(const Expr& condition, Stmt body);
Stmt block(std::vector<Stmt> statements);  // flattens nested blocks, drops nulls; one statement is itself
Stmt comment(std::string text);
Stmt allocate(const Var& array, const Expr& count, bool zeroed);
Stmt resize(const Var& array, const Expr& count);
Stmt release(const Var& array);
Stmt keep(const Var& shelf, const Expr& index, const Var& array);
Stmt take(const Var& array, const Var& shelf, const Expr& index);
Stmt sort(const Var& array, const Expr& low, const Expr& high);
/// Sorts the places of what is marked: array[0, count) are the indices of the elements of marks[0, places), bytes, that
/// are not zero.
Stmt sort_marked(const Var& array, const Expr& count, const Var& marks, const Expr& places);
Stmt fill(const Var& array, const Expr& low, const Expr& high, const Expr& value);
Stmt matrix_product(const MatrixProduct& product);
Stmt prefetch(const Var& array, const Expr& index);
/// Its captured variables are found in the body.
Stmt launch(Launch node);
Stmt exchange(const Exchange& node);
Stmt barrier(std::int64_t group);
Stmt read_back(const Var& var, const Var& array, const Expr& index);
Stmt evaluate(const Expr& call);
Stmt return_value(const Expr& value);
Stmt return_void();
Stmt break_loop();

}  // namespace lacuna::loop
