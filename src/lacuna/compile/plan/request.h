#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/notation/expr.h"
#include "lacuna/schedule/language/schedule.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// A statement that a request's kernel computes beside the first.
struct FurtherStatement {
  Statement statement;
  std::optional<Format> result_format = {};  // as in Request
  std::optional<Type> result_type = {};
  std::map<std::string, std::int64_t> sizes = {};
};

/// Everything that determines one evaluation.
struct Request {
  Statement statement;
  std::map<std::string, Storage>
      operands;  // every tensor of the right side; the old result, too, for += or a result on the right
  std::optional<Format> result_format;        // none: inferred (semantics.md)
  std::optional<Type> result_type;            // none: the type that the right side is computed in
  std::map<std::string, std::int64_t> sizes;  // extents by variable name, for variables that no operand bounds
  Schedule schedule;                          // empty: everything is chosen automatically
  /// Computed by the same kernel from the same operands. Loops over variables of one name and extent are fused if they
  /// visit the same coordinates (concrete/join.h). The schedule is applied to each statement. None may read the result
  /// of another.
  std::vector<FurtherStatement> further = {};
};

/// Whether a tensor's arrays are a piece of larger ones: positions or coordinates do not begin at 0. Kernels are made
/// for those that are, or for those that are not.
bool is_piece(const Storage& tensor);

/// The format a result has when none is asked for (semantics.md, "Result formats that nobody declared"). A mode is
/// compressed when every term stores only some of its coordinates: its variable is bound at a level that is not full,
/// or sparse operands tie it to a mode before it, below which no operand stores it whole. Else the mode is dense.
Format infer_result_format(const Statement& s, const std::map<std::string, Format>& formats);

}  // namespace lacuna
