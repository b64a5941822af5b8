#include "tools/value_text.h"

#include <type_traits>

#include "lacuna/support/narrowing.h"

namespace lacuna::tool {
namespace {

template <typename T>
ParsedValue parse_real(std::string_view word) {
  T value{};
  const NumberFault fault = read_real(word, value);
  return {Scalar(value), fault};
}

template <typename T>
ParsedValue parse_integer(std::string_view word) {
  T value{};
  const NumberFault fault = read_integer(word, value);
  if (fault != NumberFault::NotAnInteger) return {Scalar(value), fault};
  const ParsedValue real = parse_real<double>(word);
  if (real.fault != NumberFault::None) return real;
  switch (narrowing_of(real.value, type_of<T>())) {
    case Narrowing::None: return {real.value.convert(type_of<T>()), NumberFault::None};
    case Narrowing::OutOfRange: return {Scalar(value), NumberFault::TooLarge};
    default: return {Scalar(value), NumberFault::NotAnInteger};
  }
}

}  // namespace

ParsedValue parse_value(std::string_view word, Type type) {
  if (type == Type::Bool || is_complex(type)) {
    const ParsedValue real = type == Type::Complex64 ? parse_real<float>(word) : parse_real<double>(word);
    return {real.value.convert(type), real.fault};
  }
  return visit_type(type, [&](auto tag) -> ParsedValue {
    using T = decltype(tag);
    if constexpr (std::is_floating_point_v<T>) return parse_real<T>(word);
    else if constexpr (std::is_integral_v<T>) return parse_integer<T>(word);
    else return {};  // complex, above
  });
}

}  // namespace lacuna::tool
