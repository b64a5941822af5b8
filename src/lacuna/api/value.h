#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/api/default_engine.h"
#include "lacuna/distribute/execute/execute.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

class Value;
using ValuePtr = std::shared_ptr<Value>;

/// What a tensor holds: entries, or a statement that will compute them when they are first asked for. Its meaning never
/// changes, so tensors and assignments share it freely. Thread-safe.
class Value {
 public:
  explicit Value(Storage storage);
  /// A statement over other values. `result` says what it will hold: type, dimensions, format.
  /// `placed`: where tensors of the statement lie, by name.
  Value(Statement statement, std::map<std::string, ValuePtr> operands, Storage result,
        std::map<std::string, Distribution> placed = {});

  Type type() const { return type_; }
  const std::vector<std::int64_t>& dimensions() const { return dimensions_; }
  const Format& format() const { return format_; }

  /// The entries, computed now unless they already were. Throws what the evaluation throws; then it may be tried again.
  const Storage& storage();
  /// Computes the entries unless they already are there, and says what that took.
  Report evaluate(const EvaluateOptions& options);
  /// The same of several values by one kernel; those whose entries are there are left out.
  static Report evaluate_together(std::vector<ValuePtr> values, const EvaluateOptions& options);
  /// The evaluation that is still to be made, and by which names it reads `of`. None once the entries are there.
  struct Reading {
    Request request;
    std::vector<std::string> names;
  };
  std::optional<Reading> reading(const Value& of, const EvaluateOptions& options);
  /// Every stage of the compilation, as `lacuna show` prints it. Throws Error once the entries are computed.
  std::string explain(const EvaluateOptions& options);
  /// The C text of the kernel that computes, or computed, the entries. Throws Error when no statement is behind them.
  std::string c_code(const EvaluateOptions& options);

 private:
  struct Pending {
    Statement statement;
    std::map<std::string, ValuePtr> operands;
    std::map<std::string, Distribution> placed;
  };
  bool is_distributed(const EvaluateOptions& options) const;
  DistributedRequest on_machine(const EvaluateOptions& options) const;
  Request request(const EvaluateOptions& options) const;

  std::mutex mutex_;
  Type type_;
  std::vector<std::int64_t> dimensions_;
  Format format_;
  std::optional<Storage> storage_;
  std::optional<Pending> pending_;
  std::string c_code_;
};

}  // namespace lacuna
