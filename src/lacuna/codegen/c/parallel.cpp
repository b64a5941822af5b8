#include <algorithm>

#include <fmt/format.h>

#include "lacuna/codegen/c/statement.h"
#include "lacuna/codegen/c_family/type_text.h"
#include "lacuna/loop/build.h"
#include "lacuna/loop/own_sums.h"
#include "lacuna/loop/reductions.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/error.h"

// Parallel loops. The loop is a function of its own, which the context of the kernel calls on each of its threads. What
// it uses of the kernel comes in a struct; what is a thread's own is a variable of the function.
namespace lacuna {
namespace {

using loop::Stmt;

bool is_reduced(const loop::For& s, const loop::Var& var) {
  return std::any_of(s.reductions.begin(), s.reductions.end(), [&](const auto& each) { return each.var == var; });
}

bool declares(const Stmt& stmt) {
  bool found = false;
  loop::for_each(stmt, [&](const Stmt& each) { found |= std::holds_alternative<loop::Declare>(each->kind); });
  return found;
}

}  // namespace

/// What the threads of a loop share: a name and a declaration of each.
std::vector<StatementPrinter::Shared> StatementPrinter::shared_by(const loop::For& s) const {
  std::vector<Shared> all;
  for (const loop::Var& each : s.task->captured) {
    const loop::IrType& type = each.type();
    if (is_reduced(s, each)) {
      all.push_back({each.name(), declarator(type, false, false) + "*", "&" + each.name(), ""});
      continue;
    }
    const bool is_const = type.is_memory() ? !type.is_shelf() && !function_.usage.written.contains(each) : false;
    const bool is_alone = type.is_memory() && !type.is_shelf() && !function_.aliased.contains(each);
    all.push_back({each.name(), declarator(type, is_const, false), each.name(),
                   type.is_memory() ? declarator(type, is_const, is_alone) : declarator(type, true, false)});
  }
  return all;
}

/// The call that runs the loop, in the kernel; its function is put above.
void StatementPrinter::launch(const loop::For& s) {
  const std::string& task = s.task->name;
  std::vector<Shared> shared = shared_by(s);
  std::vector<std::string> lists;
  for (const loop::OwnSum& each : s.sums) lists.push_back(list_own(each, shared));
  function_.tasks.push_back(task_function(s, shared, lists));

  std::string used = "NULL";
  if (!shared.empty()) {
    const std::string name = names_.unique("used_" + s.var.name());
    std::vector<std::string> values;
    for (const Shared& each : shared) values.push_back(each.value);
    lines_.add_list(fmt::format("struct {} {} = {{", task, name), values, "};");
    used = "&" + name;
  }
  const std::string loop = names_.unique("loop_" + s.var.name());
  std::vector<std::string> fields{".begin = " + expressions_.value(s.low), ".end = " + expressions_.value(s.high),
                                  fmt::format(".step = {}", s.step)};
  if (s.grain > 0) fields.push_back(fmt::format(".chunk = {}", s.grain));
  if (s.fixed) fields.emplace_back(".fixed = 1");
  if (s.ordered) fields.emplace_back(".ordered = 1");
  lines_.add_list(fmt::format("const lacuna_loop {} = {{", loop), fields, "};");
  const std::string call = fmt::format("ctx->parallel_for(ctx, &{}, {}, {})", loop, task, used);
  const bool fails = !lists.empty() || can_fail(s.setup) || can_fail(s.body) || can_fail(s.teardown);
  lines_.add(fails ? fmt::format("if ({} != LACUNA_OK) return LACUNA_OUT_OF_MEMORY;", call) : call + ";");
  for (std::size_t k = 0; k < lists.size(); ++k) add_up(s.sums[k], lists[k]);
}

/// The list of the threads' own arrays, as far as they have one; its name.
std::string StatementPrinter::list_own(const loop::OwnSum& sum, std::vector<Shared>& shared) {
  const std::string list = names_.unique(sum.own.name() + "s"), type = declarator(sum.own.type(), false, false) + "*";
  lines_.add(fmt::format("{}{} = {}(ctx, ctx->threads, sizeof *{});", type, list,
                         requirements_.prelude.use("allocate_zeroed"), list));
  fail_unless(list);
  shared.push_back({list, type, list, type});
  return list;
}

void StatementPrinter::add_up(const loop::OwnSum& sum, const std::string& list) {
  const std::string function = requirements_.prelude.use("add_up", sum.own.type().scalar);
  lines_.add(fmt::format("if ({}(ctx, {}, {}, {}) != LACUNA_OK) return LACUNA_OUT_OF_MEMORY;", function,
                         sum.total.name(), list, expressions_.value(sum.count)));
}

/// The function of a loop, with the struct of what it uses.
std::string StatementPrinter::task_function(const loop::For& s, const std::vector<Shared>& shared,
                                            const std::vector<std::string>& lists) {
  loop::NameSupply names = names_;
  const std::string used = names.unique("used"), from = names.unique("from"), share = names.unique("share");
  Lines lines;
  if (!shared.empty()) {
    lines.add(fmt::format("struct {} {{", s.task->name));
    lines.indent();
    for (const Shared& each : shared) lines.add(fmt::format("{}{};", each.field, each.name));
    lines.outdent();
    lines.add("};");
    lines.add_unindented("");
  }
  lines.add(fmt::format("// A thread's iterations of the loop over {}.", s.var.name()));
  lines.add(
      fmt::format("static int32_t {}(lacuna_context *ctx, void *{}, lacuna_share *{}) {{", s.task->name, used, share));
  Lines body(1);
  if (!shared.empty()) body.add(fmt::format("const struct {} *{} = {};", s.task->name, from, used));
  for (const Shared& each : shared)
    if (!each.local.empty()) body.add(fmt::format("{}{} = {}->{};", each.local, each.name, from, each.name));
  StatementPrinter inner(body, expressions_, requirements_, usage_, names, function_);
  inner.in_task_ = true;
  inner.task_body(s, share, from, lists);
  const std::string text = body.text();
  if (shared.empty()) lines.add(fmt::format("  (void){};", used));
  if (text.find("ctx") == std::string::npos) lines.add("  (void)ctx;");
  lines.append(body);
  lines.add("}");
  return lines.text() + "\n";
}

/// Inside the function of a loop: what comes before its iterations, these, and what comes after.
void StatementPrinter::task_body(const loop::For& s, const std::string& share, const std::string& from,
                                 const std::vector<std::string>& lists) {
  for (const loop::Reduction& each : s.reductions)
    declare({each.var, loop::Expr(loop::identity(each.op, each.var.type().scalar))});
  for (std::size_t k = 0; k < lists.size(); ++k) own_array(s.sums[k], share, lists[k]);
  if (s.setup) print(s.setup);
  const std::string& name = s.var.name();
  const std::string type = declarator(s.var.type(), false, false), end = names_.unique(name + "_end");
  lines_.add(fmt::format("while ({0}->next({0})) {{", share));
  lines_.indent();
  lines_.add(fmt::format("const {}{} = {}->end;", type, end, share));
  const std::string step = s.step == 1 ? name + "++" : fmt::format("{} += {}", name, s.step);
  lines_.add(fmt::format("for ({}{} = {}->begin; {} < {}; {}) {{", type, name, share, name, end, step));
  print_body(s.body);
  lines_.add("}");
  lines_.outdent();
  lines_.add("}");
  if (s.ordered) lines_.add(fmt::format("{0}->take_turn({0});", share));
  takes_turns_ = s.ordered;
  if (s.teardown) print(s.teardown);
  for (const loop::Reduction& each : s.reductions) combine(each, fmt::format("*{}->{}", from, each.var.name()));
  lines_.add("return LACUNA_OK;");
}

/// A thread's own array, put on the list of those to be added up.
void StatementPrinter::own_array(const loop::OwnSum& sum, const std::string& share, const std::string& list) {
  const std::string& own = sum.own.name();
  const std::string first = sum.reuses ? fmt::format("{}->thread == 0 ? {} : ", share, sum.total.name()) : "";
  lines_.add(fmt::format("{}{} = {}{}(ctx, {}, sizeof *{});", declarator(sum.own.type(), false, true), own, first,
                         requirements_.prelude.use("allocate_zeroed"), expressions_.value(sum.count), own));
  fail_unless(own);
  lines_.add(fmt::format("{}[{}->thread] = {};", list, share, own));
}

void StatementPrinter::combine(const loop::Reduction& reduction, const std::string& target) {
  const Type type = reduction.var.type().scalar;
  const PrintedExpr value{reduction.var.name(), Precedence::Postfix, type};
  switch (reduction.op) {
    case loop::StoreOp::Add: return update(target, loop::BinaryOp::Add, value, type);
    case loop::StoreOp::Or: return update(target, loop::BinaryOp::BitOr, value, type);
    case loop::StoreOp::Min: return extremum(target, value, type, false);
    case loop::StoreOp::Max: return extremum(target, value, type, true);
    case loop::StoreOp::Set: break;
  }
  throw InternalError("internal error: a reduction that only sets");
}

/// A parallel loop inside another one, which its thread runs alone.
void StatementPrinter::alone(const loop::For& loop, const std::string& header) {
  const loop::For s = loop::with_sums_written_out(loop);
  const bool needs_scope = s.setup && declares(s.setup);
  if (needs_scope) {
    lines_.add("{");
    lines_.indent();
  }
  if (s.setup) print(s.setup);
  lines_.add(header);
  print_body(s.body);
  lines_.add("}");
  if (s.teardown) print(s.teardown);
  if (needs_scope) {
    lines_.outdent();
    lines_.add("}");
  }
}

bool StatementPrinter::can_fail(const Stmt& stmt) const {
  if (!stmt) return false;
  const loop::FunctionUsage usage = loop::usage_of(stmt);
  return usage.can_fail || std::any_of(usage.calls.begin(), usage.calls.end(), [&](const std::string& each) {
           const auto callee = usage_.functions.find(each);
           return callee != usage_.functions.end() && callee->second.can_fail;
         });
}

}  // namespace lacuna
