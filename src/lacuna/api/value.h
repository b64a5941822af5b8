#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/api/engine_of.h"
#include "lacuna/compile/engine/numbers.h"
#include "lacuna/distribute/run/execute.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

class Value;
using ValuePtr = std::shared_ptr<Value>;

/// What evaluating a tensor's statement on a machine left for when the same statement is assigned to it again.
struct KeptOnMachine {
  std::mutex mutex;
  PreparedOnMachine prepared;
};

/// What a tensor holds: entries, or a statement that will compute them when they are first asked for. What was computed
/// on a machine, where the tensor is placed, stays there in parts: the next statement reads it so, and it is gathered
/// when somebody asks for the entries. Its meaning never changes, so tensors and assignments share it freely.
/// Thread-safe, as far as its ranks are.
class Value {
 public:
  explicit Value(Storage storage);
  /// What ranks hold in parts.
  Value(DistributedTensorPtr parts, Communicator& ranks);
  /// A statement over other values. `result` says what it will hold: type, dimensions, format.
  /// `placed`: where tensors of the statement lie, by name; `kept`: of an earlier value of the same tensor, if any.
  Value(Statement statement, std::map<std::string, ValuePtr> operands, Storage result,
        std::map<std::string, Distribution> placed = {}, std::shared_ptr<KeptOnMachine> kept = nullptr);
  ~Value();

  Type type() const { return type_; }
  const std::vector<std::int64_t>& dimensions() const { return dimensions_; }
  const Format& format() const { return format_; }

  /// The entries, computed now unless they already were, and gathered where ranks hold them in parts, which is
  /// collective. Throws what the evaluation throws; then it may be tried again. Throws Error where those who hold the
  /// parts are gone.
  const Storage& storage();
  /// How many entries there are, computed if need be. Nothing is gathered.
  std::int64_t stored();
  /// Computes the entries unless they already are there, and says what that took.
  Report evaluate(const EvaluateOptions& options);
  /// The same into a borrowed array (Array::borrow_to_write), which the entries are in then. Throws Error unless a
  /// statement of a dense result of as many values is behind them, whose entries are still to be computed, by this
  /// process.
  Report evaluate_into(const Array& memory, const EvaluateOptions& options);
  /// The same of several values by one kernel, or on a machine one after the other; those whose entries are there are
  /// left out.
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
  const std::shared_ptr<KeptOnMachine>& kept() const { return kept_; }
  /// Its parts, as these ranks hold them; null where they do not, or it is on all of them. Computes it, if need be.
  DistributedTensorPtr parts_on(Communicator& ranks);
  /// The same of whoever holds them; gathers nothing.
  DistributedTensorPtr parts_here();
  /// Whether it exists and is partitioned.
  bool is_in_parts();

 private:
  struct Pending {
    Statement statement;
    std::map<std::string, ValuePtr> operands;
    std::map<std::string, Distribution> placed;
  };
  /// To be asked under the locks of all of them.
  static Report by_one_kernel(const std::vector<ValuePtr>& values, const EvaluateOptions& options);
  bool is_distributed(const EvaluateOptions& options) const;
  /// Values, and how to evaluate them.
  using ToEvaluate = std::vector<std::pair<ValuePtr, EvaluateOptions>>;
  ToEvaluate unevaluated_operands(const EvaluateOptions& options);
  void evaluate_operands(const EvaluateOptions& options);
  bool are_held_by(Communicator& ranks) const;
  /// `moves`: what had to be placed again for it.
  DistributedRequest on_machine(const EvaluateOptions& options, Communicator& ranks, Traffic& moves) const;
  Request request(const EvaluateOptions& options, Numbers numbers) const;
  Request request_without_operands(const EvaluateOptions& options, Numbers numbers) const;
  /// The kernel that computes the entries.
  PreparedRequest prepare(const EvaluateOptions& options, const Options& compile) const;
  Report run(const EvaluateOptions& options, const Array* memory);
  Report evaluate_on_machine(const EvaluateOptions& options);
  /// Its parts, where a distribution puts them, for these ranks; null where they do not hold it so.
  DistributedTensorPtr parts(const Distribution& distribution, const std::string& name, Communicator& ranks,
                             Traffic& moves);
  void gather();

  std::mutex mutex_;
  Type type_;
  std::vector<std::int64_t> dimensions_;
  Format format_;
  std::optional<Storage> storage_;
  DistributedTensorPtr parts_;           // where it was computed so
  std::weak_ptr<Communicator> holders_;  // of the parts; unless this process has them all
  std::optional<Pending> pending_;
  std::shared_ptr<KeptOnMachine> kept_;
  std::string c_code_;
};

}  // namespace lacuna
