// Loops over what nodes hold: where one operand alone decides which coordinates they come to.

#include <algorithm>

#include "lacuna/concrete/walk.h"
#include "lacuna/lower/nest/balance.h"
#include "lacuna/lower/nest/nest.h"
#include "lacuna/lower/nest/parallel.h"

namespace lacuna {
namespace {

/// The first result that a loop with this body puts together in the order of its coordinates; null where there is none.
const concrete::Tensor* appended_in(const concrete::Program& program, const concrete::Stmt& body) {
  using concrete::Assembly;
  for (const concrete::Tensor& r : program.results())
    if ((r.assembly == Assembly::Append || r.assembly == Assembly::Insert) && concrete::assigns(body, r.var)) return &r;
  return nullptr;
}

}  // namespace

bool needs_order(const concrete::Program& program, const concrete::Stmt& body) {
  return appended_in(program, body) != nullptr;
}

bool reads_in_order(const Format& format, int level) {
  return format.level(level).ordered && level + 1 < format.order();
}

bool LoopLowerer::comes_to_nodes() const {
  return std::any_of(open_.begin(), open_.end(), [](const Open& o) { return o.at.format.is_dynamic(); });
}

/// Whether one operand alone decides where the loop goes, so that it comes to all that its nodes hold. A share of it
/// is better walked, since a walk begins where it must.
bool LoopLowerer::is_visit() const {
  if (!comes_to_nodes() || lattice_.full || open_.size() != 1 || lattice_.following != 0) return false;
  return !window_ || open_.front().nodes == nullptr;
}

void LoopLowerer::check_order_of_nodes() const {
  for (const Open& o : open_) {
    if (!o.at.format.is_dynamic() || o.at.format.ordered) continue;
    const std::string& tensor = o.at.path.tensor.name();
    const std::string& name = forall_.var.name();
    if (!is_visit())
      user_error(
          "level {} of {}, {}, has its elements in no order, and the loop over {} visits what other operands store, "
          "too; convert {} to a format that is ordered",
          o.at.level + 1, tensor, o.at.format.name(), name, tensor);
    if (const concrete::Tensor* result = appended_in(context_.program(), forall_.body))
      user_error(
          "level {} of {}, {}, has its elements in no order, and {} is put together in the order of {}; convert {} to "
          "a format that is ordered",
          o.at.level + 1, tensor, o.at.format.name(), result->var.name(), name, tensor);
  }
}

void LoopLowerer::note_iterator(const Open& o) const {
  const std::string level = fmt::format("{}{}, {}", o.at.path.tensor.name(), o.at.level + 1, o.at.format.name());
  std::string& text = context_.iterators[level];
  if (!text.empty()) return;
  const dynamic::Coroutine& coroutine = o.nodes->coroutine();
  text = fmt::format(
      "// {}: a coroutine for each type of node\n{}\n// tail calls, null guards and inlining\n{}\n"
      "// a stack instead of recursion\n{}",
      level, coroutine.recursive(), coroutine.guarded(), coroutine.without_recursion());
}

/// Goes to the first element under the parent or, in a share of the loop, to the first of its window.
void LoopLowerer::open_walk(Open& o, Statements& out) {
  o.walk = scope_.walks.at({o.cursor.path, o.at.level});
  context_.need(o.walk->memory());
  note_iterator(o);
  const PathState& state = scope_.paths[static_cast<std::size_t>(o.cursor.path)];
  Statements begin, none;
  o.nodes->start(*o.walk, root_of(o), begin);
  if (window_) o.nodes->seek(*o.walk, window_->low, begin);
  else o.nodes->next(*o.walk, begin);
  o.nodes->start_empty(*o.walk, none);
  out.push_back(loop::if_then(state.at.present, loop::block(std::move(begin)), loop::block(std::move(none))));
}

/// The element that a walk is at; what it leads to gets a name.
Handle LoopLowerer::at_node(int c, const loop::Expr& present, Statements& out) const {
  const Open& o = open_[static_cast<std::size_t>(c)];
  Handle handle{loop::Expr(0), {}, present, {}};
  if (context_.dynamic_level(o.at.path.tensor, o.at.level).structure().types.places) {
    handle.place = context_.fresh_index("place" + o.at.position_name().substr(1));
    out.push_back(loop::declare(*handle.place, o.nodes->place(*o.walk)));
  }
  if (o.at.level + 1 == context_.program().at(o.at.path.tensor).format.order()) {
    handle.value = o.nodes->value(*o.walk);
    return handle;
  }
  const loop::Var p = context_.fresh_index(o.at.position_name());
  out.push_back(loop::declare(p, child_position(o.at, o.nodes->value(*o.walk))));
  handle.pos = p;
  return handle;
}

/// Comes to each element of the nodes under the parent, once. A share of the loop leaves out those outside its window.
void LoopLowerer::emit_visit(Statements& out) {
  const Open& o = open_.front();
  const PathState& state = scope_.paths[static_cast<std::size_t>(o.cursor.path)];
  const bool in_order = needs_order(context_.program(), forall_.body) ||
                        reads_in_order(context_.program().at(o.at.path.tensor).format, o.at.level);
  const auto& [visit, stack] = scope_.visits.at({o.cursor.path, o.at.level, in_order});
  if (stack) context_.need(stack->memory());
  out.push_back(loop::comment("forall " + forall_.var.name()));
  out.insert(out.end(), before_.begin(), before_.end());
  make_room(std::nullopt, out);
  Statements loops = visit.loops(root_of(o), stack, [&](const dynamic::Element& e) { return at_element(o.at, e); });
  out.push_back(loop::if_then(state.at.present, loop::block(std::move(loops))));
}

/// The root of the nodes under the parent.
loop::Expr LoopLowerer::root_of(const Open& o) const {
  const PathState& state = scope_.paths[static_cast<std::size_t>(o.cursor.path)];
  const dynamic::DynamicLevel& level = context_.dynamic_level(o.at.path.tensor, o.at.level);
  return loop::as_ref(loop::convert(state.at.pos, Type::UInt32), level.root_type().record);
}

bool LoopLowerer::comes_to_all_nodes() const {
  return is_visit() && !window_ && !needs_order(context_.program(), forall_.body);
}

bool LoopLowerer::comes_to_list() const {
  const Open& o = open_.front();
  const auto fresh = [](const std::string& name, const loop::IrType& type) { return loop::Var(name, type); };
  const dynamic::Structure& structure = context_.dynamic_level(o.at.path.tensor, o.at.level).structure();
  return !dynamic::Visit(structure, false, fresh).needs_stack();
}

loop::Expr LoopLowerer::pays_for_tasks() {
  return loop::Expr(context_.threads()) > loop::Expr(1) && wanted_tasks() > loop::Expr(1);
}

loop::Expr LoopLowerer::wanted_tasks() {
  const Open& o = open_.front();
  const loop::Expr entries = context_.scalar(o.at.path.tensor, o.at.level, DescriptorField::Positions);
  return number_of_shares(context_, entries, workload());
}

/// Each thread has a stack of its own for what is left to come to.
void LoopLowerer::lower_tasks(Statements& out) {
  check_execution();
  const Open& o = open_.front();
  const PathState& state = scope_.paths[static_cast<std::size_t>(o.cursor.path)];
  const std::string& name = forall_.var.name();
  const loop::Expr wanted = wanted_tasks();
  loop::LoopOptions options = execution();
  options.grain = 1;
  run_serially();
  const auto& [visit, stack] = scope_.visits.at({o.cursor.path, o.at.level, false});
  const bool is_tree = visit.needs_stack();
  if (is_tree) context_.need(stack->memory());

  out.push_back(loop::comment("forall " + name + (is_tree ? ", by subtrees" : ", by chunks")));
  prepare(out);
  Statements all, after;
  const loop::Var task = context_.fresh_index(name + "_task");
  const dynamic::Subtrees tasks{
      declare_visit_stack(context_, visit, name + (is_tree ? "_subtrees" : "_stretches"), all, after),
      context_.fresh_index(name + "_count"), context_.fresh_index(name + (is_tree ? "_expanded" : "_nodes"))};
  context_.need(tasks.queue.memory());
  const auto at = [&](const dynamic::Element& e) { return at_element(o.at, e); };
  Statements found, body;
  if (is_tree) {
    const loop::Var most = context_.fresh_index(name + "_wanted");
    all.push_back(loop::declare(most, wanted));
    found = visit.find_subtrees(root_of(o), tasks, most);
    body = visit.subtree(root_of(o), tasks, task, *stack, at);
  } else {
    found = visit.find_stretches(root_of(o), tasks);
    body = visit.stretch(root_of(o), tasks, task, at);
  }
  all.insert(all.end(), found.begin(), found.end());
  all.push_back(loop::for_loop(task, 0, visit.tasks(tasks), loop::block(std::move(body)), options));
  for (loop::Stmt& each : after) all.push_back(std::move(each));
  out.push_back(loop::if_then(state.at.present, loop::block(std::move(all))));
}

loop::Expr LoopLowerer::child_position(const LevelAt& at, const loop::Expr& value) const {
  // The index of a root has 32 bits, a position of an array level 64.
  const bool root = context_.program().at(at.path.tensor).format.level(at.level + 1).is_dynamic();
  return loop::convert(root ? loop::convert(value, Type::UInt32) : value, Type::Int64);
}

loop::Stmt LoopLowerer::at_element(const LevelAt& at, const dynamic::Element& element) {
  const loop::Var v = context_.fresh_index(forall_.var.name());
  Statements inside{loop::declare(v, loop::convert(element.coordinate, Type::Int64))};
  const Format& format = context_.program().at(at.path.tensor).format;
  const bool last = at.level + 1 == format.order();
  Handle handle{loop::Expr(0), {}, loop::Expr(true), {}};
  handle.slot = element.slot;
  if (last) {
    handle.value = element.value;
  } else {
    const loop::Var p = context_.fresh_index(at.position_name());
    inside.push_back(loop::declare(p, child_position(at, element.value)));
    handle.pos = p;
  }
  visited_ = handle;
  const loop::Stmt done = body(v, {loop::Expr(true)}, false);
  visited_.reset();
  if (window_) inside.push_back(loop::if_then(low() <= loop::Expr(v) && loop::Expr(v) < high(), done));
  else inside.push_back(done);
  return loop::block(std::move(inside));
}

}  // namespace lacuna
