#include "lacuna/loop/usage.h"

#include <algorithm>
#include <variant>

#include "lacuna/loop/own_sums.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop {
namespace {

class Collector {
 public:
  explicit Collector(FunctionUsage& usage) : usage_(usage) {}

  void operator()(const Declare& s) { use(s.var); }
  void operator()(const Assign& s) { assign(s.var); }
  void operator()(const Store& s) { write(s.array); }
  void operator()(const Sort& s) {
    write(s.array);
    if (s.marks) use(*s.marks);
  }
  void operator()(const Fill& s) { write(s.array); }
  void operator()(const MatrixProduct& s) {
    write(s.target.array);
    use(s.left.array);
    if (s.right) use(s.right->array);
  }
  void operator()(const Prefetch& s) { use(s.array); }
  void operator()(const Release& s) {
    write(s.array);
    usage_.needs_context = true;
  }
  void operator()(const Keep& s) {
    write(s.shelf);
    move(s.array);
  }
  void operator()(const Take& s) {
    write(s.shelf);
    move(s.array);
  }
  void operator()(const Allocate& s) { allocate(s.array); }
  void operator()(const Resize& s) {
    allocate(s.array);
    move(s.array);
  }
  void operator()(const For& s) {
    assign(s.var);
    for (const Reduction& each : s.reductions) assign(each.var);
    for (const OwnSum& each : s.sums) {
      write(each.total);
      allocate(each.own);
    }
    if (s.mode == LoopMode::Parallel) usage_.needs_context = true;
  }
  void operator()(const Launch& s) {
    assign(s.block);
    assign(s.thread);
    usage_.needs_context = usage_.can_fail = true;
  }
  void operator()(const ReadBack& s) {
    assign(s.var);
    use(s.array);
  }
  void operator()(const Exchange& s) {
    assign(s.var);
    use(s.value);
  }
  template <typename Other>
  void operator()(const Other&) {}

  void expression(const Expr& expr) {
    if (const auto* use_of = std::get_if<VarUse>(&expr.node().kind)) use(use_of->var);
    if (const auto* load = std::get_if<Load>(&expr.node().kind)) use(load->array);
    if (const auto* search = std::get_if<LowerBound>(&expr.node().kind)) use(search->array);
    if (const auto* dot = std::get_if<Dot>(&expr.node().kind))
      for (const Vector& v : {dot->left, dot->right}) use(v.array);
    if (const auto* call = std::get_if<Invoke>(&expr.node().kind)) usage_.calls.insert(call->function);
  }

 private:
  void use(const Var& var) { usage_.used.insert(var); }
  void assign(const Var& var) {
    use(var);
    usage_.assigned.insert(var);
  }
  void write(const Var& array) {
    use(array);
    usage_.written.insert(array);
  }
  void move(const Var& array) {
    write(array);
    usage_.moved.insert(array);
  }
  void allocate(const Var& array) {
    write(array);
    usage_.needs_context = usage_.can_fail = true;
  }

  FunctionUsage& usage_;
};

/// What the calls inside `body` do to the caller; true if that was news.
bool take_over_calls(const Module& module, const std::map<std::string, FunctionUsage>& functions, const Stmt& body,
                     FunctionUsage& caller) {
  const auto size_before = caller.written.size();
  const bool context_before = caller.needs_context;
  const bool failure_before = caller.can_fail;
  for_each_expression(body, [&](const Expr& expr) {
    const auto* call = std::get_if<Invoke>(&expr.node().kind);
    if (!call) return;
    for (const Function& callee : module.functions) {
      if (callee.name != call->function) continue;
      const FunctionUsage& usage = functions.at(callee.name);
      caller.needs_context |= usage.needs_context;
      caller.can_fail |= usage.can_fail;
      for (std::size_t k = 0; k < callee.parameters.size() && k < call->arguments.size(); k++) {
        const auto* argument = std::get_if<VarUse>(&call->arguments[k].node().kind);
        if (argument && argument->var.type().is_memory() && usage.written.contains(callee.parameters[k])) {
          caller.written.insert(argument->var);
        }
      }
    }
  });
  return caller.written.size() != size_before || caller.needs_context != context_before ||
         caller.can_fail != failure_before;
}

void reach(ModuleUsage& usage, const std::set<std::string>& calls) {
  for (const std::string& each : calls) {
    const auto callee = usage.functions.find(each);
    if (callee != usage.functions.end() && usage.reached.insert(each).second) reach(usage, callee->second.calls);
  }
}

void reserve_declared(NameSupply& names, const Stmt& body) {
  for_each(body, [&](const Stmt& stmt) {
    if (const auto* declare = std::get_if<Declare>(&stmt->kind)) names.reserve(declare->var.name());
    if (const auto* loop = std::get_if<For>(&stmt->kind)) names.reserve(loop->var.name());
  });
}

/// Scans the outermost statements in order.
class FirstUses {
 public:
  std::set<Var> take() { return std::move(set_); }

  void scan(const Stmt& stmt) {
    if (const auto* block = std::get_if<Block>(&stmt->kind)) {
      for (const Stmt& each : block->statements) scan(each);
      return;
    }
    if (const auto* assign = std::get_if<Assign>(&stmt->kind)) give(assign->var, assign->value);
    if (const auto* allocate = std::get_if<Allocate>(&stmt->kind)) give(allocate->array, allocate->count);
    if (const auto* take = std::get_if<Take>(&stmt->kind)) give(take->array, take->index);
    mentioned_.merge(usage_of(stmt).used);
  }

 private:
  void give(const Var& var, const Expr& value) {
    FunctionUsage usage;
    Collector collector(usage);
    for_each(value, [&](const Expr& each) { collector.expression(each); });
    if (!mentioned_.contains(var) && !usage.used.contains(var)) set_.insert(var);
  }

  std::set<Var> mentioned_, set_;
};

/// What statements use and do not declare; `inside`: what is declared around them, `mentioned`: what they use besides.
std::vector<Var> used_from_outside(const std::vector<Stmt>& parts, std::set<Var> inside, std::set<Var> mentioned) {
  for (const Stmt& part : parts) {
    for_each(part, [&](const Stmt& each) {
      if (const auto* declare = std::get_if<Declare>(&each->kind)) inside.insert(declare->var);
      if (const auto* inner = std::get_if<For>(&each->kind)) {
        inside.insert(inner->var);
        for (const OwnSum& sum : inner->sums) inside.insert({sum.own, sum.k});
      }
    });
    if (part) mentioned.merge(usage_of(part).used);
  }
  std::map<std::string, Var> used;
  for (const Var& each : mentioned)
    if (!inside.contains(each)) used.emplace(each.name(), each);
  std::vector<Var> captured;
  for (const auto& [name, var] : used) captured.push_back(var);
  return captured;
}

}  // namespace

std::set<Var> set_before_use(const Stmt& body) {
  FirstUses uses;
  uses.scan(body);
  return uses.take();
}

FunctionUsage usage_of(const Stmt& stmt) {
  FunctionUsage usage;
  Collector collector(usage);
  for_each(stmt, [&](const Stmt& each) { std::visit(collector, each->kind); });
  for_each_expression(stmt, [&](const Expr& each) { collector.expression(each); });
  return usage;
}

std::vector<Var> captured_by(const For& loop) {
  const For written = with_sums_written_out(loop);
  std::set<Var> mentioned;
  for (const Reduction& each : loop.reductions) mentioned.insert(each.var);
  return used_from_outside({written.setup, written.body, written.teardown}, {loop.var}, std::move(mentioned));
}

std::vector<Var> captured_by(const Launch& launch) {
  return used_from_outside({launch.body}, {launch.block, launch.thread}, {});
}

NameSupply names_of(const Module& module) {
  NameSupply names;
  names.reserve(module.name);
  for (const std::string& each : module.arguments) names.reserve(each);
  for (const auto& each : module.records) names.reserve(each->name);
  for (const Parameter& each : module.parameters) names.reserve(each.var.name());
  for (const Function& each : module.functions) {
    names.reserve(each.name);
    for (const Var& parameter : each.parameters) names.reserve(parameter.name());
    reserve_declared(names, each.body);
  }
  reserve_declared(names, module.body);
  return names;
}

ModuleUsage find_usage(const Module& module) {
  ModuleUsage usage;
  for (const Function& function : module.functions) usage.functions[function.name] = usage_of(function.body);
  // Functions may call each other in circles, so what they do to arrays is found by repetition.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function& function : module.functions) {
      changed |= take_over_calls(module, usage.functions, function.body, usage.functions[function.name]);
    }
  }
  for (const Function& function : module.functions) {
    FunctionUsage& own = usage.functions[function.name];
    own.has_effect = own.can_fail || std::any_of(function.parameters.begin(), function.parameters.end(),
                                                 [&](const Var& each) { return own.written.contains(each); });
  }
  usage.kernel = usage_of(module.body);
  take_over_calls(module, usage.functions, module.body, usage.kernel);
  reach(usage, usage.kernel.calls);
  return usage;
}

}  // namespace lacuna::loop
