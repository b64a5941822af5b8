#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/codegen/c/expression.h"
#include "lacuna/codegen/c/lines.h"

namespace lacuna {

/// The C function that statements are printed into.
struct FunctionText {
  const loop::FunctionUsage& usage;
  std::set<loop::Var> aliased;      // arrays that others may know, or whose memory moves
  std::vector<std::string>& tasks;  // the functions of its parallel loops, to be put above it
};

/// Prints the statements of one function.
class StatementPrinter {
 public:
  /// `names` hands out names for the few variables that the text needs beyond those of the module.
  StatementPrinter(Lines& lines, ExpressionPrinter& expressions, Requirements& requirements,
                   const loop::ModuleUsage& usage, loop::NameSupply& names, const FunctionText& function)
      : lines_(lines),
        expressions_(expressions),
        requirements_(requirements),
        usage_(usage),
        names_(names),
        function_(function) {}

  /// From now on `return` hands its value out through this pointer, and returns that the function did not fail.
  void return_status(std::string result) { result_ = std::move(result); }
  /// Variables to declare by the assignment or allocation that first gives them a value (see loop::set_before_use).
  void declare_when_set(std::set<loop::Var> variables) { undeclared_ = std::move(variables); }

  void print(const loop::Stmt& stmt) { print(*stmt); }
  void print_body(const loop::Stmt& body);  // one level deeper

 private:
  friend struct StatementKindPrinter;
  void print(const loop::StmtNode& stmt);

  void declare(const loop::Declare& s);
  void assign(const loop::Assign& s);
  void store(const loop::Store& s);
  void branch(const loop::If& s);
  void loop(const loop::For& s);
  void loop_of_vectors(const loop::For& s);
  void loop(const loop::While& s);
  void block(const loop::Block& s);
  void allocate(const loop::Allocate& s, bool declares);
  void take(const loop::Take& s, bool declares);
  void resize(const loop::Resize& s);
  void fill(const loop::Fill& s);
  void matrix_product(const loop::MatrixProduct& s);
  void call(const loop::Evaluate& s);
  void leave(const loop::Return& s);

  /// assignment.cpp: `target op= value`, in the shortest way that C has.
  void update(const std::string& target, loop::BinaryOp op, const PrintedExpr& value, Type type);
  bool update_of_itself(const loop::Assign& s);
  std::string atomic_update(const std::string& target, loop::StoreOp op, const PrintedExpr& value, Type type);
  void extremum(const std::string& target, const PrintedExpr& value, Type type, bool greatest);

  bool calls_failing(const loop::Expr& expr) const;
  void checked_call(const loop::Invoke& call, const std::string& pointer);
  void fail_unless(const std::string& condition);
  void chain(const loop::If& s, const std::string& start);
  std::string bound(const loop::Var& var, const loop::Expr& bound, const loop::Stmt& body);

  /// parallel.cpp: loops that the threads of the context run.
  /// Something that the function of a loop gets: "const double *" x; "x" or "&x" in the kernel; how the function
  /// declares it, or empty if it does not.
  struct Shared {
    std::string name, field, value, local;
  };
  std::vector<Shared> shared_by(const loop::For& s) const;
  void launch(const loop::For& s);
  std::string list_own(const loop::OwnSum& sum, std::vector<Shared>& shared);
  void add_up(const loop::OwnSum& sum, const std::string& list);
  std::string task_function(const loop::For& s, const std::vector<Shared>& shared,
                            const std::vector<std::string>& lists);
  void task_body(const loop::For& s, const std::string& share, const std::string& from,
                 const std::vector<std::string>& lists);
  void own_array(const loop::OwnSum& sum, const std::string& share, const std::string& list);
  void combine(const loop::Reduction& reduction, const std::string& target);
  void alone(const loop::For& loop, const std::string& header);
  bool can_fail(const loop::Stmt& stmt) const;

  Lines& lines_;
  ExpressionPrinter& expressions_;
  Requirements& requirements_;
  const loop::ModuleUsage& usage_;
  loop::NameSupply& names_;
  const FunctionText& function_;
  std::optional<std::string> result_;  // see return_status
  bool in_task_ = false;               // the text goes into the function of a parallel loop
  bool takes_turns_ = false;           // no other thread is at what is printed
  std::set<loop::Var> undeclared_;
};

}  // namespace lacuna
