#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/schedule/problem/problem.h"

namespace lacuna {

/// A dense row of the result that is added to in pieces short enough for registers.
struct RowPieces {
  std::string variable;            // that the row runs along
  std::int64_t size = 0;           // of a piece
  std::string outer, inner;        // what its loops are called
  std::vector<std::string> order;  // of all loops: those over pieces go outside those that sum
  std::string led_by;  // the loop whose coordinates lead to the rows, where these are worth asking for ahead
  int ahead = 0;       // how many of its turns
};

/// How to sum up rows of the result in registers: where the innermost loop runs along a row of a dense level, over
/// dense operands, and the loops right outside it sum. None where the loops are others.
std::optional<RowPieces> row_pieces(const Scheduled& bare, const ScheduleProblem& problem);

/// The same of terms that are added one after the other in the loops of the result that they share.
std::vector<RowPieces> row_pieces_of_terms(const Scheduled& bare, const ScheduleProblem& problem);

/// The same of the branches of a nest, each in loops of its own; rows of workspaces, too.
std::vector<RowPieces> row_pieces_of_branches(const Scheduled& branched, const ScheduleProblem& problem);

/// The same where the row is added to by the consumer of a split, in the loops that it shares with the producer; only
/// for rows that are one piece. `before`: the loops as they are before the split.
std::optional<RowPieces> row_pieces_around(const Scheduled& before, const ScheduleProblem& problem,
                                           const directive::LoopFuse& split);

/// How to sum up short rows of dense operands by vector lanes: where the innermost loop sums, and all of it is one
/// piece.
std::optional<RowPieces> short_sums(const Scheduled& bare, const ScheduleProblem& problem);

/// The same of the branches of a nest.
std::vector<RowPieces> short_sums_of_branches(const Scheduled& branched, const ScheduleProblem& problem);

/// The directives that add up a row in registers, piece by piece.
std::vector<DirectiveKind> in_registers(const RowPieces& pieces);
/// The same of several terms, each added in loops of its own; rows that run along one variable are cut once.
std::vector<DirectiveKind> in_registers(const std::vector<RowPieces>& terms);
/// The directives that sum a row by vector lanes.
std::vector<DirectiveKind> in_lanes(const RowPieces& pieces);

}  // namespace lacuna
