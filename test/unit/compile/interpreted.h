#pragma once

#include "support/reference_check.h"
#include "unit/reference/evaluate_text.h"

/// What the tests of the engine share.
namespace lacuna {

inline Options interpreted() {
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  return options;
}

inline Request request_for(const std::string& text, const Operands& operands, const std::string& result_format = {}) {
  Request request;
  request.statement = parse_statement(text);
  request.operands = operands;
  if (!result_format.empty()) request.result_format = parse_format(result_format, request.statement.lhs.tensor.order());
  return request;
}

/// Runs the request in the interpreter; how the result differs from the definition, empty when it does not.
inline std::string run_and_compare(const Request& request, Storage* result = nullptr) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  const Storage got = engine.run(request, interpreted());
  if (result != nullptr) *result = got;
  return wrong(request, got, 0).value_or("");
}

}  // namespace lacuna
