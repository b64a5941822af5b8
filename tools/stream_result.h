#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/dynamic/update/batch_change.h"
#include "lacuna/dynamic/update/incremental_result.h"
#include "lacuna/engine/engine.h"
#include "tools/update_batch.h"

namespace lacuna::tool {

/// How a result keeps up with updates.
struct KeepingUp {
  bool incremental = false;     // by what each batch changes; else by evaluating in full
  std::int64_t full_every = 0;  // incremental: in full after so many batches; 0: never
  bool check = false;           // incremental: compared with an evaluation in full after each batch
};

/// A statement's result after each batch of updates of one operand.
class StreamedResult {
 public:
  /// Compiles, and evaluates the statement as it is before the first batch. The engine must outlive this. Throws Error
  /// where the statement is refused, or cannot be kept up incrementally.
  StreamedResult(Engine& engine, const Request& request, const std::string& updated, const KeepingUp& how,
                 std::int64_t batch, const Options& options);

  double compile_ms() const;
  std::vector<std::string> notes() const;
  /// The statement that changes are computed by; null where there is none.
  const Statement* change() const { return incremental_ ? &incremental_->statement() : nullptr; }

  /// To be told before and after each batch.
  void before(const UpdatedTensor& tensor, const UpdateBatch& batch);
  void after(const UpdatedTensor& tensor);
  /// Evaluates in full where this was asked for after so many batches. Throws RuntimeFailure where a comparison was
  /// asked for and fails.
  void check(const UpdatedTensor& tensor, int batch);
  /// The result; not to be kept until the next batch.
  const Storage& now();

 private:
  Engine& engine_;
  KeepingUp how_;
  Options options_;
  std::string updated_;
  std::map<std::string, Storage> operands_;
  Request request_;  // without operands
  Prepared full_;
  std::unique_ptr<IncrementalResult> incremental_;
  std::optional<BatchChange> change_;
  Storage result_;
};

}  // namespace lacuna::tool
