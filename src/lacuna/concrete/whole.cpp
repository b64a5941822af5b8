#include "lacuna/concrete/whole.h"

#include <algorithm>
#include <set>

#include "lacuna/concrete/row_piece.h"
#include "lacuna/concrete/sparsity.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/notation/operators.h"

namespace lacuna::concrete {
namespace {

class WholeCheck {
 public:
  WholeCheck(const Program& program, TensorVar workspace) : program_(program), workspace_(std::move(workspace)) {}

  bool run() {
    if (!program_.at(workspace_).format.is_dense()) return false;
    go(program_.root, false);
    return whole_ && found_;
  }

 private:
  /// `inside`: of the producer, whose loops are on the stack.
  void go(const Stmt& s, bool inside) {
    match(
        s,
        [&](const Forall& f) {
          if (inside) loops_.push_back(f.var);
          go(f.body, inside);
          if (inside) loops_.pop_back();
        },
        [&](const Where& w) {
          go(w.producer, inside || assigns(w.producer, workspace_));
          go(w.consumer, inside);
        },
        [&](const Assign& a) {
          if (!(a.target.tensor == workspace_)) return;
          found_ = true;
          whole_ = whole_ && loops_are_whole(a.target.indices) && alike_everywhere(a.rhs, a.target.indices);
        },
        [&](const Sequence& q) {
          for (const Stmt& x : q.statements) go(x, inside);
        });
  }

  /// Whether the producer has loops for the variables and for nothing else with them, over coordinates. A loop over a
  /// variable that was split runs through one piece, those over the pieces are outside it.
  bool loops_are_whole(const std::vector<IndexVar>& variables) const {
    return std::all_of(variables.begin(), variables.end(), [&](const IndexVar& v) {
      const Derivation* d = program_.provenance.replaced_by(v);
      const auto* split = d == nullptr ? nullptr : std::get_if<Split>(d);
      return split != nullptr && is_loop(v) ? are_loops(split->outer) : are_loops(v);
    });
  }

  bool is_loop(const IndexVar& v) const { return std::find(loops_.begin(), loops_.end(), v) != loops_.end(); }

  bool are_loops(const IndexVar& v) const {
    const Provenance& provenance = program_.provenance;
    const std::vector<IndexVar> leaves = provenance.leaves(v);
    return std::all_of(leaves.begin(), leaves.end(), [&](const IndexVar& loop) {
      return is_loop(loop) && !provenance.counts_positions(loop) && provenance.underived(loop).size() == 1;
    });
  }

  /// Whether an expression is present at all coordinates of the variables or at none, whatever the others are.
  bool alike_everywhere(const Expr& e, const std::vector<IndexVar>& variables) {
    const auto is_one = [&](const IndexVar& v) {
      return std::find(variables.begin(), variables.end(), v) != variables.end();
    };
    for (const Access& x : accesses(e)) {
      const Tensor& t = program_.at(x.tensor);
      if (t.role == Role::Operand) {
        if (!stores_alike(t.format, x, is_one)) return false;
        continue;
      }
      const bool read_along = std::any_of(x.indices.begin(), x.indices.end(), is_one);
      if (read_along && !is_filled_whole(program_, x.tensor)) return false;
      // What is produced inside the loops may be other things at each coordinate.
      if (!seen_.insert(x.tensor).second) continue;
      bool alike = true;
      each_assign(program_.root, [&](const Assign& a) {
        if (a.target.tensor == x.tensor) alike = alike && alike_everywhere(a.rhs, variables);
      });
      if (!alike) return false;
    }
    return true;
  }

  /// Whether what an operand stores does not depend on the variables: they index blocks of dense levels under it.
  template <typename IsOne>
  static bool stores_alike(const Format& f, const Access& x, const IsOne& is_one) {
    bool met = false;
    for (int k = 0; k < f.order(); ++k) {
      met = met || is_one(x.indices[static_cast<std::size_t>(f.map().mode_of(k))]);
      if (met && f.level(k).kind != LevelKind::Dense) return false;
    }
    return true;
  }

  const Program& program_;
  TensorVar workspace_;
  std::vector<IndexVar> loops_;
  std::set<TensorVar> seen_;  // temporaries that are being looked at, or were found alike
  bool found_ = false, whole_ = true;
};

/// Looks at the assignments to a workspace, with the loops of its producer around them.
class FillCheck {
 public:
  FillCheck(const Program& program, TensorVar workspace) : program_(program), workspace_(std::move(workspace)) {}

  bool run() {
    go(program_.root, false);
    return always_;
  }

 private:
  void go(const Stmt& s, bool inside) {
    match(
        s,
        [&](const Forall& f) {
          if (inside) loops_.push_back(f.var);
          go(f.body, inside);
          if (inside) loops_.pop_back();
        },
        [&](const Where& w) {
          go(w.producer, inside || assigns(w.producer, workspace_));
          go(w.consumer, inside);
        },
        [&](const Assign& a) {
          if (!(a.target.tensor == workspace_)) return;
          always_ = always_ || (is_always_there(a.rhs) && std::all_of(loops_.begin(), loops_.end(),
                                                                      [&](const auto& v) { return is_always_run(v); }));
        },
        [&](const Sequence& q) {
          for (const Stmt& x : q.statements) go(x, inside);
        });
  }

  /// Loops over pieces have turns where those inside the pieces are here, too.
  bool is_always_run(const IndexVar& loop) const {
    const std::vector<IndexVar> all = program_.provenance.underived(loop);
    const bool derived = program_.provenance.is_derived(loop);
    return !program_.provenance.counts_positions(loop) && std::all_of(all.begin(), all.end(), [&](const IndexVar& v) {
      return program_.extents.at(v) > 0 && (!derived || std::find(loops_.begin(), loops_.end(), v) != loops_.end());
    });
  }

  bool is_always_there(const Expr& e) const {
    const auto found = [&](const Access& x) {
      const Tensor& t = program_.at(x.tensor);
      const bool there = t.role == Role::Operand ? t.format.is_dense()
                                                 : t.role == Role::Workspace && is_filled_whole(program_, x.tensor) &&
                                                       is_always_filled(program_, x.tensor);
      return there ? Formula::always() : Formula::never();
    };
    return presence(e, found).is_always();
  }

  const Program& program_;
  TensorVar workspace_;
  std::vector<IndexVar> loops_;
  bool always_ = false;
};

/// Looks for the loops that add to a workspace, and whether each adds to a piece of its own in registers.
class PieceCheck {
 public:
  PieceCheck(const Program& program, TensorVar workspace) : program_(program), workspace_(std::move(workspace)) {}

  bool run() {
    go(program_.root);
    return found_ && stored_;
  }

 private:
  void go(const Stmt& s) {
    if (!assigns(s, workspace_)) return;
    match(
        s,
        [&](const Forall& f) {
          const auto piece = row_piece(program_, f, bound_);
          if (piece && piece->assign->target.tensor == workspace_) {
            found_ = true;
            stored_ = stored_ && !piece->revisited;
            return;
          }
          bound_.push_back(f.var);
          go(f.body);
          bound_.pop_back();
        },
        [&](const Where& w) {
          go(w.producer);
          go(w.consumer);
        },
        [&](const Assign&) { stored_ = false; },
        [&](const Sequence& q) {
          for (const Stmt& x : q.statements) go(x);
        });
  }

  const Program& program_;
  TensorVar workspace_;
  std::vector<IndexVar> bound_;
  bool found_ = false, stored_ = true;
};

}  // namespace

bool is_filled_whole(const Program& program, const TensorVar& workspace) {
  return WholeCheck(program, workspace).run();
}

bool is_always_filled(const Program& program, const TensorVar& workspace) {
  return FillCheck(program, workspace).run();
}

bool is_stored_in_pieces(const Program& program, const TensorVar& workspace) {
  return PieceCheck(program, workspace).run();
}

}  // namespace lacuna::concrete
