#include "lacuna/codegen/c/statement.h"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

#include "lacuna/codegen/c/identifiers.h"
#include "lacuna/codegen/c_family/type_text.h"
#include "lacuna/loop/build.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using loop::Expr;
using loop::Stmt;

/// Statements that a short `if` may hold on its own line.
bool is_short(const Stmt& stmt) {
  return std::holds_alternative<loop::Assign>(stmt->kind) || std::holds_alternative<loop::Store>(stmt->kind) ||
         std::holds_alternative<loop::Break>(stmt->kind) || std::holds_alternative<loop::Return>(stmt->kind);
}

bool is_empty(const Stmt& stmt) {
  const auto* block = stmt ? std::get_if<loop::Block>(&stmt->kind) : nullptr;
  return !stmt || (block && std::all_of(block->statements.begin(), block->statements.end(), is_empty));
}

/// Whether an expression keeps its value while `body` runs.
bool is_fixed_in(const Expr& expr, const Stmt& body, const loop::Var& loop_var) {
  const loop::FunctionUsage changes = loop::usage_of(body);
  bool fixed = true;
  loop::for_each(expr, [&](const Expr& each) {
    const auto& kind = each.node().kind;
    if (const auto* use = std::get_if<loop::VarUse>(&kind)) {
      fixed &= !(use->var == loop_var) && !changes.assigned.contains(use->var);
    } else if (const auto* load = std::get_if<loop::Load>(&kind)) {
      // A function that the body calls may write to any array that it gets.
      fixed &= !changes.written.contains(load->array) && changes.calls.empty();
    } else if (std::holds_alternative<loop::Invoke>(kind) || std::holds_alternative<loop::LowerBound>(kind) ||
               std::holds_alternative<loop::Dot>(kind)) {
      fixed = false;
    }
  });
  return fixed;
}

/// Lets compilers run the iterations in lanes, and add what they reduce in any order.
std::string lanes_pragma(const loop::For& s) {
  std::string text = "#pragma omp simd";
  for (const loop::Reduction& each : s.reductions) {
    const std::string_view symbol = each.op == loop::StoreOp::Add          ? "+"
                                    : each.op == loop::StoreOp::Min        ? "min"
                                    : each.op == loop::StoreOp::Max        ? "max"
                                    : each.var.type().scalar == Type::Bool ? "||"
                                                                           : "|";
    text += fmt::format(" reduction({}:{})", symbol, each.var.name());
  }
  return text;
}

}  // namespace

struct StatementKindPrinter {
  StatementPrinter& p;

  void operator()(const loop::Declare& s) const { p.declare(s); }
  void operator()(const loop::Assign& s) const { p.assign(s); }
  void operator()(const loop::Store& s) const { p.store(s); }
  void operator()(const loop::If& s) const { p.branch(s); }
  void operator()(const loop::For& s) const { p.loop(s); }
  void operator()(const loop::While& s) const { p.loop(s); }
  void operator()(const loop::Block& s) const { p.block(s); }
  void operator()(const loop::Comment& s) const { p.lines_.add(fmt::format("// {}", comment_text(s.text))); }
  void operator()(const loop::Allocate& s) const { p.allocate(s, false); }
  void operator()(const loop::Resize& s) const { p.resize(s); }
  void operator()(const loop::Release& s) const {
    p.lines_.add(fmt::format("ctx->release(ctx->state, {});", s.array.name()));
  }
  // Nobody reads what a move leaves behind: the interpreter refuses every use of it. So C need not make it null.
  void operator()(const loop::Keep& s) const {
    p.lines_.add(fmt::format("{}[{}] = {};", s.shelf.name(), p.expressions_.value(s.index), s.array.name()));
  }
  void operator()(const loop::Take& s) const { p.take(s, false); }
  void operator()(const loop::Sort& s) const {
    if (s.marks) {
      const std::string name = p.requirements_.prelude.use("sort_marked", s.array.type().scalar);
      p.lines_.add(fmt::format("{}({}, {}, {}, {});", name, s.array.name(), p.expressions_.value(s.high),
                               s.marks->name(), p.expressions_.value(s.places)));
      return;
    }
    const std::string name = p.requirements_.prelude.use("sort", s.array.type().scalar);
    p.lines_.add(fmt::format("{}({}, {}, {});", name, s.array.name(), p.expressions_.value(s.low),
                             p.expressions_.value(s.high)));
  }
  void operator()(const loop::Fill& s) const { p.fill(s); }
  void operator()(const loop::MatrixProduct& s) const { p.matrix_product(s); }
  void operator()(const loop::Prefetch& s) const {
    p.lines_.add(fmt::format("{}(&{}[{}]);", p.requirements_.prelude.use("prefetch"), s.array.name(),
                             p.expressions_.value(s.index)));
  }
  void operator()(const loop::Exchange& s) const {
    p.lines_.add(fmt::format("{} = {}(lacuna_room, {}, {});", s.var.name(),
                             p.requirements_.prelude.use("exchange", s.var.type().scalar), s.offset, s.value.name()));
  }
  void operator()(const loop::Barrier& s) const { p.lines_.add(fmt::format("LACUNA_BARRIER({});", s.group)); }
  void operator()(const loop::Fence&) const { p.lines_.add(p.requirements_.end_of_streams() + ";"); }
  void operator()(const loop::Launch& s) const { internal_check(false, "the launch {} is printed as C", s.name); }
  void operator()(const loop::ReadBack& s) const {
    internal_check(false, "{} is read back in a kernel printed as C", s.array.name());
  }
  void operator()(const loop::Evaluate& s) const { p.call(s); }
  void operator()(const loop::Return& s) const { p.leave(s); }
  void operator()(const loop::Break&) const { p.lines_.add("break;"); }
};

void StatementPrinter::print(const loop::StmtNode& stmt) { std::visit(StatementKindPrinter{*this}, stmt.kind); }

void StatementPrinter::print_body(const Stmt& body) {
  lines_.indent();
  print(body);
  lines_.outdent();
}

void StatementPrinter::block(const loop::Block& s) {
  for (std::size_t k = 0; k < s.statements.size(); k++) {
    const auto* declare = std::get_if<loop::Declare>(&s.statements[k]->kind);
    const loop::StmtNode* next = k + 1 < s.statements.size() ? s.statements[k + 1].get() : nullptr;
    const auto* allocation = next ? std::get_if<loop::Allocate>(&next->kind) : nullptr;
    const auto* taken = next ? std::get_if<loop::Take>(&next->kind) : nullptr;
    if (declare && allocation && declare->var == allocation->array) {
      allocate(*allocation, true);
      k++;
    } else if (declare && taken && declare->var == taken->array) {
      take(*taken, true);
      k++;
    } else {
      print(s.statements[k]);
    }
  }
}

void StatementPrinter::declare(const loop::Declare& s) {
  const loop::IrType& type = s.var.type();
  requirements_.type(type.scalar);
  const std::string start = declarator(type, false, false) + s.var.name();
  if (s.size > 0) {
    const std::string_view zero = expressions_.has_pairs(type.scalar) ? "{0, 0}" : "0";
    return lines_.add(fmt::format("{} {}[{}] = {{{}}};", element_c_type(type), s.var.name(), s.size, zero));
  }
  if (type.is_memory()) return lines_.add(start + " = NULL;");
  if (!s.init.defined()) return lines_.add(start + ";");
  if (const auto* call = std::get_if<loop::Invoke>(&s.init.node().kind); call && calls_failing(s.init)) {
    lines_.add(start + ";");
    return checked_call(*call, "&" + s.var.name());
  }
  lines_.add(fmt::format("{} = {};", start, expressions_.whole_value(s.init)));
}

void StatementPrinter::fail_unless(const std::string& condition) {
  lines_.add(fmt::format("if (!{}) return LACUNA_OUT_OF_MEMORY;", condition));
}

void StatementPrinter::allocate(const loop::Allocate& s, bool declares) {
  const std::string& name = s.array.name();
  declares |= undeclared_.erase(s.array) > 0;
  const std::string function = requirements_.prelude.use(s.zeroed ? "allocate_zeroed" : "allocate");
  requirements_.type(s.array.type().scalar);
  // Memory that has one owner all its life is nobody else's.
  const bool alone = !s.array.type().is_shelf() && !function_.usage.moved.contains(s.array);
  lines_.add(fmt::format("{}{} = {}(ctx, {}, sizeof *{});", declares ? declarator(s.array.type(), false, alone) : "",
                         name, function, expressions_.value(s.count), name));
  fail_unless(name);
}

void StatementPrinter::take(const loop::Take& s, bool declares) {
  declares |= undeclared_.erase(s.array) > 0;
  requirements_.type(s.array.type().scalar);
  lines_.add(fmt::format("{}{} = {}[{}];", declares ? declarator(s.array.type(), false, false) : "", s.array.name(),
                         s.shelf.name(), expressions_.value(s.index)));
}

void StatementPrinter::resize(const loop::Resize& s) {
  const std::string& name = s.array.name();
  lines_.add(fmt::format("{} = {}(ctx, {}, {}, sizeof *{});", name, requirements_.prelude.use("resize"), name,
                         expressions_.value(s.count), name));
  fail_unless(name);
}

void StatementPrinter::fill(const loop::Fill& s) {
  std::string value = expressions_.value(s.value);
  const auto& kind = s.value.node().kind;
  if (!std::holds_alternative<loop::Constant>(kind) && !std::holds_alternative<loop::VarUse>(kind)) {
    const std::string name = names_.unique("value");
    lines_.add(fmt::format("const {}{} = {};", declarator(s.value.type(), false, false), name, value));
    value = name;
  }
  loop::NameSupply inner = names_;  // the name is free again after the loop
  const loop::Var k(inner.unique("k"), loop::scalar_type(Type::Int64));
  const loop::Store body{s.array, k, std::nullopt, loop::StoreOp::Set, s.value};
  const std::string high = bound(k, s.high, std::make_shared<const loop::StmtNode>(loop::StmtNode{body}));
  lines_.add(fmt::format("for (int64_t {0} = {1}; {0} < {2}; {0}++) {3}[{0}] = {4};", k.name(),
                         expressions_.value(s.low), high, s.array.name(), value));
}

void StatementPrinter::matrix_product(const loop::MatrixProduct& s) {
  const Type type = s.target.array.type().scalar;
  const auto number = [&](const loop::Expr& e) { return expressions_.blas_size(e); };
  const auto constant = [&](double x) { return expressions_.value(loop::Expr(Scalar(x).convert(type))); };
  const auto transposition = [](const loop::Matrix& m) { return m.transposed ? "CblasTrans" : "CblasNoTrans"; };
  std::vector<std::string> arguments;
  const auto add = [&](const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  switch (s.routine) {
    case loop::Routine::Gemm:
      add({"CblasRowMajor", transposition(s.left), transposition(*s.right)});
      add({number(s.rows), number(s.columns), number(s.inner)});
      break;
    case loop::Routine::Gemv:  // rows and columns as the matrix is stored
      add({"CblasRowMajor", transposition(s.left)});
      add({number(s.left.transposed ? s.inner : s.rows), number(s.left.transposed ? s.rows : s.inner)});
      break;
    case loop::Routine::Ger: add({"CblasRowMajor", number(s.rows), number(s.columns)}); break;
    case loop::Routine::Axpy: add({number(s.rows)}); break;
  }
  const auto matrix = [&](const loop::Matrix& m) { add({expressions_.address(m.array, m.first), number(m.stride)}); };
  arguments.push_back(s.scalar.defined() ? expressions_.value(s.scalar) : constant(1));
  matrix(s.left);
  if (s.right) matrix(*s.right);
  const bool scales_target = s.routine == loop::Routine::Gemm || s.routine == loop::Routine::Gemv;
  if (scales_target) arguments.push_back(constant(s.adds ? 1 : 0));
  matrix(s.target);
  lines_.add_list(requirements_.blas(s.routine, type) + "(", arguments, ");");
}

void StatementPrinter::chain(const loop::If& s, const std::string& start) {
  lines_.add(fmt::format("{}if ({}) {{", start, expressions_.value(s.condition)));
  print_body(s.then_branch);
  if (is_empty(s.else_branch)) return lines_.add("}");
  if (const auto* next = std::get_if<loop::If>(&s.else_branch->kind)) return chain(*next, "} else ");
  lines_.add("} else {");
  print_body(s.else_branch);
  lines_.add("}");
}

void StatementPrinter::branch(const loop::If& s) {
  if (is_empty(s.else_branch) && is_short(s.then_branch)) {
    Lines alone;
    StatementPrinter one_line(alone, expressions_, requirements_, usage_, names_, function_);
    one_line.result_ = result_;
    one_line.in_task_ = in_task_;
    one_line.takes_turns_ = takes_turns_;
    one_line.print(s.then_branch);
    const std::string condition = fmt::format("if ({}) ", expressions_.value(s.condition));
    const std::vector<std::string>& lines = alone.lines();
    const std::size_t indent = static_cast<std::size_t>(lines_.level()) * 2;
    if (lines.size() == 1 && !lines[0].starts_with("if") && indent + condition.size() + lines[0].size() <= line_width)
      return lines_.add(condition + lines[0]);
  }
  chain(s, "");
}

/// The upper bound of a loop as its condition may say it. IR evaluates a bound once, C before every iteration: one that
/// could change meanwhile is put into a variable.
std::string StatementPrinter::bound(const loop::Var& var, const Expr& bound, const Stmt& body) {
  if (is_fixed_in(bound, body, var)) {
    PrintedExpr high = expressions_.print(bound);
    const Type type = var.type().scalar;
    const Type common = promote(type, high.type);
    const PrintedExpr counter{var.name(), Precedence::Postfix, type};
    if (!holds(common, counter) || !holds(common, high)) high = cast_to(high, type);
    return parenthesized(high, Precedence::Sum);
  }
  const std::string name = names_.unique(var.name() + "_end");
  lines_.add(fmt::format("const {}{} = {};", declarator(var.type(), false, false), name, expressions_.value(bound)));
  return name;
}

void StatementPrinter::loop(const loop::For& s) {
  const std::string& name = s.var.name();
  if (s.task && !in_task_) return launch(s);
  const bool has_ends = s.setup || s.teardown || !s.sums.empty();
  const Stmt inside = has_ends ? loop::block({s.setup, s.body, s.teardown}) : s.body;
  const std::string high = bound(s.var, s.high, inside);
  const std::string step = s.step == 1 ? name + "++" : fmt::format("{} += {}", name, s.step);
  const std::string header = fmt::format("for ({}{} = {}; {} < {}; {}) {{", declarator(s.var.type(), false, false),
                                         name, expressions_.value(s.low), name, high, step);
  // Threads are busy already, and more of them would only be in their way.
  internal_check(s.mode != loop::LoopMode::Parallel || in_task_, "the parallel loop over {} is not outlined", name);
  if (has_ends) return alone(s, header);
  if (s.lanes > 0) return loop_of_vectors(s);
  if (s.mode == loop::LoopMode::Vector) lines_.add_unindented(lanes_pragma(s));
  if (s.unroll > 0) lines_.add_unindented(fmt::format("#pragma GCC unroll {}", s.unroll));
  lines_.add(header);
  print_body(s.body);
  lines_.add("}");
}

void StatementPrinter::loop_of_vectors(const loop::For& s) {
  const std::string& name = s.var.name();
  const auto count = std::get<loop::Constant>(s.high.node().kind).value.as<std::int64_t>();
  if (count > s.lanes) lines_.add_unindented(fmt::format("#pragma GCC unroll {}", count / s.lanes));
  lines_.add(fmt::format("for ({}{} = 0; {} < {}; {} += {}) {{", declarator(s.var.type(), false, false), name, name,
                         count, name, s.lanes));
  expressions_.set_lanes(s.lanes);
  print_body(s.body);
  expressions_.set_lanes(0);
  lines_.add("}");
}

void StatementPrinter::loop(const loop::While& s) {
  lines_.add(fmt::format("while ({}) {{", expressions_.value(s.condition)));
  print_body(s.body);
  lines_.add("}");
}

bool StatementPrinter::calls_failing(const Expr& expr) const {
  const auto* call = std::get_if<loop::Invoke>(&expr.node().kind);
  const auto found = call ? usage_.functions.find(call->function) : usage_.functions.end();
  return found != usage_.functions.end() && found->second.can_fail;
}

/// A call that hands its value out through a pointer, if it has one, and its status back.
void StatementPrinter::checked_call(const loop::Invoke& call, const std::string& pointer) {
  const std::string out = pointer.empty() ? "" : ", " + pointer;
  const std::string text = expressions_.call_start(call) + out + ")";
  lines_.add(fmt::format("if ({} != LACUNA_OK) return LACUNA_OUT_OF_MEMORY;", text));
}

void StatementPrinter::call(const loop::Evaluate& s) {
  const auto& invoke = std::get<loop::Invoke>(s.call.node().kind);
  if (!calls_failing(s.call)) return lines_.add(expressions_.call_start(invoke) + ");");
  std::string unused;
  if (s.call.type().kind != loop::IrType::Kind::Void) {
    const std::string name = names_.unique("unused");
    lines_.add(fmt::format("{}{};", declarator(s.call.type(), false, false), name));
    unused = "&" + name;
  }
  checked_call(invoke, unused);
}

void StatementPrinter::leave(const loop::Return& s) {
  if (!result_)
    return lines_.add(s.value.defined() ? fmt::format("return {};", expressions_.whole_value(s.value)) : "return;");
  if (s.value.defined() && calls_failing(s.value)) {
    checked_call(std::get<loop::Invoke>(s.value.node().kind), *result_);
  } else if (s.value.defined()) {
    lines_.add(fmt::format("*{} = {};", *result_, expressions_.whole_value(s.value)));
  }
  lines_.add("return LACUNA_OK;");
}

}  // namespace lacuna
