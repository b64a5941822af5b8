#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <string>

#include "lacuna/engine/engine.h"
#include "lacuna/reference/evaluate.h"
#include "lacuna/tensor/compare.h"

/// What tests that compile whole statements share: results are judged by the reference evaluator.
namespace lacuna {

/// What a request must give, by the definition.
inline ReferenceResult reference_result(const Request& request, Type type) {
  FactsByName facts;
  for (const auto& [name, t] : request.operands) facts[name] = {t.type, t.dimensions};
  const Statement& s = request.statement;
  return evaluate_reference(s, request.operands, type, infer_dimensions(s, facts, request.sizes));
}

/// How a result differs from what the definition gives, values and pattern; nothing when it does not. Sums in another
/// order differ by the rounding of their addends, so values may differ by `relative` of the largest one.
inline std::optional<std::string> wrong(const Request& request, const Storage& result, double relative = 1e-9) {
  const ReferenceResult expected = reference_result(request, result.type);
  CompareOptions options;
  options.relative = relative;
  options.same_pattern = true;
  if (is_float(result.type) || is_complex(result.type)) {
    for (const auto& [coordinate, entry] : expected.entries) {
      const double size = std::abs(entry.value.convert(Type::Complex128).as<std::complex<double>>());
      if (std::isfinite(size)) options.absolute = std::max(options.absolute, relative * size);
    }
  }
  return difference(result, to_storage(expected, result.format), options);
}

}  // namespace lacuna
