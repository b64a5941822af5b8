// Loops over what nodes hold: where one operand alone decides which coordinates they come to.

#include <algorithm>

#include "lacuna/concrete/walk.h"
#include "lacuna/lower/nest.h"

namespace lacuna {
namespace {

/// Whether a loop with this body must come to coordinates in their order: the result is put together in it.
bool is_appended_in(const concrete::Program& program, const concrete::Stmt& body) {
  const concrete::Assembly assembly = program.assembly;
  const bool appended = assembly == concrete::Assembly::Append || assembly == concrete::Assembly::Insert;
  return appended && assigns_result(program, body);
}

}  // namespace

dynamic::Visit visit_of(Context& context, const TensorVar& tensor, int level, const concrete::Stmt& body) {
  return {context.dynamic_level(tensor, level).structure(), is_appended_in(context.program(), body),
          [&](const std::string& name, const loop::IrType& type) { return context.fresh(name, type); }};
}

bool LoopLowerer::comes_to_nodes() const {
  return std::any_of(open_.begin(), open_.end(), [](const Open& o) { return o.at.format.is_dynamic(); });
}

void LoopLowerer::check_visit() const {
  const auto nodes = std::find_if(open_.begin(), open_.end(), [](const Open& o) { return o.at.format.is_dynamic(); });
  const std::string& tensor = nodes->at.path.tensor.name();
  const std::string& name = forall_.var.name();
  const bool alone = !lattice_.full && open_.size() == 1 && lattice_.following == 0;
  if (!alone)
    user_error(
        "the loop over {} comes to what other operands store, too, which cannot be merged with the nodes of {} yet; "
        "convert {} to a format of arrays",
        name, tensor, tensor);
  if (!nodes->at.format.ordered && is_appended_in(context_.program(), forall_.body))
    user_error(
        "level {} of {}, {}, has its elements in no order, and {} is put together in the order of {}; convert {} to a "
        "format that is ordered",
        nodes->at.level + 1, tensor, nodes->at.format.name(), context_.program().result().var.name(), name, tensor);
}

/// Comes to each element of the nodes under the parent, once. A share of the loop leaves out those outside its window.
void LoopLowerer::emit_visit(Statements& out) {
  const Open& o = open_.front();
  const TensorVar& tensor = o.at.path.tensor;
  const PathState& state = scope_.paths[static_cast<std::size_t>(o.cursor.path)];
  const dynamic::DynamicLevel& level = context_.dynamic_level(tensor, o.at.level);
  const dynamic::Visit visit = visit_of(context_, tensor, o.at.level, forall_.body);
  std::optional<dynamic::VisitStack> stack;
  if (visit.needs_stack()) stack = scope_.stacks.at({o.cursor.path, o.at.level});
  out.push_back(loop::comment("forall " + forall_.var.name()));
  out.insert(out.end(), before_.begin(), before_.end());
  make_room(context_.scalar(tensor, o.at.level, DescriptorField::Positions), out);
  const loop::Expr root = loop::as_ref(loop::convert(state.at.pos, Type::UInt32), level.root_type().record);
  Statements loops = visit.loops(root, stack, [&](const dynamic::Element& e) { return at_element(o.at, e); });
  out.push_back(loop::if_then(state.at.present, loop::block(std::move(loops))));
}

loop::Stmt LoopLowerer::at_element(const LevelAt& at, const dynamic::Element& element) {
  const loop::Var v = context_.fresh_index(forall_.var.name());
  Statements inside{loop::declare(v, loop::convert(element.coordinate, Type::Int64))};
  const Format& format = context_.program().at(at.path.tensor).format;
  const bool last = at.level + 1 == format.order();
  Handle handle{loop::Expr(0), {}, loop::Expr(true), {}};
  if (last) {
    handle.value = element.value;
  } else {
    const loop::Var p = context_.fresh_index(at.position_name());
    // The index of a root has 32 bits, a position of an array level 64.
    const bool root = format.level(at.level + 1).is_dynamic();
    const loop::Expr child = root ? loop::convert(element.value, Type::UInt32) : element.value;
    inside.push_back(loop::declare(p, loop::convert(child, Type::Int64)));
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
