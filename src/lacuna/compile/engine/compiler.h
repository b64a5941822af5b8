#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/compile/plan/options.h"
#include "lacuna/compile/plan/report.h"
#include "lacuna/compile/plan/request.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

struct Plan;
struct CheckedRequest;
struct UpdateRequest;    // dynamic/kernels/update.h
struct UpdatePlan;       // update_plan.h
class GatheredOperands;  // operands.h

/// A compiled statement over given operand formats, ready to run again and again.
class Prepared {
 public:
  /// Runs on the operands of the request it was made from.
  Storage run(Report* report = nullptr);
  /// The same, into what an earlier run returned: its memory is written over where nobody else holds it, as that of a
  /// dense result mostly is. Of A(i,i) += …, nothing is kept.
  void run_into(Storage& result, Report* report = nullptr);
  /// Runs on other operands of the same formats, types, widths and sizes.
  Storage run(const std::map<std::string, Storage>& operands, Report* report = nullptr);
  /// The results of all statements of the request, in their order.
  std::vector<Storage> run_all(Report* report = nullptr);
  std::vector<Storage> run_all(const std::map<std::string, Storage>& operands, Report* report = nullptr);
  /// The same, into what an earlier run returned, which no operand may share.
  void run_into(const std::map<std::string, Storage>& operands, Storage& result, Report* report = nullptr);
  /// Whether the plan holds for other operands, too: it may count on rows of which none is empty. Who changes operands
  /// asks before they are run, and prepares the request anew.
  bool holds_for(const std::map<std::string, Storage>& operands) const;
  /// Drops the arrays of the request's operands, which then may go: from now on it runs on other operands only.
  void forget_operands();
  const Report& compile_report() const;
  /// The kernel's C text; for `show`, `export`, keeping.
  const std::string& c_code() const;
  const std::string& c_header() const;
  const Format& result_format() const;  // of the first statement, as the next two
  Type result_type() const;
  const std::vector<std::int64_t>& result_dimensions() const;
  /// What was made of the request, for those who explain it (compile/plan/plan.h). Of A(i,i) += …, the new diagonal's.
  const Plan& plan() const;
  const CheckedRequest& checked() const;

 private:
  friend class Compiler;
  friend class Bound;
  struct State;
  std::shared_ptr<State> state_;
};

/// A prepared statement with operands of its own, which are described to its kernel once: for who runs it again and
/// again. A run allocates nothing but a result that it cannot write over, and what the kernel itself asks for.
class Bound {
 public:
  Bound(const Prepared& prepared, std::map<std::string, Storage> operands);
  ~Bound();
  Bound(Bound&&) noexcept;
  Bound& operator=(Bound&&) noexcept;

  /// Another operand of the same format, type, widths and sizes.
  void replace(const std::string& name, const Storage& operand);
  /// As Prepared::run_into.
  void run_into(Storage& result);

 private:
  std::shared_ptr<Prepared::State> state_;
  std::map<std::string, Storage> operands_;     // where each run makes copies of them; else
  std::unique_ptr<GatheredOperands> gathered_;  // as the kernel gets them
};

/// Asked with each format before functions of its level files are compiled; throws Error where they are no good.
using LevelCheck = std::function<void(const Format&)>;

/// Compiles and runs statements; holds the caches. Thread-safe. Programs have an Engine (engine/engine.h),
/// which is one that tries level files.
class Compiler {
 public:
  Compiler(JitOptions jit, LevelCheck check);
  ~Compiler();
  /// Checks, plans, lowers and compiles. Throws Error for a user's mistake.
  Prepared prepare(const Request& request, const Options& options = {});
  /// prepare and run once.
  Storage run(const Request& request, const Options& options = {}, Report* report = nullptr);
  /// The kernel that changes tensors so, made when it is first asked for. Throws Error where the format's levels cannot
  /// be changed so.
  std::shared_ptr<const UpdatePlan> update_plan(const UpdateRequest& request, const Options& options = {});
  std::vector<std::string> warnings() const;  // of the JIT cache

 private:
  friend class Prepared;
  struct State;
  explicit Compiler(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;  // what was prepared keeps it, too
};

}  // namespace lacuna
