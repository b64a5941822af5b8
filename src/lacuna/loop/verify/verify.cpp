#include <algorithm>

#include "lacuna/loop/build.h"
#include "lacuna/loop/own_sums.h"
#include "lacuna/loop/passes.h"
#include "lacuna/loop/usage.h"
#include "lacuna/loop/verify/scopes.h"
#include "lacuna/loop/verify/types.h"
#include "lacuna/loop/verify/written.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/check.h"

namespace lacuna::loop {
namespace {

using verifier::Scopes;

/// Whether a loop with lanes is one of vectors: of whole ones, that go to neighbouring elements at its end.
bool is_of_vectors(const For& loop) {
  std::vector<Stmt> body{loop.body};
  if (const auto* all = std::get_if<Block>(&loop.body->kind)) body = all->statements;
  if (body.empty() || !std::holds_alternative<Store>(body.back()->kind)) return false;
  body.pop_back();
  const auto is_declaration = [](const Stmt& s) { return std::holds_alternative<Declare>(s->kind); };
  const auto* count = std::get_if<Constant>(&loop.high.node().kind);
  return loop.mode == LoopMode::Vector && loop.step == 1 && is_constant(loop.low, 0) && count != nullptr &&
         count->value.as<std::int64_t>() % loop.lanes == 0 && std::all_of(body.begin(), body.end(), is_declaration);
}

/// What may be done to a variable of the function.
struct Rights {
  bool assign = true;    // the scalar
  bool change = true;    // elements of the array
  bool allocate = true;  // memory of the array
};

/// Checks one function, or the kernel when `function` is null.
class Checker {
 public:
  Checker(const Module& module, const verifier::WrittenParameters& written, const Function* function,
          std::set<std::string> reserved)
      : module_(module), written_(written), function_(function), scopes_(std::move(reserved)) {
    scopes_.open();
  }

  void add_parameter(const Var& var, Rights rights) {
    check_record(var.type());
    internal_check(!var.type().is_shelf(), "the shelf {} is a parameter: shelves are variables of one function",
                   var.name());
    scopes_.declare(var);
    rights_[var] = rights;
    parameters_.insert(var);
  }

  void check(const Stmt& stmt) {
    if (!stmt) return;
    verifier::check_types(stmt);
    if (!std::holds_alternative<While>(stmt->kind)) check_expressions(stmt);
    std::visit(*this, stmt->kind);
  }

  void operator()(const Declare& node) {
    check_record(node.var.type());
    scopes_.declare(node.var);
    if (node.size > 0) rights_[node.var] = {false, true, false};
  }
  void operator()(const Assign& node) {
    scopes_.require_unshared(node.var);
    internal_check(rights_of(node.var).assign, "{} is assigned, but is an input or the variable of a loop",
                   node.var.name());
  }
  void operator()(const Store& node) { check_change(node.array); }
  void operator()(const If& node) {
    check_scope(node.then_branch);
    check_scope(node.else_branch);
  }
  void operator()(const For& loop) {
    const For node = with_sums_written_out(loop);
    internal_check(!node.task || node.task->captured == captured_by(node),
                   "the task of the loop over {} does not capture what it uses", node.var.name());
    for (const Reduction& each : node.reductions) {
      internal_check(node.mode != LoopMode::Serial, "the loop over {} reduces and is serial", node.var.name());
      scopes_.require(each.var);
    }
    internal_check(node.lanes == 0 || is_of_vectors(node), "the loop over {} is no loop of vectors", node.var.name());
    const bool parallel = node.mode != LoopMode::Serial;
    scopes_.open();  // of what the setup declares
    if (parallel) scopes_.enter_parallel(node);
    loops_.push_back(parallel);
    check(node.setup);
    scopes_.open();
    scopes_.declare(node.var);
    rights_[node.var] = {false, false, false};
    check(node.body);
    rights_.erase(node.var);
    scopes_.close();
    check_scope(node.teardown);
    loops_.pop_back();
    if (parallel) scopes_.leave_parallel();
    scopes_.close();
  }
  void operator()(const While& node) {
    check_expression(node.condition);
    loops_.push_back(false);
    check_scope(node.body);
    loops_.pop_back();
  }
  void operator()(const Block& node) {
    for (const Stmt& each : node.statements) check(each);
  }
  void operator()(const Comment& node) {
    internal_check(node.text.find('\n') == std::string::npos, "a comment has two lines: {}", node.text);
  }
  void operator()(const Allocate& node) { check_memory(node.array); }
  void operator()(const Resize& node) { check_memory(node.array); }
  void operator()(const Release& node) { check_memory(node.array); }
  void operator()(const Keep& node) {
    check_change(node.shelf);
    check_memory(node.array);
    // Its caller would still know the memory.
    internal_check(!parameters_.contains(node.array), "the parameter {} is put on a shelf", node.array.name());
  }
  void operator()(const Take& node) {
    check_change(node.shelf);
    check_memory(node.array);
  }
  void operator()(const Sort& node) {
    check_change(node.array);
    if (node.marks) scopes_.require(*node.marks);
  }
  void operator()(const Fill& node) { check_change(node.array); }
  void operator()(const MatrixProduct& node) {
    check_change(node.target.array);
    const std::vector<Matrix> all = matrices(node);
    for (auto m = all.begin() + 1; m != all.end(); ++m) {
      scopes_.require(m->array);
      internal_check(!(m->array == node.target.array), "a matrix product writes to {}, which it reads",
                     m->array.name());
    }
  }
  void operator()(const Prefetch& node) { scopes_.require(node.array); }
  void operator()(const Fence&) {}
  void operator()(const Launch& node) {
    internal_check(!scopes_.in_parallel(), "the launch {} is inside of a parallel loop or of another launch",
                   node.name);
    internal_check(node.captured == captured_by(node), "the launch {} does not capture what it uses", node.name);
    const For threads{node.thread, Expr(0), Expr(node.threads), 1, node.body, LoopMode::Parallel};
    scopes_.open();
    scopes_.enter_parallel(threads);
    loops_.push_back(true);
    for (const Var& each : {node.block, node.thread}) {
      scopes_.declare(each);
      rights_[each] = {false, false, false};
    }
    threads_ = node.threads;
    check(node.body);
    threads_ = 1;
    loops_.pop_back();
    scopes_.leave_parallel();
    scopes_.close();
  }
  void operator()(const ReadBack& node) {
    (*this)(Assign{node.var, Expr(node.var)});
    scopes_.require(node.array);
  }
  void operator()(const Exchange& node) {
    check_group(node.group);
    scopes_.require(node.value);
    (*this)(Assign{node.var, Expr(node.value)});
  }
  void operator()(const Barrier& node) { check_group(node.group); }
  void operator()(const Evaluate&) {}
  void operator()(const Return& node) {
    internal_check(function_ != nullptr, "the kernel returns early, and its results would not be written back");
    internal_check(!scopes_.in_parallel(), "a parallel loop is left by return");
    const IrType type = node.value.defined() ? node.value.type() : IrType{};
    internal_check(type == function_->result, "{} returns another type than it declares", function_->name);
  }
  void operator()(const Break&) {
    internal_check(!loops_.empty(), "a break outside of a loop");
    internal_check(!loops_.back(), "a parallel loop is left by break");
  }

 private:
  void check_scope(const Stmt& stmt) {
    scopes_.open();
    check(stmt);
    scopes_.close();
  }

  void check_expressions(const Stmt& stmt) {
    for (const Expr& each : expressions(stmt)) check_expression(each);
  }

  void check_expression(const Expr& top) {
    internal_check(!top.type().is_memory(), "the array `{}` is used as a value", to_string(top));
    for_each(top, [&](const Expr& expr) {
      verifier::check_types(expr);
      check_record(expr.type());
      const bool is_call = std::holds_alternative<Invoke>(expr.node().kind);
      for (const Expr& child : children(expr)) {
        internal_check(is_call || !child.type().is_memory(), "the array `{}` is used as a value", to_string(child));
      }
      if (const auto* use = std::get_if<VarUse>(&expr.node().kind)) scopes_.require(use->var);
      if (const auto* load = std::get_if<Load>(&expr.node().kind)) scopes_.require(load->array);
      if (const auto* search = std::get_if<LowerBound>(&expr.node().kind)) scopes_.require(search->array);
      if (const auto* dot = std::get_if<Dot>(&expr.node().kind))
        for (const Vector& v : {dot->left, dot->right}) scopes_.require(v.array);
      if (is_call) check_call(std::get<Invoke>(expr.node().kind), expr.type());
    });
  }

  void check_call(const Invoke& call, const IrType& result) {
    const auto callee = std::find_if(module_.functions.begin(), module_.functions.end(),
                                     [&](const Function& each) { return each.name == call.function; });
    internal_check(callee != module_.functions.end(), "there is no function {}", call.function);
    internal_check(callee->result == result, "{} does not return what a call of it expects", call.function);
    internal_check(callee->parameters.size() == call.arguments.size(), "{} takes {} arguments and is called with {}",
                   call.function, callee->parameters.size(), call.arguments.size());
    const std::set<std::size_t>& changed = written_.at(call.function);
    for (std::size_t k = 0; k < call.arguments.size(); k++) {
      const Expr& argument = call.arguments[k];
      internal_check(argument.type() == callee->parameters[k].type(), "argument {} of a call of {} has another type",
                     k + 1, call.function);
      if (argument.type().is_memory() && changed.contains(k)) check_change(std::get<VarUse>(argument.node().kind).var);
    }
  }

  void check_group(std::int64_t group) const {
    internal_check(threads_ % group == 0 && group <= threads_,
                   "groups of {} threads wait for each other, of {} threads", group, threads_);
  }

  void check_change(const Var& array) {
    scopes_.require(array);
    internal_check(rights_of(array).change, "elements of {} are changed, but the parameter is not marked written",
                   array.name());
  }

  void check_memory(const Var& array) {
    scopes_.require_unshared(array);
    internal_check(rights_of(array).allocate, "the memory of {} is changed, but it is no out parameter and no local",
                   array.name());
  }

  void check_record(const IrType& type) {
    if (!type.record) return;
    const bool known = std::find(module_.records.begin(), module_.records.end(), type.record) != module_.records.end();
    internal_check(known, "the record {} is not among the module's", type.record->name);
  }

  Rights rights_of(const Var& var) const {
    const auto found = rights_.find(var);
    return found == rights_.end() ? Rights{} : found->second;
  }

  const Module& module_;
  const verifier::WrittenParameters& written_;
  const Function* function_;
  Scopes scopes_;
  std::map<Var, Rights> rights_;  // where they are not all
  std::set<Var> parameters_;
  std::int64_t threads_ = 1;  // of a block of the launch around the statement
  std::vector<bool> loops_;   // around the statement, innermost last: is it parallel
};

/// Whether control cannot reach the end of the statement.
bool always_returns(const Stmt& stmt) {
  if (!stmt) return false;
  if (std::holds_alternative<Return>(stmt->kind)) return true;
  if (const auto* node = std::get_if<Block>(&stmt->kind)) {
    return std::any_of(node->statements.begin(), node->statements.end(), always_returns);
  }
  if (const auto* node = std::get_if<If>(&stmt->kind)) {
    return always_returns(node->then_branch) && always_returns(node->else_branch);
  }
  const auto* loop = std::get_if<While>(&stmt->kind);
  if (!loop || !is_true(loop->condition)) return false;
  bool breaks = false;
  for_each(loop->body, [&](const Stmt& each) { breaks = breaks || std::holds_alternative<Break>(each->kind); });
  return !breaks;
}

void check_module_names(const Module& module) {
  std::set<std::string> names;
  const auto add = [&](const std::string& name) {
    internal_check(verifier::is_identifier(name), "the name `{}` is no identifier", name);
    internal_check(names.insert(name).second, "the name {} is used twice", name);
  };
  add(module.name);
  for (const auto& each : module.records) add(each->name);
  for (const Function& each : module.functions) add(each.name);
  for (const std::string& each : module.arguments) add(each);
}

void check_fields(const Module& module) {
  for (const auto& record : module.records) {
    std::set<std::string> names;
    for (const Field& field : record->fields) {
      internal_check(verifier::is_identifier(field.name), "the name `{}` is no identifier", field.name);
      internal_check(names.insert(field.name).second, "{} has two fields {}", record->name, field.name);
      internal_check(field.type.is_scalar() || field.type.is_ref(), "the field {}.{} is no scalar", record->name,
                     field.name);
    }
  }
}

}  // namespace

void verify(const Module& module) {
  check_module_names(module);
  check_fields(module);
  const verifier::WrittenParameters written = verifier::written_parameters(module);
  std::set<std::string> reserved = {module.name};
  for (const auto& each : module.records) reserved.insert(each->name);
  for (const Function& each : module.functions) reserved.insert(each.name);
  for (const Function& each : module.functions) {
    Checker checker(module, written, &each, reserved);
    for (const Var& parameter : each.parameters) checker.add_parameter(parameter, {true, true, false});
    checker.check(each.body);
    const bool is_void = each.result.kind == IrType::Kind::Void;
    internal_check(is_void || always_returns(each.body), "{} may end without returning a value", each.name);
  }
  // Places of parameters name the arguments, which no variable may hide.
  reserved.insert(module.arguments.begin(), module.arguments.end());
  Checker checker(module, written, nullptr, std::move(reserved));
  for (const Parameter& each : module.parameters) {
    const bool writable = each.out || each.written;
    checker.add_parameter(each.var, {writable, writable, each.out});
  }
  checker.check(module.body);
}

}  // namespace lacuna::loop
