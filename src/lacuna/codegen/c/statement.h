#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "lacuna/codegen/c/expression.h"
#include "lacuna/codegen/c/lines.h"

namespace lacuna {

/// Prints the statements of one function.
class StatementPrinter {
 public:
  /// `names` hands out names for the few variables that the text needs beyond those of the module.
  StatementPrinter(Lines& lines, ExpressionPrinter& expressions, Requirements& requirements, const ModuleUsage& usage,
                   loop::NameSupply& names)
      : lines_(lines), expressions_(expressions), requirements_(requirements), usage_(usage), names_(names) {}

  /// How `return` reads in the function: the kernel jumps to where it writes its results back, and a function that can
  /// fail hands its result out through a pointer.
  enum class ReturnStyle { Plain, GoToDone, Status };
  void set_return_style(ReturnStyle style, std::string result = {}) {
    return_style_ = style;
    result_ = std::move(result);
  }
  /// Variables to declare by the assignment or allocation that first gives them a value (see set_before_use).
  void declare_when_set(std::set<loop::Var> variables) { undeclared_ = std::move(variables); }
  /// Whether a `goto done` was printed.
  bool jumped() const { return jumped_; }

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
  void loop_of_vectors(const loop::For& s, const VectorLoop& vectors);
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
  void extremum(const std::string& target, const PrintedExpr& value, Type type, bool greatest);

  bool calls_failing(const loop::Expr& expr) const;
  void checked_call(const loop::Invoke& call, const std::string& pointer);
  void fail_unless(const std::string& condition);
  void chain(const loop::If& s, const std::string& start);
  std::string bound(const loop::Var& var, const loop::Expr& bound, const loop::Stmt& body);
  std::string first(const loop::For& s, const loop::Stmt& inside);

  /// own_sums.cpp: a teardown that adds a thread's own array to one that all share, and releases it.
  struct OwnSum {
    loop::Var total, own, k;
    loop::Expr count;
    std::string places;  // the array in which threads say where theirs are
  };
  std::optional<OwnSum> own_sum(const loop::For& s);
  bool is_own(const loop::Var& array) const;
  void allocate_places(const OwnSum& sum);
  void show_own(const OwnSum& sum);
  void add_up(const OwnSum& sum);

  /// parallel.cpp: loops that several threads run, and what each thread does before and after its share.
  /// The head of a parallel loop, and how many iterations it has.
  struct ParallelHeader {
    std::string text, iterations;
  };
  /// A parallel loop cannot be left, so a failure inside is noted and the iteration (the setup, the teardown) ends.
  struct ParallelLoop {
    std::string failed;  // the variable
    std::string label;   // where it is set
    bool used = false;
  };
  void parallel_body(const loop::For& s, const ParallelHeader& header);
  void team(const loop::For& s, const ParallelHeader& header);
  void alone(const loop::For& s, const std::string& header);
  void teardown_of_team(const loop::For& s, const std::string& failed, const std::string& stop);
  void teardown_phase(const loop::For& s, const std::string& failed, const std::string& label);
  void phase(const loop::Stmt& stmt, const std::string& failed, const std::string& label);
  void read_flag(const std::string& failed, const std::string& stop);
  void raise_flag(const ParallelLoop& parallel, const std::string& behind);
  bool can_fail(const loop::Stmt& stmt) const;
  loop::Stmt declared_before_failures(const loop::Stmt& setup) const;
  static std::string reduction_clauses(const loop::For& s);

  Lines& lines_;
  ExpressionPrinter& expressions_;
  Requirements& requirements_;
  const ModuleUsage& usage_;
  loop::NameSupply& names_;
  ReturnStyle return_style_ = ReturnStyle::Plain;
  std::string result_;  // the pointer of ReturnStyle::Status
  bool jumped_ = false;
  ParallelLoop* parallel_ = nullptr;
  bool takes_turns_ = false;   // no other thread is at what is printed
  std::string turns_;          // the variable that counts the threads that will take turns; empty: none do
  std::optional<OwnSum> sum_;  // of the threads that run what is printed
  std::set<loop::Var> undeclared_;
};

}  // namespace lacuna
