#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/compile/options.h"
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
  /// Computed by the same kernel, of the same operands: loops over variables of one name and extent that come to the
  /// same become one (concrete/join.h). The schedule is applied to each statement. None may read what another makes.
  std::vector<FurtherStatement> further = {};
};

/// What a compilation or a run did, for people and for `--report json`.
struct Report {
  double compile_ms = 0;     // statement to callable kernel
  double prepare_ms = 0;     // automatic copies and conversions of operands
  double kernel_ms = 0;      // the kernel alone
  double finish_ms = 0;      // sorting, conversion to the requested format
  bool from_memory = false;  // the kernel was already loaded
  bool from_disk = false;
  std::vector<std::string> notes;  // what was done unasked: "B is converted to csc", …
  loop::Counters counters;         // interpreter only
};

struct Plan;
struct CheckedRequest;
struct UpdateRequest;    // lower/update/update.h
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
  const Report& compile_report() const;
  /// The kernel's C text; for `show`, `export`, keeping.
  const std::string& c_code() const;
  const std::string& c_header() const;
  const Format& result_format() const;  // of the first statement, as the next two
  Type result_type() const;
  const std::vector<std::int64_t>& result_dimensions() const;
  /// What was made of the request, for those who explain it (compile/plan.h). Of A(i,i) += …, the new diagonal's.
  const Plan& plan() const;
  const CheckedRequest& checked() const;

 private:
  friend class Engine;
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

/// Compiles and runs statements; holds the caches. Thread-safe.
class Engine {
 public:
  explicit Engine(JitOptions jit);
  ~Engine();
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
  explicit Engine(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;  // what was prepared keeps it, too
};

/// The format a result has when none is asked for (semantics.md, "Result formats that nobody declared"). A mode is
/// compressed when every term stores only some of its coordinates: its variable is bound at a level that is not full,
/// or sparse operands tie it to a mode before it, below which no operand stores it whole. Else the mode is dense.
Format infer_result_format(const Statement& s, const std::map<std::string, Format>& formats);

}  // namespace lacuna
