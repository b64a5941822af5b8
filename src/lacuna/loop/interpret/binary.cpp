#include <type_traits>

#include <fmt/core.h>

#include "lacuna/loop/interpret/integer_math.h"
#include "lacuna/loop/interpret/machine.h"
#include "lacuna/loop/interpret/operators.h"
#include "lacuna/loop/passes.h"
#include "lacuna/support/error.h"

namespace lacuna::loop::interpreter {
namespace {

[[noreturn]] void fail_arithmetic(const Code& code, Machine& machine, Value a, Value b, const char* what) {
  machine.fail_with("`{}` {} (the operands are {} and {})", to_string(Expr(std::make_shared<ExprNode>(*code.source))),
                    what, to_scalar(a, code.type).to_string(), to_scalar(b, code.type).to_string());
}

template <BinaryOp op, typename T>
bool compare(T a, T b) {
  if constexpr (op == BinaryOp::Eq) return a == b;
  else if constexpr (op == BinaryOp::Ne) return a != b;
  else if constexpr (op == BinaryOp::Lt) return a < b;
  else if constexpr (op == BinaryOp::Le) return a <= b;
  else if constexpr (op == BinaryOp::Gt) return a > b;
  else return a >= b;
}

template <BinaryOp op, typename T>
T wrapping(T a, T b) {
  if constexpr (op == BinaryOp::Add) return wrapping_add(a, b);
  else if constexpr (op == BinaryOp::Sub) return wrapping_sub(a, b);
  else if constexpr (op == BinaryOp::Mul) return wrapping_mul(a, b);
  else if constexpr (op == BinaryOp::Div) return wrapping_div(a, b);
  else return wrapping_mod(a, b);
}

template <BinaryOp op, typename T>
bool fits(T a, T b) {
  if constexpr (op == BinaryOp::Add) return add_fits(a, b);
  else if constexpr (op == BinaryOp::Sub) return sub_fits(a, b);
  else if constexpr (op == BinaryOp::Mul) return mul_fits(a, b);
  else return div_fits(a, b);
}

/// Add to Mod on integers and floats.
template <BinaryOp op, typename T, bool wraps>
Value run_arithmetic(const Code& code, Machine& machine) {
  const Value left = code.a->run(*code.a, machine);
  const Value right = code.b->run(*code.b, machine);
  const T a = get<T>(left);
  const T b = get<T>(right);
  machine.operations += code.operations;
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (op == BinaryOp::Add) return put<T>(a + b);
    else if constexpr (op == BinaryOp::Sub) return put<T>(a - b);
    else if constexpr (op == BinaryOp::Mul) return put<T>(a * b);
    else return put<T>(a / b);
  } else {
    if constexpr (!wraps) {
      if constexpr (op == BinaryOp::Div || op == BinaryOp::Mod) {
        if (b == 0) fail_arithmetic(code, machine, left, right, "divides by zero");
      }
      if (!fits<op>(a, b)) fail_arithmetic(code, machine, left, right, "overflows");
    }
    return put<T>(wrapping<op>(a, b));
  }
}

template <BinaryOp op, typename T>
Value run_choice(const Code& code, Machine& machine) {
  const T a = get<T>(code.a->run(*code.a, machine));
  const T b = get<T>(code.b->run(*code.b, machine));
  machine.operations += code.operations;
  if constexpr (op == BinaryOp::Min) return put<T>(b < a ? b : a);
  else return put<T>(a < b ? b : a);
}

template <BinaryOp op, typename T>
Value run_comparison(const Code& code, Machine& machine) {
  const T a = get<T>(code.a->run(*code.a, machine));
  const T b = get<T>(code.b->run(*code.b, machine));
  return put<bool>(compare<op>(a, b));
}

/// On the bits of `Value::i`: sign- or zero-extension commutes with these, so no type is needed.
template <BinaryOp op>
Value run_bits(const Code& code, Machine& machine) {
  const std::int64_t a = code.a->run(*code.a, machine).i;
  const std::int64_t b = code.b->run(*code.b, machine).i;
  machine.operations += code.operations;
  if constexpr (op == BinaryOp::BitAnd) return put(a & b);
  else if constexpr (op == BinaryOp::BitOr) return put(a | b);
  else return put(a ^ b);
}

template <BinaryOp op, typename T, bool wraps>
Value run_shift(const Code& code, Machine& machine) {
  const Value left = code.a->run(*code.a, machine);
  const Value right = code.b->run(*code.b, machine);
  machine.operations += code.operations;
  const T a = get<T>(left);
  const T by = get<T>(right);
  if (by < T{0} || static_cast<std::uint64_t>(by) >= 8 * sizeof(T)) {
    fail_arithmetic(code, machine, left, right, "shifts by more bits than there are");
  }
  if constexpr (op == BinaryOp::ShiftRight) return put<T>(static_cast<T>(a >> by));
  const T shifted = static_cast<T>(static_cast<Wrapping<T>>(a) << static_cast<Wrapping<T>>(by));
  if constexpr (!wraps) {
    if (static_cast<T>(shifted >> by) != a) fail_arithmetic(code, machine, left, right, "overflows");
  }
  return put<T>(shifted);
}

Value run_and(const Code& code, Machine& machine) {
  if (code.a->run(*code.a, machine).i == 0) return put(false);
  return code.b->run(*code.b, machine);
}

Value run_or(const Code& code, Machine& machine) {
  if (code.a->run(*code.a, machine).i != 0) return put(true);
  return code.b->run(*code.b, machine);
}

/// Complex numbers, and Bool, whose arithmetic is done in Int32.
template <BinaryOp op>
Value run_by_scalars(const Code& code, Machine& machine) {
  const Scalar a = to_scalar(code.a->run(*code.a, machine), code.type);
  const Scalar b = to_scalar(code.b->run(*code.b, machine), code.type);
  machine.operations += code.operations;
  if constexpr (op == BinaryOp::Add) return from_scalar((a + b).convert(code.type));
  else if constexpr (op == BinaryOp::Sub) return from_scalar((a - b).convert(code.type));
  else if constexpr (op == BinaryOp::Mul) return from_scalar((a * b).convert(code.type));
  else return from_scalar((a / b).convert(code.type));
}

template <typename T>
inline constexpr bool is_number = !std::is_same_v<T, bool> && !is_complex_value<T>;

[[noreturn]] void refuse(Type type) {
  throw InternalError(fmt::format("internal error: the interpreter has no such operation on {}", type_name(type)));
}

template <BinaryOp op>
Code::Run arithmetic(Type type, bool wraps) {
  return visit_type(type, [&](auto tag) -> Code::Run {
    using T = decltype(tag);
    if constexpr (std::is_floating_point_v<T> && op == BinaryOp::Mod) refuse(type);
    else if constexpr (is_number<T>) return wraps ? run_arithmetic<op, T, true> : run_arithmetic<op, T, false>;
    else if constexpr (op == BinaryOp::Mod) refuse(type);
    else return run_by_scalars<op>;
  });
}

template <BinaryOp op>
Code::Run choice(Type type) {
  return visit_type(type, [&](auto tag) -> Code::Run {
    using T = decltype(tag);
    if constexpr (is_complex_value<T>) refuse(type);
    else return run_choice<op, T>;
  });
}

template <BinaryOp op>
Code::Run comparison(Type type) {
  return visit_type(type, [&](auto tag) -> Code::Run {
    using T = decltype(tag);
    if constexpr (is_complex_value<T> && op != BinaryOp::Eq && op != BinaryOp::Ne) refuse(type);
    else return run_comparison<op, T>;
  });
}

template <BinaryOp op>
Code::Run shift(Type type, bool wraps) {
  return visit_type(type, [&](auto tag) -> Code::Run {
    using T = decltype(tag);
    if constexpr (std::is_integral_v<T> && is_number<T>)
      return wraps ? run_shift<op, T, true> : run_shift<op, T, false>;
    else refuse(type);
  });
}

}  // namespace

Code::Run binary_operation(const Binary& node, Type type) {
  switch (node.op) {
    case BinaryOp::Add: return arithmetic<BinaryOp::Add>(type, node.wraps);
    case BinaryOp::Sub: return arithmetic<BinaryOp::Sub>(type, node.wraps);
    case BinaryOp::Mul: return arithmetic<BinaryOp::Mul>(type, node.wraps);
    case BinaryOp::Div: return arithmetic<BinaryOp::Div>(type, node.wraps);
    case BinaryOp::Mod: return arithmetic<BinaryOp::Mod>(type, node.wraps);
    case BinaryOp::Min: return choice<BinaryOp::Min>(type);
    case BinaryOp::Max: return choice<BinaryOp::Max>(type);
    case BinaryOp::And: return run_and;
    case BinaryOp::Or: return run_or;
    case BinaryOp::Eq: return comparison<BinaryOp::Eq>(type);
    case BinaryOp::Ne: return comparison<BinaryOp::Ne>(type);
    case BinaryOp::Lt: return comparison<BinaryOp::Lt>(type);
    case BinaryOp::Le: return comparison<BinaryOp::Le>(type);
    case BinaryOp::Gt: return comparison<BinaryOp::Gt>(type);
    case BinaryOp::Ge: return comparison<BinaryOp::Ge>(type);
    case BinaryOp::BitAnd: return run_bits<BinaryOp::BitAnd>;
    case BinaryOp::BitOr: return run_bits<BinaryOp::BitOr>;
    case BinaryOp::BitXor: return run_bits<BinaryOp::BitXor>;
    case BinaryOp::ShiftLeft: return shift<BinaryOp::ShiftLeft>(type, node.wraps);
    case BinaryOp::ShiftRight: return shift<BinaryOp::ShiftRight>(type, node.wraps);
  }
  refuse(type);
}

}  // namespace lacuna::loop::interpreter
