#include <array>

#include "lacuna/loop/interpret/integer_math.h"
#include "lacuna/loop/interpret/machine.h"
#include "lacuna/loop/interpret/operators.h"
#include "lacuna/loop/passes.h"
#include "lacuna/support/error.h"

namespace lacuna::loop::interpreter {
namespace {

template <typename T>
Value run_negate(const Code& code, Machine& machine) {
  const T a = get<T>(code.a->run(*code.a, machine));
  machine.operations += code.operations;
  if constexpr (std::is_integral_v<T>) return put<T>(wrapping_sub(T{0}, a));
  else return put<T>(-a);
}

Value run_not(const Code& code, Machine& machine) { return put(code.a->run(*code.a, machine).i == 0); }

// Conversions, each by Scalar::convert's rules. Those between integers and to floats are what kernels do most.

template <typename To>
Value integer_to_integer(const Code& code, Machine& machine) {
  return put<To>(static_cast<To>(code.a->run(*code.a, machine).i));
}

template <typename To>
Value checked_integer(const Code& code, Machine& machine) {
  const Value before = code.a->run(*code.a, machine);
  const Value after = put<To>(static_cast<To>(before.i));
  // The same bits with another sign are another number, too.
  if (before.i != after.i || (before.i < 0 && is_unsigned_integer(code.type) != std::is_unsigned_v<To>)) {
    machine.fail_with("`{}` is {} and does not fit {}", to_string(Expr(std::make_shared<ExprNode>(*code.a->source))),
                      to_scalar(before, code.type).to_string(), type_name(type_of<To>()));
  }
  return after;
}

template <typename From, typename To>
Value real_to_float(const Code& code, Machine& machine) {
  const Value value = code.a->run(*code.a, machine);
  return put<To>(static_cast<To>(get<From>(value)));
}

template <typename To>
Value by_scalars(const Code& code, Machine& machine) {
  const Scalar value = to_scalar(code.a->run(*code.a, machine), code.type);
  return put<To>(value.as<To>());
}

template <typename From, typename To>
Code::Run conversion_of(bool checked) {
  constexpr bool from_integer = std::is_integral_v<From>;
  if constexpr (from_integer && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
    return checked ? checked_integer<To> : integer_to_integer<To>;
  } else if constexpr (!is_complex_value<From> && std::is_floating_point_v<To>) {
    return real_to_float<From, To>;
  } else {
    return by_scalars<To>;
  }
}

Value run_reference(const Code& code, Machine& machine) {
  const Value index = code.a->run(*code.a, machine);
  if (static_cast<std::uint64_t>(index.i) >= null_ref_bits) {
    machine.fail_with("{} is no index that a reference can hold", to_scalar(index, code.type).to_string());
  }
  return index;
}

Value run_math(const Code& code, Machine& machine) {
  std::array<Scalar, max_arity> arguments;
  std::size_t count = 0;
  for (const Code* each : *code.arguments) arguments.at(count++) = to_scalar(each->run(*each, machine), code.type);
  machine.operations += code.operations;
  return from_scalar(lacuna::apply(code.function, std::span<const Scalar>(arguments).first(count)));
}

}  // namespace

Code::Run unary_operation(UnaryOp op, Type type) {
  if (op == UnaryOp::Not) return run_not;
  return visit_type(type, [](auto tag) -> Code::Run { return run_negate<decltype(tag)>; });
}

Code::Run conversion(Type from, Type to, bool checked) {
  return visit_type(from, [&](auto from_tag) {
    return visit_type(
        to, [&](auto to_tag) -> Code::Run { return conversion_of<decltype(from_tag), decltype(to_tag)>(checked); });
  });
}

Code::Run reference_conversion() { return run_reference; }
Code::Run math_operation() { return run_math; }

}  // namespace lacuna::loop::interpreter
