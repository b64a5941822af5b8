#include <fmt/format.h>

#include "lacuna/codegen/c/statement.h"
#include "lacuna/codegen/c_family/type_text.h"
#include "lacuna/loop/array_use.h"
#include "lacuna/loop/build.h"

// Threads that each add to an array of their own, which are added up when all are done: slice by slice, so that every
// thread takes part, and in the order of the threads, so that a sum does not depend on who is done first. The first
// thread's own is the one that all share, which nobody else touches before. What that holds already is kept: the first
// thread does not clear it, so its own must only be added to.
namespace lacuna {
namespace {

using loop::Stmt;

constexpr int elements_a_slice = 1024;  // stay in a core's first cache while the threads' arrays pass by

/// A block's statements, or the one that the statement is.
std::vector<Stmt> list_of(const Stmt& stmt) {
  const auto* block = std::get_if<loop::Block>(&stmt->kind);
  return block != nullptr ? block->statements : std::vector<Stmt>{stmt};
}

bool is_use_of(const loop::Expr& e, const loop::Var& v) {
  const auto* use = std::get_if<loop::VarUse>(&e.node().kind);
  return use != nullptr && use->var == v;
}

/// Whether the setup makes the array and fills it with zeros, and the loop does no more to it than to add.
bool starts_at_zero(const loop::For& s, const loop::Var& own) {
  bool zeroed = false;
  for (const Stmt& each : list_of(s.setup)) {
    const auto* allocate = std::get_if<loop::Allocate>(&each->kind);
    const auto* fill = std::get_if<loop::Fill>(&each->kind);
    if (allocate != nullptr && allocate->array == own) zeroed = allocate->zeroed;
    else if (fill != nullptr && fill->array == own) zeroed = loop::is_constant(fill->value, 0);
    else if (!loop::only_adds_to(each, own)) return false;
  }
  return zeroed && loop::only_adds_to(s.body, own);
}

}  // namespace

std::optional<StatementPrinter::OwnSum> StatementPrinter::own_sum(const loop::For& s) {
  if (!s.setup || !s.teardown) return std::nullopt;
  const std::vector<Stmt> steps = list_of(s.teardown);
  const auto* all = steps.size() == 2 ? std::get_if<loop::For>(&steps[0]->kind) : nullptr;
  const auto* release = steps.size() == 2 ? std::get_if<loop::Release>(&steps[1]->kind) : nullptr;
  if (all == nullptr || release == nullptr || all->step != 1 || all->setup || all->teardown) return std::nullopt;
  const std::vector<Stmt> body = list_of(all->body);
  const auto* store = body.size() == 1 ? std::get_if<loop::Store>(&body[0]->kind) : nullptr;
  const bool adds = store != nullptr && store->atomic && store->op == loop::StoreOp::Add && !store->member;
  if (!adds || store->array.type().scalar == Type::Bool) return std::nullopt;
  const auto* load = std::get_if<loop::Load>(&store->value.node().kind);
  const bool of_own = load != nullptr && load->array == release->array && !load->member;
  const bool alike = of_own && is_use_of(load->index, all->var) && is_use_of(store->index, all->var);
  if (!alike || !loop::is_constant(all->low, 0) || !starts_at_zero(s, release->array)) return std::nullopt;
  return OwnSum{store->array, release->array, all->var, all->high, names_.unique(release->array.name() + "s")};
}

bool StatementPrinter::is_own(const loop::Var& array) const { return sum_ && sum_->own == array; }

/// Where the threads put their arrays for all to see.
void StatementPrinter::allocate_places(const OwnSum& sum) {
  requirements_.prototype("int omp_get_thread_num(void);");
  lines_.add(fmt::format("{}*{} = {}(ctx, ctx->threads, sizeof *{});", declarator(sum.own.type(), false, false),
                         sum.places, requirements_.prelude.use("allocate"), sum.places));
  fail_unless(sum.places);
}

void StatementPrinter::show_own(const OwnSum& sum) {
  lines_.add(fmt::format("{}[omp_get_thread_num()] = {};", sum.places, sum.own.name()));
}

/// After the barrier at the end of the shared loop. The one at the end of this loop comes before any array is released.
void StatementPrinter::add_up(const OwnSum& sum) {
  requirements_.prototype("int omp_get_num_threads(void);");
  const std::string size = expressions_.value(sum.count), k = sum.k.name(), slice = names_.unique("slice"),
                    end = names_.unique("slice_end"), thread = names_.unique("thread"), from = names_.unique("from");
  lines_.add_unindented("#pragma omp for schedule(static)");
  lines_.add(fmt::format("for (int64_t {0} = 0; {0} < {1}; {0} += {2}) {{", slice, size, elements_a_slice));
  lines_.indent();
  lines_.add(fmt::format("int64_t {0} = {1} + {2} < {3} ? {1} + {2} : {3};", end, slice, elements_a_slice, size));
  lines_.add(fmt::format("for (int32_t {0} = 1; {0} < omp_get_num_threads(); {0}++) {{", thread));
  lines_.indent();
  lines_.add(fmt::format("const {}{} = {}[{}];", declarator(sum.own.type(), false, false), from, sum.places, thread));
  lines_.add(fmt::format("for (int64_t {0} = {1}; {0} < {2}; {0}++) {3}[{0}] += {4}[{0}];", k, slice, end,
                         sum.total.name(), from));
  lines_.outdent();
  lines_.add("}");
  lines_.outdent();
  lines_.add("}");
  lines_.add(fmt::format("if (omp_get_thread_num() > 0) ctx->release(ctx->state, {});", sum.own.name()));
}

}  // namespace lacuna
