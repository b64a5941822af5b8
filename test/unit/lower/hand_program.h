#pragma once

#include <map>
#include <string>

#include "lacuna/concrete/program.h"
#include "lacuna/loop/interpret.h"
#include "lacuna/lower/lower.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

using Operands = std::map<std::string, Storage>;

/// A program of concrete notation put together by hand. It computes `statement`, whose variables and tensors it speaks
/// of by name.
class HandProgram {
 public:
  HandProgram(const std::string& statement, const Operands& operands, const std::string& result_format,
              concrete::Assembly assembly);

  /// A temporary of order 0.
  void scalar(const std::string& name);
  /// A dense temporary over one variable.
  void workspace(const std::string& name, const std::string& variable);

  concrete::Stmt forall(const std::string& variable, concrete::Stmt body) const;
  /// "t += B(i,j) * c(j)", over tensors and variables of the program.
  concrete::Stmt assign(const std::string& text) const;

  /// The program, verified, with these loops.
  concrete::Program with(concrete::Stmt root) const;
  concrete::Program& parts() { return program_; }
  const Statement& statement() const { return statement_; }

 private:
  IndexVar variable(const std::string& name) const;
  TensorVar tensor(const std::string& name) const;
  Access access(const Access& parsed) const;
  Expr renamed(const Expr& parsed) const;

  Statement statement_;
  concrete::Program program_;
};

/// What running a program gave.
struct HandRun {
  Storage result;
  loop::Counters counters;
  std::string loops;  // the loop IR
  std::string lattices;
};

/// Lowers the program and runs it in the checking interpreter.
HandRun run(const HandProgram& hand, const concrete::Program& program, const Operands& operands);

/// How the result differs from what the definition gives for the statement; empty when it does not.
std::string wrong(const HandProgram& hand, const Operands& operands, const Storage& result);

}  // namespace lacuna
