#include "lacuna/api/schedule.h"

#include "lacuna/api/assignment.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Names of all tensors that an expression reads; a directive can refer to nothing else.
void check_tensor_names(const Expr& e, std::string_view directive) {
  for (const Access& access : accesses(e)) {
    if (!access.tensor.name().empty()) continue;
    user_error("{} refers to tensors by name, and this one has none: give it one, as in Tensor<double>(\"A\", …)",
               directive);
  }
}

}  // namespace

std::string ScheduleBuilder::name(const IndexVar& var) {
  check_identifier("an index variable", var.name());
  if (has_generated_name(var)) {
    user_error(
        "directives refer to index variables by name, and {} is what one without a name is called: give it another, as "
        "in IndexVar(\"i\")",
        var.name());
  }
  return var.name();
}

std::string ScheduleBuilder::name(std::string_view directive, const std::string& tensor) {
  if (!tensor.empty()) return tensor;
  user_error("{} refers to tensors by name, and this one has none: give it one, as in Tensor<double>(\"A\", …)",
             directive);
}

ScheduleBuilder& ScheduleBuilder::add(const DirectiveKind& kind) {
  const std::string text = to_string(Directive{kind, {}});
  // One set of rules for both ways of writing a directive; what this one means stands already.
  parse_schedule(text);
  if (!schedule_.text.empty()) schedule_.text += ", ";
  const std::size_t begin = schedule_.text.size();
  schedule_.text += text;
  schedule_.directives.push_back({kind, {begin, schedule_.text.size()}});
  return *this;
}

ScheduleBuilder& ScheduleBuilder::split(const IndexVar& i, const IndexVar& outer, const IndexVar& inner,
                                        std::int64_t size) {
  return add(directive::Split{name(i), name(outer), name(inner), size, false});
}

ScheduleBuilder& ScheduleBuilder::divide(const IndexVar& i, const IndexVar& outer, const IndexVar& inner,
                                         std::int64_t pieces) {
  return add(directive::Split{name(i), name(outer), name(inner), pieces, true});
}

ScheduleBuilder& ScheduleBuilder::reorder(const std::vector<IndexVar>& vars) {
  directive::Reorder reorder;
  for (const IndexVar& var : vars) reorder.variables.push_back(name(var));
  return add(reorder);
}

ScheduleBuilder& ScheduleBuilder::fuse(const IndexVar& outer, const IndexVar& inner, const IndexVar& fused) {
  return add(directive::Fuse{name(outer), name(inner), name(fused)});
}

ScheduleBuilder& ScheduleBuilder::pos(const IndexVar& i, const IndexVar& position, const Expression& access) {
  check_tensor_names(access.expr(), "pos");
  return add(directive::Pos{name(i), name(position), access.expr()});
}

ScheduleBuilder& ScheduleBuilder::bound(const IndexVar& i, const IndexVar& bounded, std::int64_t size, BoundKind kind) {
  return add(directive::Bound{name(i), name(bounded), size, kind});
}

ScheduleBuilder& ScheduleBuilder::unroll(const IndexVar& i, int factor) {
  return add(directive::Unroll{name(i), factor});
}

ScheduleBuilder& ScheduleBuilder::prefetch(const IndexVar& i, int turns) {
  return add(directive::Prefetch{name(i), turns});
}

ScheduleBuilder& ScheduleBuilder::substitute(const std::vector<IndexVar>& variables, concrete::Leaf leaf) {
  directive::Substitute d{{}, leaf};
  for (const IndexVar& v : variables) d.variables.push_back(name(v));
  return add(std::move(d));
}

ScheduleBuilder& ScheduleBuilder::vectorize(const IndexVar& i) { return parallelize(i, CPUVector, NoRaces); }

ScheduleBuilder& ScheduleBuilder::parallelize(const IndexVar& i, concrete::Unit unit, concrete::Race race) {
  return add(directive::Parallelize{name(i), unit, race});
}

ScheduleBuilder& ScheduleBuilder::precompute(const Expression& e, const std::vector<IndexVar>& variables,
                                             const std::vector<IndexVar>& producer_variables,
                                             const WorkspaceOptions& workspace) {
  check_tensor_names(e.expr(), "precompute");
  for (const IndexVar& var : all_variables(e.expr())) name(var);
  check_identifier("a workspace", workspace.name);
  directive::Precompute precompute{e.expr(), {}, {}, workspace.format, workspace.name};
  for (const IndexVar& var : variables) precompute.variables.push_back(name(var));
  for (const IndexVar& var : producer_variables) precompute.producer_variables.push_back(name(var));
  // As text, it could not be told from a format.
  const Schedule read = parse_schedule(to_string(Directive{precompute, {}}));
  if (std::get<directive::Precompute>(read.directives.front().kind).name != workspace.name) {
    user_error("{} is a name of formats and cannot be a workspace's; call it something else", workspace.name);
  }
  return add(precompute);
}

ScheduleBuilder& ScheduleBuilder::loopfuse(int times) {
  return add(directive::LoopFuse{times, {}, std::nullopt, {}, std::nullopt});
}

ScheduleBuilder& ScheduleBuilder::loopfuse(int left, directive::LoopFuse::Side producer,
                                           const LoopFuseOptions& options) {
  return add(directive::LoopFuse{left, {}, producer, options.path, options.loops});
}

ScheduleBuilder& ScheduleBuilder::loopfuse(const std::vector<Expression>& left, directive::LoopFuse::Side producer,
                                           const LoopFuseOptions& options) {
  if (left.empty()) user_error("loopfuse: name at least one operand to be left of the split");
  directive::LoopFuse fuse{1, {}, producer, options.path, options.loops};
  for (const Expression& e : left) {
    check_tensor_names(e.expr(), "loopfuse");
    for (const IndexVar& var : all_variables(e.expr())) name(var);
    fuse.operands.push_back(e.expr());
  }
  return add(fuse);
}

ScheduleBuilder& ScheduleBuilder::distribute(const std::vector<IndexVar>& variables) {
  directive::Distribute d;
  for (const IndexVar& v : variables) d.variables.push_back(name(v));
  return add(std::move(d));
}

directive::Distribute ScheduleBuilder::compound(const std::vector<IndexVar>& targets,
                                                const std::vector<IndexVar>& outer,
                                                const std::vector<IndexVar>& inner) {
  directive::Distribute d;
  for (const IndexVar& v : targets) d.variables.push_back(name(v));
  for (const IndexVar& v : outer) d.outer.push_back(name(v));
  for (const IndexVar& v : inner) d.inner.push_back(name(v));
  return d;
}

ScheduleBuilder& ScheduleBuilder::distribute(const std::vector<IndexVar>& targets, const std::vector<IndexVar>& outer,
                                             const std::vector<IndexVar>& inner, const Grid& grid) {
  directive::Distribute d = compound(targets, outer, inner);
  d.pieces = grid.sizes();
  return add(std::move(d));
}

ScheduleBuilder& ScheduleBuilder::distribute(const std::vector<IndexVar>& targets, const std::vector<IndexVar>& outer,
                                             const std::vector<IndexVar>& inner, const NamedTensor& onto, int level) {
  directive::Distribute d = compound(targets, outer, inner);
  d.onto = name("distribute", onto.name);
  d.machine_level = level;
  return add(std::move(d));
}

ScheduleBuilder& ScheduleBuilder::communicate(std::initializer_list<NamedTensor> tensors, const IndexVar& i) {
  directive::Communicate c{{}, name(i)};
  for (const NamedTensor& tensor : tensors) c.tensors.push_back(name("communicate", tensor.name));
  return add(std::move(c));
}

ScheduleBuilder& ScheduleBuilder::rotate(const IndexVar& i, const std::vector<IndexVar>& by, const IndexVar& rotated) {
  directive::Rotate r{name(i), {}, name(rotated)};
  for (const IndexVar& v : by) r.by.push_back(name(v));
  return add(std::move(r));
}

ScheduleBuilder& ScheduleBuilder::mergeby(const IndexVar& i, concrete::Merge merge) {
  return add(directive::MergeBy{name(i), merge});
}

}  // namespace lacuna
