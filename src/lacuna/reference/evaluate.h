#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/notation/check.h"
#include "lacuna/notation/expr.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// A result entry by the definition. `structural`: some non-full level of an operand stored an entry that it was
/// computed from.
struct ReferenceEntry {
  Scalar value;
  bool structural = false;
};

/// The result of the definition: only entries that are not absent; values already converted to the result's type.
struct ReferenceResult {
  Type type = Type::Float64;
  std::vector<std::int64_t> dimensions;
  std::map<std::vector<std::int64_t>, ReferenceEntry> entries;
};

/// Executes docs/explanation/semantics.md over coordinate maps: slow and obviously right. `operands` holds every tensor
/// of the right side and, for `+=` or a result on the right, the result's old contents under its own name. `dimensions`
/// as infer_dimensions gives them.
ReferenceResult evaluate_reference(const Statement& s, const std::map<std::string, Storage>& operands, Type result_type,
                                   const std::map<IndexVar, std::int64_t>& dimensions);

/// What a tensor of `format` stores of the result: full formats hold zeros where nothing is; others hold an entry when
/// it is structural or not zero.
Storage to_storage(const ReferenceResult& result, const Format& format);

}  // namespace lacuna
