#pragma once

#include <string>
#include <vector>

#include "fuzz/statement/draw.h"
#include "lacuna/dynamic/kernels/update.h"

namespace lacuna::fuzz {

/// One thing that is done to a tensor that changes, or with it.
struct Step {
  enum class Kind : std::uint8_t {
    Single,    // the updates one by one
    Batch,     // all at once
    Snapshot,  // what the tensor is now is kept, and must stay so
    Evaluate,  // the statement is evaluated, and compared with the definition
  };
  Kind kind = Kind::Evaluate;
  UpdateOperation operation = UpdateOperation::Add;
  std::vector<Entry> updates;
};

/// A statement, and what happens to one of its operands.
struct History {
  Problem problem;
  std::string updated;  // the operand; its entries in `problem` are those of the beginning
  std::vector<Step> steps;

  const Operand& operand() const { return problem.operands.at(updated); }
  Operand& operand() { return problem.operands.at(updated); }
};

/// The format of a result that follows the operand: the one asked for, if entries change in place in it, else dense.
Format format_that_follows(const Problem& problem);

/// Draws a statement, an operand of it whose format has dynamic levels, and a history.
History draw_history(Random& random, Rejections& rejections);

/// Makes a history smaller, step by step, as long as `fails` says that it still fails. `fails` is asked at most
/// `budget` times.
History shrink(History history, const std::function<bool(const History&)>& fails, int budget);

/// The whole history as text.
std::string describe(const History& history);

/// Writes the operands and the updates as files under `folder` (made if need be), and returns the `lacuna stream` line
/// that makes the updates, evaluates after each (or, `incremental`, adds what it changes), and verifies. What it cannot
/// say (batches, snapshots) is lost.
std::string command_line(const History& history, const std::string& folder, bool interpret, bool incremental);

}  // namespace lacuna::fuzz
