#include "unit/lower/hand_program.h"

#include "lacuna/compile/plan/plan.h"
#include "lacuna/compile/run/run_plan.h"
#include "lacuna/loop/passes.h"
#include "lacuna/notation/parse.h"
#include "support/reference_check.h"

namespace lacuna {

HandProgram::HandProgram(const std::string& statement, const Operands& operands, const std::string& result_format,
                         concrete::Assembly assembly)
    : statement_(parse_statement(statement)) {
  FactsByName facts;
  for (const auto& [name, t] : operands) facts[name] = {t.type, t.dimensions};
  program_.text = statement;
  program_.extents = infer_dimensions(statement_, facts);
  concrete::Tensor result{statement_.lhs.tensor, concrete::Role::Result, {}, Type::Float64, {}, false};
  result.format = parse_format(result_format, statement_.lhs.tensor.order());
  result.widths.resize(statement_.lhs.indices.size());
  result.assembly = assembly;
  program_.tensors.push_back(result);
  for (const Access& a : accesses(statement_.rhs)) {
    if (program_.find(a.tensor) != nullptr) continue;
    const Storage& t = operands.at(a.tensor.name());
    concrete::Tensor operand{a.tensor, concrete::Role::Operand, t.format, t.type, {}, false};
    for (const LevelStorage& l : t.levels) operand.widths.push_back({l.pos.type(), l.crd.type()});
    program_.tensors.push_back(operand);
  }
}

void HandProgram::scalar(const std::string& name) {
  program_.tensors.push_back({TensorVar(name, 0), concrete::Role::Scalar, Format(), Type::Float64, {}, false});
}

void HandProgram::workspace(const std::string& name, const std::string& over) {
  const concrete::LevelWidths widths{Type::Int64, coordinate_type(program_.extents.at(variable(over)))};
  program_.tensors.push_back(
      {TensorVar(name, 1), concrete::Role::Workspace, dense_format(1), Type::Float64, {widths}, false});
}

concrete::Stmt HandProgram::forall(const std::string& name, concrete::Stmt body) const {
  return concrete::forall(variable(name), std::move(body));
}

concrete::Stmt HandProgram::assign(const std::string& text) const {
  const Statement s = parse_statement(text);
  return concrete::assign(access(s.lhs), renamed(s.rhs), s.accumulate);
}

concrete::Program HandProgram::with(concrete::Stmt root) const {
  concrete::Program program = program_;
  program.root = std::move(root);
  concrete::verify(program);
  return program;
}

IndexVar HandProgram::variable(const std::string& name) const {
  for (const IndexVar& v : all_variables(statement_))
    if (v.name() == name) return v;
  throw InternalError("the statement has no variable " + name);
}

TensorVar HandProgram::tensor(const std::string& name) const {
  for (const concrete::Tensor& t : program_.tensors)
    if (t.var.name() == name) return t.var;
  throw InternalError("the program has no tensor " + name);
}

Access HandProgram::access(const Access& parsed) const {
  Access own{tensor(parsed.tensor.name()), {}};
  for (const IndexVar& v : parsed.indices) own.indices.push_back(variable(v.name()));
  return own;
}

Expr HandProgram::renamed(const Expr& parsed) const {
  if (const auto* a = as<Access>(parsed)) return make_expr(access(*a));
  std::vector<Expr> operands = children(parsed);
  for (Expr& each : operands) each = renamed(each);
  return with_children(parsed, operands);
}

HandRun run(const HandProgram& hand, const concrete::Program& program, const Operands& operands) {
  Plan plan;
  plan.scheduled.program = program;
  plan.nest = iteration::analyze(program);
  plan.lowered = lower(program, plan.nest);
  loop::verify(plan.lowered.module);
  plan.lowered.module = loop::simplify(plan.lowered.module);
  plan.interpret = true;
  CheckedRequest checked;
  checked.problem.statement = hand.statement();
  checked.problem.result_format = program.result().format;
  checked.problem.result_type = program.result().type;
  for (const IndexVar& v : hand.statement().lhs.indices) checked.result_dimensions.push_back(program.extents.at(v));
  Report report;
  HandRun ran;
  ran.result = run_plan(plan, checked, operands, {}, report).front();
  ran.counters = report.counters;
  ran.loops = loop::to_string(plan.lowered.module);
  ran.lattices = iteration::to_string(plan.nest);
  return ran;
}

std::string wrong(const HandProgram& hand, const Operands& operands, const Storage& result) {
  Request request;
  request.statement = hand.statement();
  request.operands = operands;
  return wrong(request, result).value_or("");
}

}  // namespace lacuna
