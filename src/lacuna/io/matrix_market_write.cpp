#include <vector>

#include <fmt/format.h>

#include "lacuna/io/matrix_market_header.h"
#include "lacuna/io/sorted_entries.h"
#include "lacuna/io/write.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

Field field_of(Type type) {
  if (is_complex(type)) return Field::Complex;
  return is_float(type) ? Field::Real : Field::Integer;
}

std::string_view field_name(Field field) {
  switch (field) {
    case Field::Real: return "real";
    case Field::Integer: return "integer";
    case Field::Complex: return "complex";
    case Field::Pattern: return "pattern";
  }
  throw InternalError("internal error: a Field outside its enumeration");
}

/// Whether a vector is written as a matrix of one column, which every reader of .mtx files knows.
bool is_column(int order, bool any_order) { return order == 1 && !any_order; }

}  // namespace

void check_matrix_market(const std::string& name, int order, bool any_order) {
  if (!any_order && order != 1 && order != 2) {
    user_error("cannot write {}: .mtx holds matrices and vectors, and this is a tensor of order {}; {}", name, order,
               order == 0 ? ".tns can hold it" : ".ttx and .tns can hold it");
  }
  if (order == 0) user_error("cannot write {}: .ttx holds tensors of order 1 and up; .tns can hold this one", name);
}

void begin_matrix_market(const PiecedTensor& tensor, bool any_order, TextWriter& out) {
  const Field field = field_of(tensor.type);
  out.print("%%MatrixMarket {} {} {} general\n", any_order ? "tensor" : "matrix",
            tensor.is_dense ? "array" : "coordinate", field_name(field));
  if (tensor.type != natural_type(field)) out.print("%%GraphBLAS type {}\n", graphblas_type_name(tensor.type));
  out.print("{}", fmt::join(tensor.dimensions, " "));
  if (is_column(static_cast<int>(tensor.dimensions.size()), any_order)) out.print(" 1");
  if (!tensor.is_dense) out.print(" {}", tensor.stored);
  out.print("\n");
}

void write_matrix_market(const CoordinateList& entries, std::int64_t first, bool any_order, TextWriter& out) {
  const std::vector<CoordinateColumn> columns(entries.coordinates.begin(), entries.coordinates.end());
  const char* const column = is_column(static_cast<int>(columns.size()), any_order) ? "1 " : "";
  visit_type(entries.values.type(), [&](auto tag) {
    using T = decltype(tag);
    const auto* values = static_cast<const T*>(entries.values.data());
    for (std::int64_t i = 0; i < entries.size(); ++i) {
      for (std::size_t m = 0; m < columns.size(); ++m) out.print("{} ", columns[m][i] + (m == 0 ? first : 0) + 1);
      out.print("{}", column);
      out.value(values[i]);
      out.print("\n");
    }
  });
}

void write_matrix_market_array(const Storage& tensor, TextWriter& out) {
  // An array file has the first index run fastest, as storage with the last mode outermost has.
  std::vector<int> last_mode_first;
  for (int mode = tensor.order(); mode-- > 0;) last_mode_first.push_back(mode);
  const Format file_order(dense_format(tensor.order()).levels(), LevelMap(last_mode_first));
  const Storage ordered = convert(tensor, file_order);
  visit_type(tensor.type, [&](auto tag) {
    for (const auto v : ordered.values.view<decltype(tag)>()) {
      out.value(static_cast<decltype(tag)>(v));
      out.print("\n");
    }
  });
}

}  // namespace lacuna
