#include <vector>

#include "lacuna/io/write.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

constexpr int line_width = 80;
// Holds the longest double, -2.2250738585072014e-308, and a blank before it.
constexpr int real_width = 26;
// Holds the longest int64 and a blank before it.
constexpr int integer_width = 21;

/// Fields of one width, so many a line of 80 columns.
struct Fields {
  int width;
  std::int64_t per_line() const { return std::max(1, line_width / width); }
  std::int64_t lines(std::int64_t count) const { return (count + per_line() - 1) / per_line(); }
};

Fields integer_fields(std::int64_t largest) { return {static_cast<int>(fmt::formatted_size("{}", largest)) + 1}; }

/// The shortest digits of a double, with a point: Fortran would put one elsewhere into digits without.
std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  std::string text = fmt::format("{}", value);
  if (std::isinf(value) || text.find('.') != std::string::npos) return text;
  const std::size_t exponent = text.find('e');
  return text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
}

/// Writes numbers in fields and ends the last line.
class FieldWriter {
 public:
  FieldWriter(Fields fields, TextWriter& out) : fields_(fields), out_(out) {}
  ~FieldWriter() = default;
  template <typename T>
  void put(const T& number) {
    out_.print("{:>{}}", number, fields_.width);
    if (++on_line_ == fields_.per_line()) end_line();
  }
  void finish() {
    if (on_line_ != 0) end_line();
  }

 private:
  void end_line() {
    out_.print("\n");
    on_line_ = 0;
  }
  Fields fields_;
  TextWriter& out_;
  std::int64_t on_line_ = 0;
};

void write_integers(const Array& array, std::int64_t add, Fields fields, TextWriter& out) {
  FieldWriter writer(fields, out);
  for (std::int64_t i = 0; i < array.size(); ++i) writer.put(array.integer(array.base() + i) + add);
  writer.finish();
}

template <typename T>
void write_values(const std::string& name, std::span<const T> values, Fields fields, TextWriter& out) {
  FieldWriter writer(fields, out);
  for (const auto v : values) {
    if constexpr (is_complex_value<T>) {
      writer.put(real_text(static_cast<double>(v.real())));
      writer.put(real_text(static_cast<double>(v.imag())));
    } else if constexpr (std::is_floating_point_v<T>) {
      writer.put(real_text(static_cast<double>(v)));
    } else {
      if constexpr (std::is_same_v<T, std::uint64_t>) {
        if (v > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
          user_error("cannot write {}: the value {} exceeds int64, as which .rb files are read; .mtx can hold it", name,
                     v);
        }
      }
      writer.put(static_cast<std::int64_t>(v));
    }
  }
  writer.finish();
}

}  // namespace

void check_rutherford_boeing(const std::string& name, int order) {
  if (order == 2) return;
  user_error("cannot write {}: .rb holds matrices, and this is a tensor of order {}; {}", name, order,
             order == 0 ? ".tns can hold it" : ".ttx and .tns can hold it");
}

void write_rutherford_boeing(const std::string& name, const Storage& tensor, TextWriter& out) {
  const Storage matrix = convert(tensor, csc_format());
  const LevelStorage& level = matrix.levels[1];
  const bool integer = is_integer(tensor.type);
  const std::int64_t entries = matrix.values.size();
  const std::int64_t numbers = is_complex(tensor.type) ? 2 * entries : entries;
  const Fields pointer_fields = integer_fields(entries + 1);
  const Fields index_fields = integer_fields(tensor.dimensions[0]);
  const Fields value_fields{integer ? integer_width : real_width};
  const std::int64_t pointer_lines = pointer_fields.lines(level.pos.size());
  const std::int64_t index_lines = index_fields.lines(entries);
  const std::int64_t value_lines = value_fields.lines(numbers);

  out.print("{:<72}{:<8}\n", "Written by Lacuna", "lacuna");
  out.print("{:14} {:13} {:13} {:13}\n", pointer_lines + index_lines + value_lines, pointer_lines, index_lines,
            value_lines);
  out.print("{}{}a{:11} {:13} {:13} {:13} {:13}\n",
            integer                   ? 'i'
            : is_complex(tensor.type) ? 'c'
                                      : 'r',
            tensor.dimensions[0] == tensor.dimensions[1] ? 'u' : 'r', "", tensor.dimensions[0], tensor.dimensions[1],
            entries, 0);
  const auto integer_format = [](Fields fields) { return fmt::format("({}I{})", fields.per_line(), fields.width); };
  const std::string value_format =
      integer ? integer_format(value_fields) : fmt::format("({}E{}.16)", value_fields.per_line(), real_width);
  out.print("{:<16}{:<16}{:<20}\n", integer_format(pointer_fields), integer_format(index_fields), value_format);

  write_integers(level.pos, 1, pointer_fields, out);
  write_integers(level.crd, 1, index_fields, out);
  visit_type(tensor.type, [&](auto tag) {
    write_values<decltype(tag)>(name, matrix.values.view<decltype(tag)>(), value_fields, out);
  });
}

}  // namespace lacuna
