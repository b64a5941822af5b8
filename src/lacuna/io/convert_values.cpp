#include "lacuna/io/convert_values.h"

#include <algorithm>
#include <type_traits>

#include "lacuna/support/scalar.h"

namespace lacuna {
namespace {

template <typename To, typename From>
To convert_value(From value) {
  // Where C++'s conversion is the rule already, without the detour.
  if constexpr (std::is_arithmetic_v<From> && std::is_floating_point_v<To>) return static_cast<To>(value);
  else return Scalar(value).template as<To>();
}

}  // namespace

Array convert_values(const Array& values, Type type, const ReadContext& context) {
  if (values.type() == type) return values;
  Array converted = Array::allocate(type, values.size(), false);
  constexpr std::size_t piece = std::size_t{1} << 16U;
  const auto size = static_cast<std::size_t>(values.size());
  visit_type(values.type(), [&](auto from) {
    visit_type(type, [&](auto to) {
      using To = decltype(to);
      const auto in = values.view<decltype(from)>();
      auto* out = static_cast<To*>(converted.mutable_data());
      run_parallel(context.threads, (size + piece - 1) / piece, [&](std::size_t p) {
        const std::size_t end = std::min(size, (p + 1) * piece);
        for (std::size_t i = p * piece; i < end; ++i) out[i] = convert_value<To>(in[i]);
      });
    });
  });
  return converted;
}

}  // namespace lacuna
