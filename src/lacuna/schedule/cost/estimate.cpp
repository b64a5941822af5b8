#include "lacuna/schedule/cost/estimate.h"

#include "lacuna/concrete/row_piece.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/schedule/cost/loop_work.h"
#include "lacuna/schedule/cost/model.h"
#include "lacuna/schedule/cost/product_work.h"
#include "lacuna/schedule/cost/result_work.h"
#include "lacuna/schedule/cost/temporary_work.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna::cost {
namespace {

using concrete::Assign;
using concrete::Program;
using concrete::Role;

class Estimator {
 public:
  Estimator(const Program& program, const Nest& nest, const Counts& counts)
      : model_(program, nest, counts), result_(model_), temporaries_(model_), loops_(nest.loops.size()) {}

  Estimate run() {
    const Node& root = model_.nest.root;
    model_.ledger.repeat(result_.passes());
    go(root, {Space(model_.program, model_.counts), root.presence, true});
    model_.ledger.enter(-1);
    model_.ledger.repeat(1);
    result_.finish();
    Estimate e;
    set_sizes(e);
    e.outside = model_.ledger.outside();
    e.total = e.outside;
    for (std::size_t n = 0; n < loops_.size(); ++n) {
      loops_[n].starts *= result_.passes();
      loops_[n].trips *= result_.passes();
      loops_[n].executions *= result_.passes();
      loops_[n].work = model_.ledger.loops()[n];
      e.total += loops_[n].work;
    }
    e.loops = std::move(loops_);
    e.arrays = model_.ledger.arrays();
    for (const concrete::Tensor& t : model_.program.tensors)
      if (t.is_temporary()) e.filled[t.var] = model_.filled(t.var);
    e.result_entries = result_.entries();
    e.result_bytes = result_.bytes();
    return e;
  }

 private:
  void go(const Node& node, const Place& place) {
    concrete::match(
        node.stmt, [&](const concrete::Forall&) { loop(node, place); },
        [&](const concrete::Where& w) {
          const std::set<TensorVar> made = temporaries_.open(w, place);
          go(node.children[1], place);
          temporaries_.close(made);
          go(node.children[0], place);
        },
        [&](const Assign& a) { assign(a, place); },
        [&](const concrete::Sequence&) {
          for (const Node& child : node.children) {
            Place at = place;
            at.present = place.present & child.presence;
            at.covers = place.covers && child.presence.is_always();
            go(child, at);
          }
        });
  }

  void loop(const Node& node, const Place& place) {
    const Loop& l = model_.nest.loop_of(node);
    const Node& body = node.children[0];
    LoopEstimate& e = loops_[static_cast<std::size_t>(node.loop)];
    const int outer = model_.ledger.current();
    model_.ledger.enter(node.loop);
    Place inside{place.space.with(l.var), place.present & visited(model_, l), place.covers};
    e.starts = model_.times(place);
    if (call(node, place)) return model_.ledger.enter(outer);
    e.trips = book_loop(model_, l, place, inside);
    const double visits = model_.times(inside);
    const bool to_result = assigns_result(model_.program, body.stmt);
    if (to_result) result_.enter(l, visits);
    const bool every = l.iteration == Iteration::Full || l.iteration == Iteration::Pieces;
    inside.covers = place.covers && every && !narrowed_by_positions(model_, l.var);
    const bool visits_all = inside.covers;
    inside.covers = inside.covers && body.presence.is_always();
    inside.present = inside.present & body.presence;
    e.executions = model_.times(inside);
    const std::optional<concrete::RowPiece>& piece = l.piece;
    const bool of_result = piece && piece->assign->target.tensor == model_.program.result().var;
    if (piece && of_result) result_.enter_registers();
    else if (piece) temporaries_.enter_registers(piece->assign->target.tensor);
    go(body, inside);
    if (to_result) result_.leave(l, visits, visits_all);
    model_.ledger.enter(outer);
    if (piece && of_result) result_.leave_registers(*piece, place);
    else if (piece) temporaries_.leave_registers(*piece, place);
  }

  /// Loops that a call of BLAS takes the place of have no turns.
  bool call(const Node& node, const Place& place) {
    const std::optional<concrete::BlasCall>& found = model_.nest.loop_of(node).call;
    if (!found) return false;
    book_call(model_, result_, *found, place);
    if (found->leaf != concrete::Leaf::Dot) return true;
    Assign stored = *found->assign;
    stored.accumulate = found->adds;
    store(stored, place);
    return true;
  }

  void assign(const Assign& a, const Place& place) {
    const bool to_result = a.target.tensor == model_.program.result().var;
    // Counting needs no values.
    if (to_result) model_.ledger.repeat(1);
    book_expression(model_, a.rhs, place);
    store(a, place);
    if (to_result) model_.ledger.repeat(result_.passes());
  }

  void store(const Assign& a, const Place& place) {
    if (a.target.tensor == model_.program.result().var) return result_.store(a, place);
    Place present = place;
    present.present = place.present & model_.nest.presence_of(a.rhs);
    temporaries_.store(a, present);
  }

  /// The sizes of the arrays that tensors have, and how much of the operands' is needed.
  void set_sizes(Estimate& e) {
    for (const concrete::Tensor& t : model_.program.tensors) {
      if (t.role == Role::Workspace)
        model_.ledger.set_size({t.var.name(), 0, ArrayKind::Values}, temporaries_.coordinates(t.var) * size_of(t.type));
      if (t.role == Role::PatternValues)
        model_.ledger.set_size({t.var.name(), 0, ArrayKind::Values}, model_.positions_of(*t.pattern) * size_of(t.type));
      if (t.role == Role::Result) model_.ledger.set_size({t.var.name(), 0, ArrayKind::Values}, result_.bytes());
      const auto count = model_.counts.find(t.var.name());
      if (t.role != Role::Operand || count == model_.counts.end()) continue;
      const std::string& name = t.var.name();
      double parents = 1, share = 1;
      const auto add = [&](ArrayKind kind, int level, double bytes) {
        model_.ledger.set_size({name, level, kind}, bytes);
        e.needed[name] += share * bytes;
      };
      for (int k = 0; k < t.format.order(); ++k) {
        const double positions = count->second.levels[static_cast<std::size_t>(k)].positions;
        const concrete::LevelWidths& w = t.widths[static_cast<std::size_t>(k)];
        const LevelFormat& form = t.format.level(k);
        share = model_.needed_share(name, k);
        if (form.has_pos()) add(ArrayKind::Pos, k, (parents + 1) * size_of(w.pos));
        if (form.has_present()) add(ArrayKind::Present, k, positions);
        else if (!form.full()) add(ArrayKind::Crd, k, positions * size_of(w.crd));
        parents = positions;
      }
      add(ArrayKind::Values, 0, parents * size_of(t.type));
    }
  }

  Model model_;
  ResultWork result_;
  TemporaryWork temporaries_;
  std::vector<LoopEstimate> loops_;
};

}  // namespace

double Estimate::compulsory_bytes() const {
  double bytes = result_bytes;
  for (const auto& [tensor, needed_bytes] : needed) bytes += needed_bytes;
  return bytes;
}

Estimate estimate(const Program& program, const Nest& nest, const Counts& counts) {
  return Estimator(program, nest, counts).run();
}

}  // namespace lacuna::cost
