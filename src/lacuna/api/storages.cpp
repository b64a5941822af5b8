#include "lacuna/api/storages.h"

#include "lacuna/api/engine_of.h"
#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/io/io.h"
#include "lacuna/support/check.h"
#include "lacuna/support/narrowing.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {

Storage in_format(const Storage& tensor, const Format& format) { return stored_as(default_engine(), tensor, format); }

Scalar fitting(const Scalar& value, Type type) {
  const Narrowing lost = narrowing_of(value, type);
  if (lost != Narrowing::None) user_error("the value {} {}", value.to_string(), describe_narrowing(lost, type));
  return value;
}

Storage in_type(const Storage& tensor, Type type) {
  if (type == tensor.type || !tensor.format.has_nodes()) return convert_type(tensor, type);
  return in_format(convert_type(convert(tensor, array_format_of(tensor.format)), type), tensor.format);
}

Storage with_own_arrays(Storage tensor) {
  for (LevelStorage& level : tensor.levels)
    for (Array* array : {&level.pos, &level.crd, &level.present}) *array = array->copy();
  tensor.values = tensor.values.copy();
  return tensor;
}

Storage built(const CoordinateList& entries, const Format& format, const BuildOptions& options) {
  if (!format.has_nodes()) return build(entries, format, options);
  return in_format(build(entries, array_format_of(format), options), format);
}

Storage stored_from(const FileContents& contents, const Format& format) {
  BuildOptions options;
  options.drop_zeros = contents.array && !format.is_dense();
  return built(contents.entries, format, options);
}

Storage read_in_format(const std::string& path, const std::optional<Format>& format, Type type) {
  ReadOptions options;
  options.type = type;
  const FileContents contents = read_file(path, options);
  return stored_from(contents, format.value_or(contents.natural));
}

bool is_equal(const Storage& a, const Storage& b, double tolerance) {
  if (a.dimensions != b.dimensions) return false;
  CompareOptions options;
  options.relative = tolerance;
  return !difference(a, b, options).has_value();
}

}  // namespace lacuna
