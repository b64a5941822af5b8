#include "lacuna/schedule/cost/model.h"

#include <algorithm>
#include <cmath>

#include "lacuna/concrete/whole.h"

namespace lacuna::cost {
namespace {

using concrete::Formula;

double span_of(const concrete::Program& program, const Path& path, int level) {
  double span = 1;
  for (int k = 0; k <= level; ++k)
    span *= static_cast<double>(program.extents.at(path.variables[static_cast<std::size_t>(k)]));
  return span;
}

}  // namespace

Model::Model(const concrete::Program& the_program, const Nest& the_nest, const Counts& the_counts)
    : program(the_program), nest(the_nest), counts(the_counts), ledger(the_nest.loops.size()) {
  for (const iteration::Atom& a : nest.atoms) {
    // Each temporary is a group of its own, after those of the paths.
    if (a.path < 0) {
      chances_.push_back({static_cast<int>(nest.paths.size() + chances_.size()), 0, 1});
      continue;
    }
    const double span = span_of(program, nest.paths[static_cast<std::size_t>(a.path)], a.level);
    chances_.push_back({a.path, a.level, span <= 0 ? 0 : std::min(1.0, distinct(a.path, a.level) / span)});
  }
  for (const concrete::Tensor& t : program.tensors)
    if (t.role == concrete::Role::Workspace) whole_.emplace(t.var, concrete::whole_modes(program, t.var));
}

const concrete::Tensor& Model::tensor_of(int path) const {
  return program.at(nest.paths[static_cast<std::size_t>(path)].tensor);
}

const LevelCount& Model::count_of(int path, int level) const {
  return counts.at(tensor_of(path).var.name()).levels[static_cast<std::size_t>(level)];
}

double Model::distinct(int path, int level) const {
  const double entries = count_of(path, level).entries;
  if (tensor_of(path).format.level(level).unique) return entries;
  const double span = span_of(program, nest.paths[static_cast<std::size_t>(path)], level);
  return span <= 0 ? 0 : std::min(entries, -span * std::expm1(-entries / span));
}

double Model::children(int path, int level) const {
  const double parents = level == 0 ? 1 : count_of(path, level - 1).entries;
  return count_of(path, level).entries / std::max(1.0, parents);
}

double Model::repetition(int path, int level) const {
  const double coordinates = distinct(path, level);
  return coordinates <= 0 ? 1 : count_of(path, level).entries / coordinates;
}

void Model::need(int path, int level, double children) {
  const double positions = count_of(path, level).positions;
  double& share = needed_[{tensor_of(path).var.name(), level}];
  share = std::max(share, positions <= 0 ? 1 : std::min(1.0, children / positions));
}

double Model::needed_share(const std::string& tensor, int level) const {
  const auto it = needed_.find({tensor, level});
  return it == needed_.end() ? 0 : it->second;
}

bool Model::marks_each(const TensorVar& workspace) const {
  const std::vector<bool>& whole = whole_.at(workspace);
  return std::find(whole.begin(), whole.end(), true) == whole.end();
}

bool Model::is_drained(const TensorVar& workspace) const {
  return std::any_of(nest.loops.begin(), nest.loops.end(), [&](const Loop& l) {
    return std::any_of(l.walks.drained.begin(), l.walks.drained.end(),
                       [&](const LevelUse& u) { return nest.path_of(u).tensor == workspace; });
  });
}

void Model::set_filled(const TensorVar& temporary, double share) {
  filled_[temporary] = share;
  for (std::size_t n = 0; n < nest.atoms.size(); ++n)
    if (nest.atoms[n].path < 0 && nest.atoms[n].temporary == temporary) chances_[n].probability = share;
}

double Model::filled(const TensorVar& temporary) const {
  const auto it = filled_.find(temporary);
  return it == filled_.end() ? 1 : it->second;
}

namespace {

void book_access(Model& model, const Access& a, const Place& place) {
  const concrete::Tensor& t = model.program.at(a.tensor);
  const std::string& name = a.tensor.name();
  // The one value of an operand of order 0 is read before all loops.
  if (t.role == concrete::Role::Scalar || (t.role == concrete::Role::Operand && a.indices.empty())) return;
  const Formula present = model.nest.presence_of(make_expr(a));
  if (t.role == concrete::Role::Workspace && !model.is_drained(a.tensor) && model.marks_each(a.tensor))
    model.ledger.read({name, 0, ArrayKind::Mark}, model.times(place), 1);
  model.ledger.read({name, 0, ArrayKind::Values}, model.times(place, present), size_of(t.type));
}

}  // namespace

void book_expression(Model& model, const Expr& e, const Place& place) {
  const auto presence = [&](const Expr& x) { return model.nest.presence_of(x); };
  Place inside = place;
  inside.present = place.present & presence(e);
  const auto all = [&](std::initializer_list<Expr> operands) {
    for (const Expr& x : operands) book_expression(model, x, inside);
  };
  match(
      e, [&](const Access& a) { book_access(model, a, place); }, [](const Literal&) {}, [](const IndexValue&) {},
      [&](const Negate& n) {
        model.ledger.operations(model.times(inside));
        all({n.operand});
      },
      [&](const Cast& c) { all({c.operand}); }, [&](const Sum& s) { all({s.body}); },
      [&](const Binary& b) {
        const Formula both = b.op == BinaryOp::Div ? Formula::always() : presence(b.left) & presence(b.right);
        model.ledger.operations(model.times(inside, both));
        all({b.left, b.right});
      },
      [&](const Call& c) {
        model.ledger.operations(model.times(inside));
        for (const Expr& x : c.arguments) book_expression(model, x, inside);
      });
}

}  // namespace lacuna::cost
