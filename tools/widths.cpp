#include "tools/widths.h"

#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/support/check.h"
#include "lacuna/tensor/integers.h"
#include "tools/problem.h"

namespace lacuna::tool {
namespace {

const std::string example = "--widths A:int64,int32";

template <typename T>
bool fits(std::int64_t value) {
  if constexpr (sizeof(T) == sizeof(std::int64_t)) return std::is_signed_v<T> || value >= 0;
  else return value >= std::numeric_limits<T>::min() && value <= std::int64_t{std::numeric_limits<T>::max()};
}

Array with_type(const Array& array, Type type, const std::string& name) {
  if (array.empty() || array.type() == type) return array;
  return visit_integer_type(type, [&](auto sample) {
    using T = decltype(sample);
    const IntegerReader values(array);
    Array out = Array::allocate(type, array.size(), false);
    for (std::int64_t k = 0; k < array.size(); ++k) {
      const std::int64_t value = values[array.base() + k];
      if (!fits<T>(value))
        user_error("--widths: {} has a position or coordinate {}, which is no {}; take a wider type", name, value,
                   type_name(type));
      out.mutable_view<T>()[static_cast<std::size_t>(k)] = static_cast<T>(value);
    }
    return out;
  });
}

Type integer_type(const std::string& text, const NamedValue& named) {
  const std::optional<Type> type = parse_type(text);
  if (!type || !is_integer(*type) || *type == Type::Bool)
    user_error("--widths {}: '{}' is no integer type; write {}", named.text, text, example);
  return *type;
}

void set_widths(Storage& tensor, const NamedValue& named) {
  const std::size_t comma = named.value.find(',');
  if (comma == std::string::npos)
    user_error("--widths {}: two types are wanted, of positions and of coordinates; write {}", named.text, example);
  const Type pos = integer_type(named.value.substr(0, comma), named);
  const Type crd = integer_type(named.value.substr(comma + 1), named);
  for (LevelStorage& level : tensor.levels) {
    level.pos = with_type(level.pos, pos, named.name);
    level.crd = with_type(level.crd, crd, named.name);
  }
}

}  // namespace

void set_widths(std::map<std::string, Storage>& operands, const std::vector<std::string>& widths) {
  for (const std::string& text : widths) {
    const NamedValue named = split_named("--widths", text, ':', example);
    const auto found = operands.find(named.name);
    if (found == operands.end()) {
      std::vector<std::string> names;
      for (const auto& [name, tensor] : operands) names.push_back(name);
      user_error("--widths {}: {} is no operand of the statement; the operands are {}", text, named.name,
                 fmt::join(names, ", "));
    }
    set_widths(found->second, named);
  }
}

}  // namespace lacuna::tool
