#pragma once

#include "lacuna/engine/engine.h"
#include "lacuna/tensor/compare.h"

namespace lacuna::tool {

/// How far two evaluations of one statement may lie apart: nothing for integers, rounding for floats, relative to the
/// largest value of the result (sums may cancel).
CompareOptions tolerance_for(const Storage& expected);

/// Compares a result with what the reference evaluator computes from the request. Throws InternalError, naming the
/// first difference, when they disagree.
void verify_result(const Request& request, const Storage& result);
/// The same of all results of a request, in the order of its statements.
void verify_results(const Request& request, const std::vector<Storage>& results);

}  // namespace lacuna::tool
