#include "lacuna/lower/nest/parallel.h"

#include <algorithm>
#include <set>
#include <utility>

#include "lacuna/concrete/structure.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/lower/nest/visits.h"
#include "lacuna/lower/workspace/pattern_values.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

using concrete::Forall;
using concrete::Race;
using concrete::Role;
using concrete::Unit;

/// The scalars declared outside the loop that its iterations add to, and the flags of workspaces.
std::vector<loop::Reduction> reductions_of(const Forall& forall, const Scope& scope) {
  std::vector<loop::Reduction> reductions;
  const auto is_new = [&](const loop::Var& v) {
    return std::none_of(reductions.begin(), reductions.end(), [&](const auto& r) { return r.var == v; });
  };
  each_assign(forall.body, [&](const concrete::Assign& a) {
    if (const auto w = scope.workspaces.find(a.target.tensor); w != scope.workspaces.end()) {
      const std::optional<loop::Var>& flag = w->second->flag();
      if (flag && is_new(*flag)) reductions.push_back({*flag, loop::StoreOp::Or});
      return;
    }
    const auto it = scope.scalars.find(a.target.tensor);
    if (it == scope.scalars.end()) return;
    const ScalarState& s = it->second;
    if (!is_new(s.value)) return;
    reductions.push_back({s.value, loop::StoreOp::Add});
    if (s.has) reductions.push_back({*s.has, loop::StoreOp::Or});
    if (s.structural) reductions.push_back({*s.structural, loop::StoreOp::Or});
  });
  return reductions;
}

/// The results with indices to whose values iterations add, as they may where these are stored in place.
std::vector<const concrete::Tensor*> results_added_to(const Context& context, const concrete::Stmt& s) {
  using concrete::Assembly;
  std::vector<const concrete::Tensor*> found;
  for (const concrete::Tensor& r : context.program().results()) {
    const bool in_place = r.assembly == Assembly::Random || r.assembly == Assembly::SharedPattern;
    bool adds = false;
    each_assign(s, [&](const concrete::Assign& a) { adds = adds || (a.accumulate && a.target.tensor == r.var); });
    if (in_place && adds && r.format.order() > 0) found.push_back(&r);
  }
  return found;
}

/// Each thread adds to an array of its own, which is added to the result when the thread is done, or to that of the
/// thread that started it.
loop::OwnSum own_result(Context& context, const concrete::Tensor& result, Scope& scope) {
  const auto outer = scope.own_values.find(result.var);
  const loop::Var values =
      outer != scope.own_values.end() ? outer->second : context.array(result.var, 0, DescriptorField::Values);
  const loop::Var own = context.fresh(result.var.name() + "_own", values.type());
  scope.own_values.insert_or_assign(result.var, own);
  scope.atomic.erase(result.var);
  return {values, own, context.extents(result.var, 0, result.format.order()), context.fresh_index("k")};
}

/// Each thread collects in a workspace of its own, which is added to that of all when the thread is done. It is one
/// that all share in turn to threads of loops inside that do the same.
void own_workspace(Context& context, const TensorVar& workspace, const concrete::Stmt& body, Scope& scope,
                   loop::LoopOptions& options, Statements& setup, Statements& teardown) {
  Statements declarations, releases;
  const auto own = declare_workspace(context, context.program().at(workspace), declarations, releases);
  const std::shared_ptr<Workspace> all = std::exchange(scope.workspaces[workspace], own);
  std::erase(scope.flagged, workspace);
  own->begin_like(*all);
  const std::vector<TensorVar> inside = gathered_workspaces(context.program(), body);
  const bool gathers = std::find(inside.begin(), inside.end(), workspace) != inside.end();
  if (const auto sum = own->as_sum(*all); sum && !gathers) return options.sums.push_back(*sum);
  setup.insert(setup.end(), declarations.begin(), declarations.end());
  own->begin_own(setup);
  if (gathers) own->begin_gathering(setup);
  if (gathers) own->end_gathering(teardown);
  own->hand_over(*all, teardown);
  teardown.insert(teardown.end(), releases.begin(), releases.end());
}

void add_new(std::vector<TensorVar>& found, const TensorVar& t) {
  if (std::find(found.begin(), found.end(), t) == found.end()) found.push_back(t);
}

/// Whether a temporary lies in memory that has to be allocated.
bool has_array(const concrete::Tensor& t) { return t.role == Role::Workspace || t.role == Role::PatternValues; }

/// The temporaries with arrays that all iterations of a statement's loops share, until threads run some.
std::vector<TensorVar> shared_arrays(const concrete::Program& program, const concrete::Stmt& s) {
  std::vector<TensorVar> found;
  const auto add_all = [&](const concrete::Stmt& x) {
    for (const TensorVar& t : shared_arrays(program, x)) add_new(found, t);
  };
  if (const auto* f = std::get_if<Forall>(&s->kind); f != nullptr && on_threads(f->how.unit)) return found;
  const auto* where = std::get_if<concrete::Where>(&s->kind);
  if (where == nullptr) {
    each_part(s, add_all);
    return found;
  }
  each_own_assign(where->producer, [&](const concrete::Assign& a) {
    if (has_array(program.at(a.target.tensor))) add_new(found, a.target.tensor);
  });
  add_all(where->consumer);
  add_all(where->producer);
  return found;
}

}  // namespace

std::vector<TensorVar> gathered_workspaces(const concrete::Program& program, const concrete::Stmt& s) {
  std::vector<TensorVar> found;
  const auto* f = std::get_if<Forall>(&s->kind);
  if (f != nullptr && on_threads(f->how.unit) && f->how.race == Race::Temporary)
    each_assign(f->body, [&](const concrete::Assign& a) {
      if (program.at(a.target.tensor).role == Role::Workspace) add_new(found, a.target.tensor);
    });
  else
    each_part(s, [&](const concrete::Stmt& x) {
      for (const TensorVar& t : gathered_workspaces(program, x)) add_new(found, t);
    });
  return found;
}

namespace {

constexpr std::int64_t first_capacity = 64;  // of what grows

void declare_stack_array(const loop::Var& array, const loop::Var& capacity, Statements& before, Statements& after) {
  before.push_back(loop::declare_array(array));
  before.push_back(loop::allocate(array, capacity, false));
  after.push_back(loop::release(array));
}

dynamic::Walk declare_walk(Context& context, const dynamic::Iterator& iterator, Statements& before, Statements& after) {
  dynamic::Walk walk{context.fresh("walk", loop::arena_type(iterator.record()))};
  before.push_back(loop::declare_local(walk.record, 1));
  if (iterator.needs_stack()) {
    walk.capacity = context.named("frames_capacity", first_capacity, before);
    walk.nodes = context.fresh("frames", loop::array_type(Type::UInt32));
    walk.states = context.fresh("frame_states", loop::array_type(Type::Int64));
    for (const loop::Var& array : {*walk.nodes, *walk.states})
      declare_stack_array(array, *walk.capacity, before, after);
  }
  context.may_need(walk.memory());
  return walk;
}

void declare_visit(Context& context, const TensorVar& tensor, const std::tuple<int, int, bool>& key, Scope& scope,
                   Statements& before, Statements& after) {
  const auto [path, level, in_order] = key;
  // Without order, it is not come to in order: that is refused where the loop is lowered.
  const bool ordered = context.program().at(tensor).format.level(level).ordered;
  if (scope.visits.count(key) != 0 || (in_order && !ordered)) return;
  const auto fresh = [&](const std::string& name, const loop::IrType& type) { return context.fresh(name, type); };
  VisitState state{dynamic::Visit(context.dynamic_level(tensor, level).structure(), in_order, fresh), std::nullopt};
  if (state.visit.needs_stack()) state.stack = declare_visit_stack(context, state.visit, "stack", before, after);
  scope.visits.emplace(key, std::move(state));
}

/// Allocates what visits and walks of a loop over nodes need. Which of them it is, and so what is needed, is known when
/// it is lowered.
void declare_stacks_of(Context& context, const Forall& f, Scope& scope, Statements& before, Statements& after) {
  for (std::size_t p = 0; p < context.paths().size(); ++p) {
    const Path& path = context.paths()[p];
    const Format& format = context.program().at(path.tensor).format;
    for (int k = 0; k < format.order(); ++k) {
      const bool visited = format.level(k).is_dynamic() && path.variables[static_cast<std::size_t>(k)] == f.var &&
                           context.paths().is_read(p, f.body);
      if (!visited) continue;
      const std::pair<int, int> key{static_cast<int>(p), k};
      if (reads_in_order(format, k))
        declare_visit(context, path.tensor, {static_cast<int>(p), k, true}, scope, before, after);
      declare_visit(context, path.tensor, {static_cast<int>(p), k, needs_order(context.program(), f.body)}, scope,
                    before, after);
      if (format.level(k).ordered && scope.walks.count(key) == 0) {
        const dynamic::Iterator& iterator = context.dynamic_level(path.tensor, k).iterator();
        scope.walks.emplace(key, declare_walk(context, iterator, before, after));
      }
    }
  }
}

/// The same of all loops of a statement, until threads run some.
void declare_stacks(Context& context, const concrete::Stmt& s, Scope& scope, Statements& before, Statements& after) {
  if (const auto* f = std::get_if<Forall>(&s->kind)) {
    if (on_threads(f->how.unit)) return;
    declare_stacks_of(context, *f, scope, before, after);
  }
  each_part(s, [&](const concrete::Stmt& x) { declare_stacks(context, x, scope, before, after); });
}

}  // namespace

dynamic::VisitStack declare_visit_stack(Context& context, const dynamic::Visit& visit, const std::string& name,
                                        Statements& before, Statements& after) {
  dynamic::VisitStack stack{context.fresh(name, loop::array_type(Type::UInt32)), std::nullopt,
                            context.named(name + "_capacity", first_capacity, before)};
  declare_stack_array(stack.references, stack.capacity, before, after);
  if (visit.has_kinds()) {
    stack.kinds = context.fresh(name + "_kinds", loop::array_type(Type::Int64));
    declare_stack_array(*stack.kinds, stack.capacity, before, after);
  }
  context.may_need(stack.memory());
  return stack;
}

void declare_temporaries(Context& context, const concrete::Stmt& s, Scope& scope, Statements& before,
                         Statements& after) {
  declare_stacks(context, s, scope, before, after);
  for (const TensorVar& t : shared_arrays(context.program(), s)) {
    const concrete::Tensor& tensor = context.program().at(t);
    if (tensor.role == Role::PatternValues) {
      if (scope.pattern_values.count(t) == 0)
        scope.pattern_values.emplace(t, declare_pattern_values(context, tensor, before, after));
    } else if (scope.workspaces.count(t) == 0) {
      scope.workspaces.emplace(t, declare_workspace(context, tensor, before, after));
    }
  }
}

loop::LoopOptions execution_of(Context& context, const Forall& forall, Scope& scope) {
  loop::LoopOptions options;
  options.unroll = forall.how.unroll;
  if (forall.how.unit == Unit::Serial) return options;
  options.reductions = reductions_of(forall, scope);
  if (forall.how.unit == Unit::CpuVector) {
    options.mode = loop::LoopMode::Vector;
    return options;
  }
  options.mode = loop::LoopMode::Parallel;
  if (forall.how.unit == Unit::GpuBlock) options.unit = loop::DeviceUnit::Block;
  if (forall.how.unit == Unit::GpuWarp) options.unit = loop::DeviceUnit::Warp;
  Statements setup, teardown;
  std::set<TensorVar> owned;
  for (const concrete::Tensor* r : results_added_to(context, forall.body)) {
    if (forall.how.race == Race::Atomics) scope.atomic.insert(r->var);
    // Of blocks under another tensor's entries, iterations have their own: nothing else is accepted.
    const bool anywhere = r->assembly == concrete::Assembly::Random;
    if (anywhere && forall.how.race == Race::Temporary) options.sums.push_back(own_result(context, *r, scope));
  }
  if (forall.how.race == Race::Temporary)
    each_assign(forall.body, [&](const concrete::Assign& a) {
      if (!scope.workspaces.contains(a.target.tensor) || !owned.insert(a.target.tensor).second) return;
      own_workspace(context, a.target.tensor, forall.body, scope, options, setup, teardown);
    });
  scope.visits.clear();
  scope.walks.clear();
  declare_stacks_of(context, forall, scope, setup, teardown);
  declare_temporaries(context, forall.body, scope, setup, teardown);
  if (!setup.empty()) options.setup = loop::block(std::move(setup));
  if (!teardown.empty()) options.teardown = loop::block(std::move(teardown));
  return options;
}

}  // namespace lacuna
