#include <algorithm>

#include <fmt/format.h>

#include "lacuna/codegen/c/statement.h"
#include "lacuna/loop/build.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/error.h"

// Parallel loops. A failure inside must not keep any thread from the loop that all share: it raises a flag and ends
// only what the thread is at. The flag is raised in one place, behind that: text, and what compilers take for it, stay
// short.
namespace lacuna {
namespace {

using loop::Stmt;

std::string_view reduction_symbol(loop::StoreOp op, Type type) {
  switch (op) {
    case loop::StoreOp::Add: return "+";
    case loop::StoreOp::Min: return "min";
    case loop::StoreOp::Max: return "max";
    case loop::StoreOp::Or: return type == Type::Bool ? "||" : "|";
    case loop::StoreOp::Set: break;
  }
  throw InternalError("internal error: a reduction that only sets");
}

/// Whether the loop reduces to a value that depends on which iterations come together.
bool has_ordered_sum(const loop::For& s) {
  return std::any_of(s.reductions.begin(), s.reductions.end(), [](const loop::Reduction& each) {
    return each.op == loop::StoreOp::Add && !is_integer(each.var.type().scalar);
  });
}

/// Whether threads add what they have of their own to what all share.
bool stores_atomically(const Stmt& stmt) {
  if (!stmt) return false;
  bool found = false;
  loop::for_each(stmt, [&](const Stmt& each) {
    const auto* store = std::get_if<loop::Store>(&each->kind);
    found |= store != nullptr && store->atomic;
  });
  return found;
}

/// Chunks are dealt out as threads get free: rows of sparse tensors differ too much in work for equal shares. A sum's
/// order must not depend on that. Dealing out a chunk costs as much as some dozen entries.
std::string schedule(const loop::For& s, const std::string& iterations) {
  constexpr int chunks = 64;
  const bool fixed = has_ordered_sum(s) || stores_atomically(s.teardown);
  if (s.grain > 0) return fmt::format(" schedule({}, {})", fixed ? "static" : "dynamic", s.grain);
  if (!s.reductions.empty()) return " schedule(static)";
  return fmt::format(" schedule({}, 1 + {} / {})", fixed ? "static" : "dynamic", iterations, chunks);
}

/// The threads of a loop: one where all iterations are dealt to the first that asks. Said only where it is known at a
/// glance.
std::string team_of(const loop::For& s, const std::string& iterations) {
  std::string text = " num_threads(ctx->threads)";
  const auto* counted = std::get_if<loop::VarUse>(&s.high.node().kind);
  if (s.grain > 0 && counted != nullptr && iterations == counted->var.name())
    text += fmt::format(" if ({} > {})", iterations, s.grain);
  return text;
}

/// A value for a variable that is declared before it is known.
Stmt declared_empty(const loop::Var& var) {
  if (var.type().is_memory()) return loop::declare_array(var);
  return loop::declare(
      var, var.type().is_ref() ? loop::null_ref(var.type().record) : loop::Expr(Scalar(0).convert(var.type().scalar)));
}

bool declares(const Stmt& stmt) {
  bool found = false;
  loop::for_each(stmt, [&](const Stmt& each) { found |= std::holds_alternative<loop::Declare>(each->kind); });
  return found;
}

}  // namespace

std::string StatementPrinter::reduction_clauses(const loop::For& s) {
  std::string text;
  for (const loop::Reduction& each : s.reductions) {
    text += fmt::format(" reduction({}:{})", reduction_symbol(each.op, each.var.type().scalar), each.var.name());
  }
  return text;
}

/// A loop without setup and teardown.
void StatementPrinter::parallel_body(const loop::For& s, const ParallelHeader& header) {
  const bool fails = can_fail(s.body);
  const std::string failed = fails ? names_.unique("failed") : "";
  if (fails) lines_.add(fmt::format("int32_t {} = 0;", failed));
  lines_.add_unindented("#pragma omp parallel for" + schedule(s, header.iterations) + team_of(s, header.iterations) +
                        reduction_clauses(s));
  lines_.add(header.text);
  lines_.indent();
  phase(s.body, failed, "");
  lines_.outdent();
  lines_.add("}");
  if (fails) lines_.add(fmt::format("if ({}) return LACUNA_OUT_OF_MEMORY;", failed));
}

/// A loop whose threads have something of their own. Every thread comes to the shared loop, whatever failed before; its
/// end is a barrier, after which the flag is raised no more but by a teardown.
void StatementPrinter::team(const loop::For& s, const ParallelHeader& header) {
  const bool fails = can_fail(s.setup) || can_fail(s.body) || can_fail(s.teardown);
  const std::string failed = fails ? names_.unique("failed") : "";
  const std::string stop = fails ? names_.unique("stop") : "";
  if (fails) lines_.add(fmt::format("int32_t {} = 0;", failed));
  sum_ = own_sum(s);
  if (sum_) allocate_places(*sum_);
  const bool in_turns = !sum_ && stores_atomically(s.teardown) && !can_fail(s.teardown);
  turns_ = in_turns ? names_.unique("team") : "";
  if (in_turns) lines_.add(fmt::format("int32_t {} = 0;", turns_));
  // Setup and teardown may add to what is reduced, too, so it is the thread's own from the start.
  lines_.add_unindented("#pragma omp parallel" + team_of(s, header.iterations) + reduction_clauses(s));
  lines_.add("{");
  lines_.indent();
  if (in_turns) {
    lines_.add_unindented("#pragma omp atomic");
    lines_.add(turns_ + "++;");
  }
  if (s.setup) phase(declared_before_failures(s.setup), failed, "ready_" + s.var.name());
  if (sum_) show_own(*sum_);
  lines_.add_unindented("#pragma omp for" + schedule(s, header.iterations));
  lines_.add(header.text);
  lines_.indent();
  if (fails) {
    read_flag(failed, stop);
    lines_.add(fmt::format("if ({}) continue;", stop));
  }
  phase(s.body, failed, "");
  lines_.outdent();
  lines_.add("}");
  if (s.teardown) teardown_of_team(s, failed, stop);
  lines_.outdent();
  lines_.add("}");
  if (fails) lines_.add(fmt::format("if ({}) return LACUNA_OUT_OF_MEMORY;", failed));
  if (sum_) lines_.add(fmt::format("ctx->release(ctx->state, {});", sum_->places));
  sum_.reset();
}

/// After a failure the caller takes all memory back, and what the teardown would touch may not be there. The shared
/// loop is over for all threads.
void StatementPrinter::teardown_of_team(const loop::For& s, const std::string& failed, const std::string& stop) {
  if (failed.empty()) return teardown_phase(s, failed, "");
  const bool raises = can_fail(s.teardown);
  if (raises) read_flag(failed, stop);
  lines_.add(fmt::format("if (!{}) {{", raises ? stop : failed));
  lines_.indent();
  teardown_phase(s, failed, "done_" + s.var.name());
  lines_.outdent();
  lines_.add("}");
}

/// Threads that add to what all share do so one after the other, in their order, so that a sum does not depend on who
/// is done first.
void StatementPrinter::teardown_phase(const loop::For& s, const std::string& failed, const std::string& label) {
  if (sum_) return add_up(*sum_);
  if (turns_.empty()) return phase(s.teardown, failed, label);
  const std::string round = names_.unique("round");
  lines_.add_unindented("#pragma omp for ordered schedule(static, 1)");
  lines_.add(fmt::format("for (int32_t {0} = 0; {0} < {1}; {0}++) {{", round, turns_));
  lines_.indent();
  lines_.add_unindented("#pragma omp ordered");
  lines_.add("{");
  lines_.indent();
  takes_turns_ = true;
  phase(s.teardown, failed, label);
  takes_turns_ = false;
  lines_.outdent();
  lines_.add("}");
  lines_.outdent();
  lines_.add("}");
}

void StatementPrinter::read_flag(const std::string& failed, const std::string& stop) {
  lines_.add(fmt::format("int32_t {};", stop));
  lines_.add_unindented("#pragma omp atomic read");
  lines_.add(fmt::format("{} = {};", stop, failed));
}

/// What a thread does up to a label, which is there only where something jumps to it; without one, an iteration.
void StatementPrinter::phase(const Stmt& stmt, const std::string& failed, const std::string& label) {
  ParallelLoop parallel{failed, can_fail(stmt) ? names_.unique("no_memory") : ""};
  Lines inside(lines_.level());
  StatementPrinter inner(inside, expressions_, requirements_, usage_, names_);
  inner.parallel_ = &parallel;
  inner.takes_turns_ = takes_turns_;
  inner.sum_ = sum_;
  inner.print(stmt);
  lines_.append(inside);
  if (parallel.used) raise_flag(parallel, label.empty() ? "" : names_.unique(label));
}

/// Where failures lead to; what has not failed goes on behind.
void StatementPrinter::raise_flag(const ParallelLoop& parallel, const std::string& behind) {
  lines_.add(behind.empty() ? "continue;" : fmt::format("goto {};", behind));
  lines_.add_unindented(parallel.label + ":;");
  lines_.add_unindented("#pragma omp atomic write");
  lines_.add(parallel.failed + " = 1;");
  if (!behind.empty()) lines_.add_unindented(behind + ":;");
}

/// A loop inside a parallel one, which its thread runs alone.
void StatementPrinter::alone(const loop::For& s, const std::string& header) {
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
  const FunctionUsage usage = usage_of(stmt);
  return usage.can_fail || std::any_of(usage.calls.begin(), usage.calls.end(), [&](const std::string& each) {
           const auto callee = usage_.functions.find(each);
           return callee != usage_.functions.end() && callee->second.can_fail;
         });
}

/// The setup with the variables that a failure would jump over declared before: the loop names them, and a compiler
/// cannot see that it then does nothing.
Stmt StatementPrinter::declared_before_failures(const Stmt& setup) const {
  const auto* block = std::get_if<loop::Block>(&setup->kind);
  const std::vector<Stmt> list = block ? block->statements : std::vector<Stmt>{setup};
  const auto failing = std::find_if(list.begin(), list.end(), [&](const Stmt& each) { return can_fail(each); });
  std::vector<Stmt> all, after;
  for (auto each = failing; each != list.end(); ++each) {
    const auto* declare = std::get_if<loop::Declare>(&(*each)->kind);
    if (!declare) {
      after.push_back(*each);
      continue;
    }
    if (declare->size > 0) {
      all.push_back(*each);
      continue;
    }
    all.push_back(declared_empty(declare->var));
    if (declare->init.defined()) after.push_back(loop::assign(declare->var, declare->init));
  }
  all.insert(all.end(), list.begin(), failing);
  all.insert(all.end(), after.begin(), after.end());
  return loop::block(std::move(all));
}

}  // namespace lacuna
