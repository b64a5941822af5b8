#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/loop/interpret/code.h"

namespace lacuna::loop::interpreter {

/// Turns the body of one function (or of the kernel) into nodes of a program.
class Compiler {
 public:
  Compiler(Program& program, FunctionCode& function) : program_(program), function_(function) {}

  /// Gives the parameter a slot.
  void add_parameter(const Var& var);
  const Step* compile(const Stmt& stmt);
  const Code* compile(const Expr& expr);

 private:
  const Code* compile_operand(const Expr& expr) { return expr.defined() ? compile(expr) : nullptr; }
  void compile_node(const Constant& node, Code& code);
  void compile_node(const VarUse& node, Code& code);
  void compile_node(const Unary& node, Code& code);
  void compile_node(const Binary& node, Code& code);
  void compile_node(const Select& node, Code& code);
  void compile_node(const Convert& node, Code& code);
  void compile_node(const Math& node, Code& code);
  void compile_node(const Load& node, Code& code);
  void compile_node(const Invoke& node, Code& code);
  void compile_node(const LowerBound& node, Code& code);
  void compile_node(const Dot& node, Code& code);

  void compile_node(const Declare& node, Step& step);
  void compile_node(const Assign& node, Step& step);
  void compile_node(const Store& node, Step& step);
  void compile_node(const If& node, Step& step);
  void compile_node(const For& node, Step& step);
  void compile_node(const While& node, Step& step);
  void compile_node(const Block& node, Step& step);
  void compile_node(const Comment& node, Step& step);
  void compile_node(const Allocate& node, Step& step);
  void compile_node(const Resize& node, Step& step);
  void compile_node(const Release& node, Step& step);
  void compile_node(const Keep& node, Step& step);
  void compile_node(const Take& node, Step& step);
  void compile_node(const Sort& node, Step& step);
  void compile_node(const Fill& node, Step& step);
  void compile_node(const MatrixProduct& node, Step& step);
  void compile_node(const Prefetch& node, Step& step);
  void compile_node(const Fence& node, Step& step);
  void compile_node(const Launch& node, Step& step);
  void compile_node(const Exchange& node, Step& step);
  void compile_node(const Barrier& node, Step& step);
  void compile_node(const ReadBack& node, Step& step);
  void compile_node(const Evaluate& node, Step& step);
  void compile_node(const Return& node, Step& step);
  void compile_node(const Break& node, Step& step);

  const std::vector<const Code*>* compile_list(const std::vector<Expr>& expressions);
  std::int32_t declare(const Var& var);
  std::int32_t slot_of(const Var& var) const;
  std::int32_t array_slot_of(const Var& array) const;
  std::int32_t trip_counter(const std::string& name);
  /// Whether a parallel loop stands between the declaration of the variable and here, and does not reduce it.
  bool is_shared(const Var& var) const;
  /// Where the node's field lies in its record.
  template <typename Node>
  void place_member(const Var& arena, const Member& member, Node& node);

  Program& program_;
  FunctionCode& function_;
  std::vector<const For*> parallel_loops_;     // around the present statement, outermost first
  std::map<Var, std::size_t> declared_depth_;  // how many parallel loops stood around the declaration
};

}  // namespace lacuna::loop::interpreter
