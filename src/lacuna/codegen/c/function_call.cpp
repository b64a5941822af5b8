#include <fmt/format.h>

#include "lacuna/codegen/c/expression.h"
#include "lacuna/support/check.h"

// What a call of a function of index notation is in C: an operator, a function of C's library, or one of the prelude.
// Each gives the value that lacuna::apply gives.
namespace lacuna {
namespace {

using F = FunctionId;
using loop::BinaryOp;

[[noreturn]] void no_such_case(FunctionId id, Type type) {
  throw InternalError(fmt::format("internal error: {} of {} cannot be printed", info(id).name, type_name(type)));
}

bool is_rounding(FunctionId id) {
  return id == F::Floor || id == F::Ceil || id == F::Round || id == F::Trunc || id == F::Rint;
}

}  // namespace

PrintedExpr ExpressionPrinter::prelude_call(std::string_view family, Type type,
                                            const std::vector<PrintedExpr>& arguments, Type result) {
  return {call_text(requirements_.prelude.use(family, type), arguments), Precedence::Postfix, result};
}

PrintedExpr ExpressionPrinter::library_call(std::string_view name, Type type,
                                            const std::vector<PrintedExpr>& arguments) {
  const std::string prefixed = fmt::format("{}{}", is_complex(type) ? "c" : "", name);
  return {call_text(requirements_.library(prefixed, type, type, arguments.size()), arguments), Precedence::Postfix,
          type};
}

/// Whether a value is not zero. A bool that was only promoted to be an argument is itself.
PrintedExpr ExpressionPrinter::truth(const loop::Expr& expr) {
  if (const auto* conversion = std::get_if<loop::Convert>(&expr.node().kind)) {
    if (conversion->operand.type() == loop::scalar_type(Type::Bool)) return print(conversion->operand);
  }
  return is_zero(BinaryOp::Ne, print(expr), expr.scalar());
}

PrintedExpr ExpressionPrinter::math(const loop::Math& node, Type result) {
  std::vector<PrintedExpr> a;
  for (const loop::Expr& each : node.arguments) a.push_back(print(each));
  const Type type = node.arguments.front().scalar();
  switch (node.function) {
    case F::Gt: return comparison(BinaryOp::Gt, a[0], a[1], type);
    case F::Lt: return comparison(BinaryOp::Lt, a[0], a[1], type);
    case F::Ge: return comparison(BinaryOp::Ge, a[0], a[1], type);
    case F::Le: return comparison(BinaryOp::Le, a[0], a[1], type);
    case F::Eq: return comparison(BinaryOp::Eq, a[0], a[1], type);
    case F::Ne: return comparison(BinaryOp::Ne, a[0], a[1], type);
    case F::Not: return is_zero(BinaryOp::Eq, a[0], type);
    case F::And: return infix(BinaryOp::And, truth(node.arguments[0]), truth(node.arguments[1]), Type::Int32);
    case F::Or: return infix(BinaryOp::Or, truth(node.arguments[0]), truth(node.arguments[1]), Type::Int32);
    case F::IsNan: return is_integer(type) ? constant(false) : prelude_call("is_nan", type, a, Type::Int32);
    case F::IsInf: return is_integer(type) ? constant(false) : prelude_call("is_inf", type, a, Type::Int32);
    case F::IsFinite: return is_integer(type) ? constant(true) : prelude_call("is_finite", type, a, Type::Int32);
    case F::Square:
      if (is_simple(a[0]) && !is_complex(type)) return arithmetic(BinaryOp::Mul, a[0], a[0], type);
      return prelude_call("square", type, a, result);
    case F::Cube: return prelude_call("cube", type, a, result);
    default: break;
  }
  return is_complex(type) ? complex_math(node.function, a, type) : real_math(node.function, node.arguments, a, type);
}

PrintedExpr ExpressionPrinter::real_math(FunctionId id, const std::vector<loop::Expr>& arguments,
                                         const std::vector<PrintedExpr>& a, Type type) {
  const bool integer = is_integer(type);
  if (integer && is_rounding(id)) return a[0];
  switch (id) {
    case F::Min: return minimum(a[0], a[1], type, false);
    case F::Max: return minimum(a[0], a[1], type, true);
    case F::Abs:
      if (is_unsigned_integer(type)) return a[0];
      return integer ? prelude_call("abs", type, a, type) : library_call("fabs", type, a);
    case F::Sign: return prelude_call("sign", type, a, type);
    case F::Heaviside: return prelude_call("heaviside", type, a, type);
    case F::Mod: {
      if (!integer) return library_call("fmod", type, a);
      return integer_division({BinaryOp::Mod, arguments[0], arguments[1], true}, a[0], a[1], type);
    }
    case F::Real:
    case F::Conj: return a[0];
    case F::Imag: return constant(Scalar::zero(type));
    case F::Arg: return library_call("atan2", type, {constant(Scalar::zero(type)), a[0]});
    case F::Norm:
      return is_simple(a[0]) ? arithmetic(BinaryOp::Mul, a[0], a[0], type) : prelude_call("square", type, a, type);
    default: break;
  }
  if (integer) no_such_case(id, type);
  return library_call(info(id).name, type, a);
}

PrintedExpr ExpressionPrinter::complex_math(FunctionId id, const std::vector<PrintedExpr>& a, Type type) {
  const Type part = real_part_type(type);
  if (has_pairs(type)) {
    if (id == F::Conj) return prelude_call("conj", type, a, type);
    if (id == F::Abs || id == F::Real || id == F::Imag || id == F::Arg)
      return prelude_call(info(id).name, type, a, part);
    if (id != F::Norm) user_error("a device has no {} of complex numbers yet: run this on processors", info(id).name);
  }
  switch (id) {
    case F::Abs:
    case F::Real:
    case F::Imag:
    case F::Arg: {
      const std::string function = requirements_.library(fmt::format("c{}", info(id).name), part, type, 1);
      return {call_text(function, a), Precedence::Postfix, part};
    }
    case F::Conj: return {call_text(requirements_.library("conj", type, type, 1), a), Precedence::Postfix, type};
    case F::Norm: return prelude_call("norm", type, a, part);
    case F::Sqrt:
    case F::Exp:
    case F::Log:
    case F::Sin:
    case F::Cos:
    case F::Tan:
    case F::Asin:
    case F::Acos:
    case F::Atan:
    case F::Sinh:
    case F::Cosh:
    case F::Tanh:
    case F::Asinh:
    case F::Acosh:
    case F::Atanh:
    case F::Pow: return library_call(info(id).name, type, a);
    default: no_such_case(id, type);
  }
}

}  // namespace lacuna
