#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/dynamic/update/updated_tensor.h"
#include "lacuna/notation/linear.h"

namespace lacuna {

/// The result of a statement that is linear in one operand (notation/linear.h), kept up to date by adding what the
/// operand's changes make of it: work for what changed and what that meets, not for all that is stored. What was read
/// of the result stays as it was.
///
/// The result's entries are those of any time: one whose operands went stays, as a stored zero, or as what rounding
/// left.
class IncrementalResult {
 public:
  /// Evaluates the statement, and prepares the kernel for changes of about `batch` entries of `operand`. The engine
  /// must outlive this. Throws Error where the statement is not linear in the operand, and where the result is stored
  /// so that its entries do not change in place.
  IncrementalResult(Compiler& engine, Request request, const std::string& operand, const Options& options = {},
                    std::int64_t batch = 1000);

  /// The type that changes of the operand are to have.
  Type change_type() const { return change_.type; }
  /// Adds what a change of the operand makes of the result: of change_type(), as BatchChange makes it.
  void add(const Storage& change);
  /// The result that all of the statement gives with these values of the operand, evaluated anew. The sum of changes is
  /// forgotten where `keep` says so.
  Storage evaluate(const Storage& operand, bool keep);

  /// The result as it is now.
  Storage result() const { return nodes_ ? nodes_->storage() : dense_; }
  /// The statement that changes are computed by, for people.
  const Statement& statement() const { return change_.statement; }
  /// How long compiling took, the lookup of entries included, and what is done unasked by both statements.
  double compile_ms() const;
  std::vector<std::string> notes() const;

 private:
  void check_result(const Format& format) const;
  Request change_request(const std::string& operand, std::int64_t batch) const;
  std::map<std::string, Format> orders_for_change(const Request& change) const;
  void keep(const Storage& result);

  Compiler& engine_;
  Options options_;
  Request request_;  // without the operand's entries
  std::string operand_;
  Prepared full_;
  LinearChange change_;
  std::map<std::string, Storage> operands_;  // of the change's statement
  Prepared part_;
  double compile_ms_ = 0;
  // One of the two.
  Storage dense_;
  std::unique_ptr<UpdatedTensor> nodes_;
  Storage difference_;  // what the last change made of the result: its memory serves the next
};

}  // namespace lacuna
