#include "tools/verify.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "lacuna/notation/check.h"
#include "lacuna/reference/evaluate.h"

namespace lacuna::tool {
namespace {

double largest(const Storage& tensor) {
  double result = 0;
  for_each(tensor, [&](std::span<const std::int64_t>, const Scalar& value) {
    const double size = std::abs(value.as<std::complex<double>>());
    if (std::isfinite(size)) result = std::max(result, size);
  });
  return result;
}

}  // namespace

CompareOptions tolerance_for(const Storage& expected) {
  CompareOptions options;
  const Type component = real_part_type(expected.type);
  if (!is_float(component)) {
    options.relative = 0;
    return options;
  }
  options.relative = component == Type::Float32 ? 1e-4 : 1e-9;
  options.absolute = options.relative * largest(expected);
  return options;
}

namespace {

void verify_statement(const Statement& statement, const std::map<std::string, std::int64_t>& sizes,
                      const Request& request, const Storage& result) {
  FactsByName facts;
  for (const auto& [name, storage] : request.operands) facts[name] = {storage.type, storage.dimensions};
  facts[statement.lhs.tensor.name()] = {result.type, result.dimensions};
  const auto dimensions = infer_dimensions(statement, facts, sizes);
  const ReferenceResult reference = evaluate_reference(statement, request.operands, result.type, dimensions);
  const Storage expected = to_storage(reference, result.format);
  if (const std::optional<std::string> found = difference(result, expected, tolerance_for(expected))) {
    throw InternalError(
        fmt::format("internal error: the kernel's result is not what the reference evaluator gives: {}", *found));
  }
}

}  // namespace

void verify_result(const Request& request, const Storage& result) {
  verify_statement(request.statement, request.sizes, request, result);
}

void verify_results(const Request& request, const std::vector<Storage>& results) {
  verify_result(request, results.front());
  for (std::size_t n = 0; n < request.further.size(); ++n)
    verify_statement(request.further[n].statement, request.further[n].sizes, request, results[n + 1]);
}

}  // namespace lacuna::tool
