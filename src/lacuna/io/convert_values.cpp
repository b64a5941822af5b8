#include "lacuna/io/convert_values.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/support/check.h"
#include "lacuna/support/narrowing.h"
#include "lacuna/support/scalar.h"

namespace lacuna {
namespace {

template <typename To, typename From>
To convert_value(From value) {
  // Where C++'s conversion is the rule already, without the detour.
  if constexpr (std::is_arithmetic_v<From> && std::is_floating_point_v<To>) return static_cast<To>(value);
  else return Scalar(value).template as<To>();
}

[[noreturn]] void fail_value(const CoordinateList& entries, std::int64_t e, Narrowing lost, const WantedType& wanted,
                             const std::string& name) {
  std::vector<std::int64_t> at;
  for (const Array& column : entries.coordinates) at.push_back(column.integer(e) + 1);
  const Type type = entries.values.type();
  const auto* values = static_cast<const char*>(entries.values.data());
  user_error("{}: the value {} at ({}) {}; {}", name, Scalar::load(type, values + e * size_of(type)).to_string(),
             fmt::join(at, ","), describe_narrowing(lost, wanted.type), wanted.instead(type));
}

}  // namespace

Array convert_values(const CoordinateList& entries, const WantedType& wanted, const std::string& name,
                     const ReadContext& context) {
  const Array& values = entries.values;
  if (values.type() == wanted.type) return values;
  Array converted = Array::allocate(wanted.type, values.size(), false);
  constexpr std::size_t piece = std::size_t{1} << 16U;
  const auto size = static_cast<std::size_t>(values.size());
  visit_type(values.type(), [&](auto from) {
    visit_type(wanted.type, [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      const auto in = values.view<From>();
      auto* out = static_cast<To*>(converted.mutable_data());
      run_parallel(context.threads, (size + piece - 1) / piece, [&](std::size_t p) {
        const std::size_t end = std::min(size, (p + 1) * piece);
        for (std::size_t i = p * piece; i < end; ++i) {
          const From value = in[i];
          const Narrowing lost = narrowing_of<To>(value);
          if (lost != Narrowing::None) fail_value(entries, static_cast<std::int64_t>(i), lost, wanted, name);
          out[i] = convert_value<To>(value);
        }
      });
    });
  });
  return converted;
}

}  // namespace lacuna
