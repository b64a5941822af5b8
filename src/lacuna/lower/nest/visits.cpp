#include "lacuna/lower/nest/visits.h"

#include <algorithm>

#include "lacuna/concrete/walk.h"
#include "lacuna/lower/nest/body.h"
#include "lacuna/lower/nest/parallel.h"
#include "lacuna/lower/nest/sharing.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Whether a tensor is a result that is put together in the order of its coordinates.
bool is_appended(const concrete::Tensor& t) {
  using concrete::Assembly;
  return t.role == concrete::Role::Result && (t.assembly == Assembly::Append || t.assembly == Assembly::Insert);
}

/// The first result that a loop with this body puts together in the order of its coordinates; null where there is none.
const concrete::Tensor* appended_in(const concrete::Program& program, const concrete::Stmt& body) {
  for (const concrete::Tensor& r : program.results())
    if (is_appended(r) && concrete::assigns(body, r.var)) return &r;
  return nullptr;
}

const Cursor& cursor_of(const OpenLoop& loop) { return *loop.cursors.all().front(); }

loop::Expr root_of(const OpenLoop& loop) {
  return root_under(loop.context, cursor_of(loop).at, cursor_of(loop).parent());
}

loop::Stmt at_element(OpenLoop& loop, const dynamic::Element& element) {
  Statements inside;
  const loop::Var v =
      loop.context.named(loop.forall.var.name(), loop::convert(element.coordinate, Type::Int64), inside);
  Handle handle{loop::Expr(0), {}, loop::Expr(true), {}};
  handle.slot = element.slot;
  lead_on(loop.context, cursor_of(loop).at, element.value, handle, inside);
  const loop::Stmt done = body_at(loop, v, handle);
  inside.push_back(loop.window ? loop::if_then(loop.low() <= loop::Expr(v) && loop::Expr(v) < loop.high(), done)
                               : done);
  return loop::block(std::move(inside));
}

/// In how many parts threads take the visit.
loop::Expr wanted_tasks(const OpenLoop& loop) {
  const LevelAt& at = cursor_of(loop).at;
  const loop::Expr entries = loop.context.scalar(at.path.tensor, at.level, DescriptorField::Positions);
  return number_of_shares(loop.context, entries, workload_of(loop));
}

/// The loop over the parts of a visit. Each thread has a stack of its own for what is left to come to.
loop::Stmt loop_over_tasks(OpenLoop& loop, const VisitState& state, const loop::Expr& wanted,
                           const loop::LoopOptions& options) {
  Context& context = loop.context;
  const dynamic::Visit& visit = state.visit;
  const bool is_tree = visit.needs_stack();
  const std::string& name = loop.forall.var.name();
  Statements all, after, found, body;
  const loop::Var task = context.fresh_index(name + "_task");
  const dynamic::Subtrees tasks{
      declare_visit_stack(context, visit, name + (is_tree ? "_subtrees" : "_stretches"), all, after),
      context.fresh_index(name + "_count"), context.fresh_index(name + (is_tree ? "_expanded" : "_nodes"))};
  context.need(tasks.queue.memory());
  const loop::Expr root = root_of(loop);
  const auto at = [&](const dynamic::Element& e) { return at_element(loop, e); };
  if (is_tree) {
    found = visit.find_subtrees(root, tasks, context.named(name + "_wanted", wanted, all));
    body = visit.subtree(root, tasks, task, *state.stack, at);
  } else {
    found = visit.find_stretches(root, tasks);
    body = visit.stretch(root, tasks, task, at);
  }
  all.insert(all.end(), found.begin(), found.end());
  all.push_back(loop::for_loop(task, 0, visit.tasks(tasks), loop::block(std::move(body)), options));
  all.insert(all.end(), after.begin(), after.end());
  return loop::block(std::move(all));
}

void emit_tasks(OpenLoop& loop, Statements& out) {
  check_directives(loop);
  const loop::Expr wanted = wanted_tasks(loop);
  loop::LoopOptions options = execution_of(loop.context, loop.forall, loop.scope);
  options.grain = 1;
  loop.run_serially();
  const VisitState& state = loop.scope.visits.at({cursor_of(loop).path, cursor_of(loop).at.level, false});
  if (state.stack) loop.context.need(state.stack->memory());
  out.push_back(loop::comment("forall " + loop.forall.var.name() + (state.stack ? ", by subtrees" : ", by chunks")));
  out.insert(out.end(), loop.before.begin(), loop.before.end());
  out.push_back(loop::if_then(cursor_of(loop).parent().present, loop_over_tasks(loop, state, wanted, options)));
}

}  // namespace

bool needs_order(const concrete::Program& program, const concrete::Stmt& body) {
  return appended_in(program, body) != nullptr;
}

bool appends_in_any_order(const concrete::Program& program, const concrete::Forall& loop) {
  bool any = true;
  concrete::each_assign(loop.body, [&](const concrete::Assign& a) {
    const concrete::Tensor& t = program.at(a.target.tensor);
    if (!is_appended(t)) return;
    const auto mode = std::find(a.target.indices.begin(), a.target.indices.end(), loop.var);
    any = any && mode != a.target.indices.end() &&
          !t.format.level(t.format.map().level_of(static_cast<int>(mode - a.target.indices.begin()))).ordered;
  });
  return any;
}

bool reads_in_order(const Format& format, int level) {
  return format.level(level).ordered && level + 1 < format.order();
}

bool is_visit(const OpenLoop& loop) {
  const bool is_alone = loop.cursors.all().size() == 1 && loop.lattice.following == 0 && !loop.lattice.full;
  return is_alone && loop.comes_to_nodes() && (!loop.window || !cursor_of(loop).at.format.ordered);
}

void check_order_of_nodes(const OpenLoop& loop) {
  for (const auto& cursor : loop.cursors.all()) {
    const LevelAt& at = cursor->at;
    if (!at.format.is_dynamic() || at.format.ordered) continue;
    const std::string& tensor = at.path.tensor.name();
    if (!is_visit(loop))
      user_error(
          "level {} of {}, {}, has its elements in no order, and the loop over {} visits what other operands store, "
          "too; convert {} to a format that is ordered",
          at.level + 1, tensor, at.format.name(), loop.forall.var.name(), tensor);
    if (const concrete::Tensor* result = appended_in(loop.context.program(), loop.forall.body))
      user_error(
          "level {} of {}, {}, has its elements in no order, and {} is put together in the order of {}; convert {} to "
          "a format that is ordered",
          at.level + 1, tensor, at.format.name(), result->var.name(), loop.forall.var.name(), tensor);
  }
}

void emit_visit(OpenLoop& loop, Statements& out) {
  const LevelAt& at = cursor_of(loop).at;
  const bool in_order = needs_order(loop.context.program(), loop.forall.body) ||
                        reads_in_order(loop.context.program().at(at.path.tensor).format, at.level);
  const auto& [visit, stack] = loop.scope.visits.at({cursor_of(loop).path, at.level, in_order});
  if (stack) loop.context.need(stack->memory());
  Statements loops = visit.loops(root_of(loop), stack, [&](const dynamic::Element& e) { return at_element(loop, e); });
  out.push_back(loop::if_then(cursor_of(loop).parent().present, loop::block(std::move(loops))));
}

bool comes_to_all_nodes(const OpenLoop& loop) {
  return is_visit(loop) && !loop.window && !needs_order(loop.context.program(), loop.forall.body);
}

/// To find the stretches of a list takes time, so that one thread runs the loop as if it were alone; the subtrees of a
/// tree are found at once.
void emit_shared_visit(OpenLoop& loop, Statements& out) {
  const LevelAt& at = cursor_of(loop).at;
  const auto fresh = [](const std::string& name, const loop::IrType& type) { return loop::Var(name, type); };
  const dynamic::Structure& structure = loop.context.dynamic_level(at.path.tensor, at.level).structure();
  if (dynamic::Visit(structure, false, fresh).needs_stack()) return emit_tasks(loop, out);
  iteration::Node serial = loop.node;
  serial.stmt = concrete::forall(loop.forall.var, loop.forall.body);
  Scope own = loop.scope;
  Statements alone, after, shared;
  declare_temporaries(loop.context, serial.stmt, own, alone, after);
  OpenLoop serial_loop(loop.context, loop.results, serial, own);
  emit_loop(serial_loop, alone);
  alone.insert(alone.end(), after.begin(), after.end());
  const loop::Expr pays = loop::Expr(loop.context.threads()) > loop::Expr(1) && wanted_tasks(loop) > loop::Expr(1);
  emit_tasks(loop, shared);
  out.push_back(loop::if_then(pays, loop::block(std::move(shared)), loop::block(std::move(alone))));
}

}  // namespace lacuna
