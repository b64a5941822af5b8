#include <vector>

#include <fmt/ranges.h>

#include "lacuna/io/frostt_header.h"
#include "lacuna/io/sorted_entries.h"
#include "lacuna/io/write.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// The value as float64, as which a .tns file is read; throws Error where it would become another.
template <typename T>
double exact_double(const std::string& name, T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    const auto real = static_cast<double>(value);
    // Beyond 2^53 digits are lost; the comparison is made in a type that holds both sides.
    if (static_cast<long double>(real) != static_cast<long double>(value)) {
      user_error(
          "cannot write {}: the value {} is not exact in float64, as which .tns files are read; .ttx can hold it", name,
          value);
    }
    return real;
  } else {
    return static_cast<double>(value);
  }
}

template <typename T>
void write_value(const std::string& name, T value, TextWriter& out) {
  if constexpr (std::is_floating_point_v<T>) {
    out.value(static_cast<double>(value));  // the digits of a float would read back as another double
  } else {
    static_cast<void>(exact_double(name, value));
    out.value(value);
  }
}

}  // namespace

void check_frostt(const std::string& name, int order, Type type) {
  if (is_complex(type)) {
    user_error("cannot write {}: .tns holds real values; {} can hold {} ones", name,
               order == 2 ? ".mtx and .ttx" : ".ttx", type_name(type));
  }
}

void begin_frostt(const PiecedTensor& tensor, TextWriter& out) {
  if (tensor.stored == 0) out.print("{} {}\n", sizes_comment, fmt::join(tensor.dimensions, " "));
}

void write_frostt(const std::string& name, const CoordinateList& entries, std::int64_t first, TextWriter& out) {
  const std::vector<CoordinateColumn> columns(entries.coordinates.begin(), entries.coordinates.end());
  visit_type(entries.values.type(), [&](auto tag) {
    using T = decltype(tag);
    if constexpr (!is_complex_value<T>) {
      const auto* values = static_cast<const T*>(entries.values.data());
      for (std::int64_t i = 0; i < entries.size(); ++i) {
        for (std::size_t m = 0; m < columns.size(); ++m) out.print("{} ", columns[m][i] + (m == 0 ? first : 0) + 1);
        write_value(name, values[i], out);
        out.print("\n");
      }
    }
  });
}

}  // namespace lacuna
