#include "golden/second_printer.h"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "lacuna/loop/own_sums.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/check.h"

namespace lacuna::golden {
namespace {

using namespace loop;

/// (a b c), without parts that are empty.
std::string list(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "(" : " ") + part;
  return text + ")";
}

std::string number(std::int64_t value) { return value == 0 ? "" : std::to_string(value); }

const char* name_of(BinaryOp op) {
  constexpr const char* names[] = {
      "+", "-", "*", "/", "%", "min", "max", "and", "or", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^", "<<", ">>"};
  return names[static_cast<std::size_t>(op)];
}

const char* name_of(StoreOp op) {
  constexpr const char* names[] = {"", "add", "min", "max", "or"};
  return names[static_cast<std::size_t>(op)];
}

std::string text(const Expr& e);

std::string text(const std::optional<Member>& member) {
  return member ? list({"." + member->field, text(member->sub)}) : "";
}

std::string text(const Vector& v) { return list({v.array.name(), text(v.first), text(v.stride)}); }

std::string text(const Matrix& m) {
  return list({m.array.name(), text(m.first), text(m.stride), m.transposed ? "transposed" : ""});
}

/// Expressions: an overload a kind. A kind that is added to the IR does not compile until it has one.
struct ExpressionLists {
  std::string operator()(const Constant& e) const { return e.value.to_string(); }
  std::string operator()(const VarUse& e) const { return e.var.name(); }
  std::string operator()(const Unary& e) const { return list({e.op == UnaryOp::Not ? "not" : "neg", text(e.operand)}); }
  std::string operator()(const Binary& e) const { return list({name_of(e.op), text(e.left), text(e.right)}); }
  std::string operator()(const Select& e) const {
    return list({"select", text(e.condition), text(e.if_true), text(e.if_false)});
  }
  std::string operator()(const Convert& e) const { return list({"convert", text(e.operand)}); }
  std::string operator()(const Math& e) const { return call(std::string(info(e.function).name), e.arguments); }
  std::string operator()(const Load& e) const {
    return list({e.wide ? "load-vector" : "load", e.array.name(), text(e.index), text(e.member)});
  }
  std::string operator()(const Invoke& e) const { return call(e.function, e.arguments); }
  std::string operator()(const LowerBound& e) const {
    return list({e.near ? "search-near" : "search", e.array.name(), text(e.low), text(e.high), text(e.key)});
  }
  std::string operator()(const Dot& e) const { return list({"dot", text(e.left), text(e.right), text(e.count)}); }

  static std::string call(const std::string& function, const std::vector<Expr>& arguments) {
    std::vector<std::string> parts{function};
    for (const Expr& each : arguments) parts.push_back(text(each));
    return list(parts);
  }
};

std::string text(const Expr& e) { return e.defined() ? std::visit(ExpressionLists{}, e.node().kind) : ""; }

/// Statements: an overload a kind. `tasks` gets the functions of parallel loops.
class StatementLists {
 public:
  explicit StatementLists(std::string& tasks, bool in_task = false) : tasks_(tasks), in_task_(in_task) {}

  std::string print(const Stmt& s) { return s ? std::visit(*this, s->kind) : ""; }

  std::string operator()(const Declare& s) { return list({"declare", s.var.name(), text(s.init), number(s.size)}); }
  std::string operator()(const Assign& s) { return list({"assign", s.var.name(), text(s.value)}); }
  std::string operator()(const Store& s) {
    return list({s.past_caches.defined() ? "stream" : "store", s.atomic ? "atomic" : "", name_of(s.op), s.array.name(),
                 text(s.index), text(s.member), text(s.value), text(s.past_caches)});
  }
  std::string operator()(const If& s) {
    return list({"if", text(s.condition), print(s.then_branch), print(s.else_branch)});
  }
  std::string operator()(const For& s) {
    if (s.mode == LoopMode::Parallel && !in_task_) return launch(s);
    // A parallel loop inside of another one: its thread runs it alone.
    const For alone = with_sums_written_out(s);
    const std::string body = print(alone.body), step = std::to_string(s.step);
    const std::string loop = s.lanes > 0
                                 ? list({"for-vectors", s.var.name(), text(s.high), std::to_string(s.lanes), body})
                                 : list({"for", s.var.name(), text(s.low), text(s.high), step, body});
    return alone.setup || alone.teardown ? list({"do", print(alone.setup), loop, print(alone.teardown)}) : loop;
  }
  std::string operator()(const While& s) { return list({"while", text(s.condition), print(s.body)}); }
  std::string operator()(const Block& s) {
    std::vector<std::string> parts{"do"};
    for (const Stmt& each : s.statements) parts.push_back(print(each));
    return list(parts);
  }
  std::string operator()(const Comment&) { return ""; }
  std::string operator()(const Allocate& s) {
    return list({s.zeroed ? "allocate-zeros" : "allocate", s.array.name(), text(s.count)});
  }
  std::string operator()(const Resize& s) { return list({"resize", s.array.name(), text(s.count)}); }
  std::string operator()(const Release& s) { return list({"release", s.array.name()}); }
  std::string operator()(const Keep& s) { return list({"keep", s.shelf.name(), text(s.index), s.array.name()}); }
  std::string operator()(const Take& s) { return list({"take", s.array.name(), s.shelf.name(), text(s.index)}); }
  std::string operator()(const Sort& s) {
    return list({"sort", s.array.name(), text(s.low), text(s.high), s.marks ? s.marks->name() : "", text(s.places)});
  }
  std::string operator()(const Fill& s) {
    return list({"fill", s.array.name(), text(s.low), text(s.high), text(s.value)});
  }
  std::string operator()(const MatrixProduct& s) {
    return list({s.adds ? "add-product" : "product", text(s.target), text(s.left), s.right ? text(*s.right) : "",
                 text(s.rows), text(s.columns), text(s.inner), text(s.scalar)});
  }
  std::string operator()(const Prefetch& s) { return list({"prefetch", s.array.name(), text(s.index)}); }
  std::string operator()(const Fence&) { return "(fence)"; }
  std::string operator()(const Launch& s) {
    return list({"launch", s.name, text(s.blocks), std::to_string(s.threads), print(s.body)});
  }
  std::string operator()(const ReadBack& s) { return list({"read-back", s.var.name(), s.array.name(), text(s.index)}); }
  std::string operator()(const Barrier& s) { return list({"barrier", std::to_string(s.group)}); }
  std::string operator()(const Exchange& s) {
    return list({"exchange", s.var.name(), s.value.name(), std::to_string(s.offset), std::to_string(s.group)});
  }
  std::string operator()(const Evaluate& s) { return text(s.call); }
  std::string operator()(const Return& s) { return list({"return", text(s.value)}); }
  std::string operator()(const Break&) { return "(break)"; }

 private:
  /// A parallel loop is a function, which gets what the loop captures. Its sums and reductions are each thread's own.
  std::string launch(const For& s) {
    internal_check(s.task != nullptr, "the parallel loop over {} is not outlined", s.var.name());
    StatementLists inside(tasks_, true);
    std::vector<std::string> parts{"task", s.task->name, names(s.task->captured)};
    for (const OwnSum& each : s.sums)
      parts.push_back(list({"own", each.own.name(), text(each.count), each.reuses ? each.total.name() : ""}));
    for (const Reduction& each : s.reductions) parts.push_back(list({"own", each.var.name()}));
    parts.push_back(inside.print(s.setup));
    parts.push_back(list({"iterations", s.var.name(), inside.print(s.body)}));
    if (s.ordered) parts.emplace_back("(in-order)");
    parts.push_back(inside.print(s.teardown));
    for (const Reduction& each : s.reductions) parts.push_back(list({"combine", name_of(each.op), each.var.name()}));
    tasks_ += list(parts) + "\n";
    std::vector<std::string> call{"launch", s.task->name, text(s.low), text(s.high), std::to_string(s.step)};
    call.push_back(s.fixed ? "fixed" : "");
    for (const OwnSum& each : s.sums) call.push_back(list({"add-up", each.total.name(), each.own.name()}));
    return list(call);
  }

  static std::string names(const std::vector<Var>& variables) {
    std::vector<std::string> parts{"uses"};
    for (const Var& each : variables) parts.push_back(each.name());
    return list(parts);
  }

  std::string& tasks_;
  bool in_task_;
};

}  // namespace

std::string print_lists(const Module& module) {
  std::string tasks, functions;
  for (const Function& each : module.functions) {
    std::vector<std::string> parts{"function", each.name};
    for (const Var& parameter : each.parameters) parts.push_back(parameter.name());
    parts.push_back(StatementLists(tasks).print(each.body));
    functions += list(parts) + "\n";
  }
  std::vector<std::string> kernel{"kernel", module.name};
  for (const Parameter& each : module.parameters)
    kernel.push_back(list({each.out ? "out" : each.written ? "inout" : "in", each.var.name(), each.place}));
  kernel.push_back(StatementLists(tasks).print(module.body));
  return functions + tasks + list(kernel) + "\n";
}

}  // namespace lacuna::golden
