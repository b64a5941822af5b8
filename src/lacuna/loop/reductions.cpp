#include "lacuna/loop/reductions.h"

#include <limits>
#include <type_traits>

#include "lacuna/loop/build.h"
#include "lacuna/support/check.h"

namespace lacuna::loop {

Scalar identity(StoreOp op, Type type) {
  if (op == StoreOp::Add || op == StoreOp::Or) return Scalar(0).convert(type);
  internal_check(op != StoreOp::Set && !is_complex(type), "a reduction that only sets");
  const bool least = op == StoreOp::Max;
  return visit_type(type, [&](auto zero) -> Scalar {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) return Scalar(static_cast<T>(least ? -1 : 1) / T{0});
    else if constexpr (std::is_integral_v<T>)
      return Scalar(least ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
    else return Scalar(zero);
  });
}

Expr combined(StoreOp op, const Expr& a, const Expr& b) {
  const bool is_flag = a.scalar() == Type::Bool;
  switch (op) {
    case StoreOp::Add: return is_flag ? a || b : value_op(BinaryOp::Add, a, b);
    case StoreOp::Or: return is_flag ? a || b : value_op(BinaryOp::BitOr, a, b);
    case StoreOp::Min: return value_op(BinaryOp::Min, a, b);
    case StoreOp::Max: return value_op(BinaryOp::Max, a, b);
    case StoreOp::Set: break;
  }
  throw InternalError("internal error: a reduction that only sets");
}

}  // namespace lacuna::loop
