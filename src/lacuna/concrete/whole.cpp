#include "lacuna/concrete/whole.h"

#include <algorithm>
#include <set>

#include "lacuna/concrete/sparsity.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/notation/operators.h"
#include "lacuna/support/block.h"

namespace lacuna::concrete {
namespace {

/// Calls `visit` for every assignment to a workspace. `loops`: those of its producer around the assignment, meanwhile.
template <typename F>
void each_production(const Stmt& s, const TensorVar& workspace, std::vector<const Forall*>& loops, const F& visit,
                     bool inside = false) {
  match(
      s,
      [&](const Forall& f) {
        if (inside) loops.push_back(&f);
        each_production(f.body, workspace, loops, visit, inside);
        if (inside) loops.pop_back();
      },
      [&](const Where& w) {
        each_production(w.producer, workspace, loops, visit, inside || produces(w.producer, workspace));
        each_production(w.consumer, workspace, loops, visit, inside);
      },
      [&](const Assign& a) {
        if (a.target.tensor == workspace) visit(a);
      },
      [&](const Sequence& q) {
        for (const Stmt& x : q.statements) each_production(x, workspace, loops, visit, inside);
      });
}

bool is_loop_of(const std::vector<const Forall*>& loops, const IndexVar& v) {
  return std::any_of(loops.begin(), loops.end(), [&](const Forall* f) { return f->var == v; });
}

/// Whether a workspace is filled whole along one mode.
class WholeCheck {
 public:
  WholeCheck(const Program& program, TensorVar workspace, int mode)
      : program_(program), workspace_(std::move(workspace)), mode_(mode) {}

  bool run() {
    if (!program_.at(workspace_).format.is_dense()) return false;
    each_production(program_.root, workspace_, loops_, [&](const Assign& a) {
      found_ = true;
      const IndexVar& v = a.target.indices[static_cast<std::size_t>(mode_)];
      whole_ = whole_ && is_run_whole(v) && is_alike_along(a.rhs, v);
    });
    return whole_ && found_;
  }

 private:
  /// Whether the producer has loops for the variable and for nothing else with it, over coordinates. A loop over a
  /// variable that was split runs through one piece; those over the pieces are outside it.
  bool is_run_whole(const IndexVar& v) const {
    const Derivation* d = program_.provenance.replaced_by(v);
    const auto* split = d == nullptr ? nullptr : std::get_if<Split>(d);
    if (split == nullptr || !is_loop(v)) return are_loops(v);
    return are_loops(split->outer) || piece_of_mode(program_, workspace_, mode_) != nullptr;
  }

  bool is_loop(const IndexVar& v) const { return is_loop_of(loops_, v); }

  bool are_loops(const IndexVar& v) const {
    const Provenance& provenance = program_.provenance;
    const std::vector<IndexVar> leaves = provenance.leaves(v);
    return std::all_of(leaves.begin(), leaves.end(), [&](const IndexVar& loop) {
      return is_loop(loop) && !provenance.counts_positions(loop) && provenance.underived(loop).size() == 1;
    });
  }

  /// Whether an expression is present at all coordinates of the variable or at none, whatever the others are.
  bool is_alike_along(const Expr& e, const IndexVar& v) {
    for (const Access& x : accesses(e)) {
      const Tensor& t = program_.at(x.tensor);
      if (t.role == Role::Operand) {
        if (!stores_alike(t.format, x, v)) return false;
        continue;
      }
      for (std::size_t m = 0; m < x.indices.size(); ++m)
        if (x.indices[m] == v && !whole_modes(program_, x.tensor)[m]) return false;
      // What is produced inside the loops may be other things at each coordinate.
      if (!seen_.insert(x.tensor).second) continue;
      bool alike = true;
      each_assign(program_.root, [&](const Assign& a) {
        if (a.target.tensor == x.tensor) alike = alike && is_alike_along(a.rhs, v);
      });
      if (!alike) return false;
    }
    return true;
  }

  /// Whether what an operand stores does not depend on the variable: it indexes blocks of dense levels under it.
  static bool stores_alike(const Format& f, const Access& x, const IndexVar& v) {
    bool met = false;
    for (int k = 0; k < f.order(); ++k) {
      met = met || x.indices[static_cast<std::size_t>(f.map().mode_of(k))] == v;
      if (met && !f.level(k).full()) return false;
    }
    return true;
  }

  const Program& program_;
  TensorVar workspace_;
  int mode_;
  std::vector<const Forall*> loops_;
  std::set<TensorVar> seen_;  // temporaries that are being looked at, or were found alike
  bool found_ = false, whole_ = true;
};

/// Looks at the assignments to a workspace, with the loops of its producer around them.
class FillCheck {
 public:
  FillCheck(const Program& program, TensorVar workspace) : program_(program), workspace_(std::move(workspace)) {}

  bool run() {
    bool always = false;
    each_production(program_.root, workspace_, loops_, [&](const Assign& a) {
      always = always || (is_always_there(a.rhs) && std::all_of(loops_.begin(), loops_.end(), [&](const Forall* f) {
                            return is_always_run(f->var);
                          }));
    });
    return always;
  }

 private:
  /// Loops over pieces have turns where those inside the pieces are here, too.
  bool is_always_run(const IndexVar& loop) const {
    const std::vector<IndexVar> all = program_.provenance.underived(loop);
    const bool derived = program_.provenance.is_derived(loop);
    return !program_.provenance.counts_positions(loop) && std::all_of(all.begin(), all.end(), [&](const IndexVar& v) {
      return program_.extents.at(v) > 0 && (!derived || is_loop_of(loops_, v));
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
  std::vector<const Forall*> loops_;
};

/// The loops outside the where that produces a workspace.
std::vector<IndexVar> loops_around(const Stmt& s, const TensorVar& workspace) {
  std::vector<IndexVar> loops;
  match(
      s,
      [&](const Forall& f) {
        if (!assigns(f.body, workspace)) return;
        loops = loops_around(f.body, workspace);
        loops.insert(loops.begin(), f.var);
      },
      [&](const Where& w) {
        if (!produces(w.producer, workspace))
          loops = loops_around(assigns(w.producer, workspace) ? w.producer : w.consumer, workspace);
      },
      [](const Assign&) {},
      [&](const Sequence& q) {
        for (const Stmt& x : q.statements)
          if (assigns(x, workspace)) loops = loops_around(x, workspace);
      });
  return loops;
}

/// Whether threads that share a workspace each come to some coordinates of a mode only.
bool is_shared_along(const Program& program, const TensorVar& workspace, int mode) {
  bool shared = false;
  std::vector<const Forall*> loops;
  each_production(program.root, workspace, loops, [&](const Assign& a) {
    const IndexVar& v = a.target.indices[static_cast<std::size_t>(mode)];
    shared = shared || std::any_of(loops.begin(), loops.end(), [&](const Forall* f) {
               return on_threads(f->how.unit) && f->how.race != Race::Temporary &&
                      contains(program.provenance.leaves(v), f->var);
             });
  });
  return shared;
}

}  // namespace

std::vector<bool> whole_modes(const Program& program, const TensorVar& workspace) {
  std::vector<bool> whole;
  for (int m = 0; m < program.at(workspace).format.order(); ++m)
    whole.push_back(WholeCheck(program, workspace, m).run());
  // One flag for all entries may be set by many threads. The mark of a row must not: who sets it first makes the row
  // zero, which others may have added to.
  if (std::find(whole.begin(), whole.end(), false) == whole.end()) return whole;
  for (std::size_t m = 0; m < whole.size(); ++m)
    whole[m] = whole[m] && !is_shared_along(program, workspace, static_cast<int>(m));
  return whole;
}

bool is_filled_whole(const Program& program, const TensorVar& workspace) {
  const std::vector<bool> whole = whole_modes(program, workspace);
  return !whole.empty() && std::find(whole.begin(), whole.end(), false) == whole.end();
}

bool is_always_filled(const Program& program, const TensorVar& workspace) {
  return FillCheck(program, workspace).run();
}

const Split* piece_of_mode(const Program& program, const TensorVar& workspace, int mode) {
  if (!program.at(workspace).format.is_dense()) return nullptr;
  std::vector<IndexVar> variables;  // at the mode, wherever the workspace is written or read
  each_assign(program.root, [&](const Assign& a) {
    const auto note = [&](const Access& x) {
      if (!(x.tensor == workspace)) return;
      const IndexVar& v = x.indices[static_cast<std::size_t>(mode)];
      if (std::find(variables.begin(), variables.end(), v) == variables.end()) variables.push_back(v);
    };
    note(a.target);
    for (const Access& x : accesses(a.rhs)) note(x);
  });
  if (variables.size() != 1) return nullptr;
  const std::vector<IndexVar> around = loops_around(program.root, workspace);
  const Split* piece = nullptr;
  IndexVar v = variables.front();
  while (const Derivation* d = program.provenance.replaced_by(v)) {
    const auto* split = std::get_if<Split>(d);
    if (split == nullptr || !program.provenance.is_known(split->outer, around)) break;
    piece = split;
    v = split->inner;
  }
  return piece;
}

std::int64_t room_along(const Program& program, const TensorVar& workspace, int mode) {
  std::int64_t extent = 1;
  each_assign(program.root, [&](const Assign& a) {
    if (a.target.tensor == workspace) extent = program.extents.at(a.target.indices[static_cast<std::size_t>(mode)]);
  });
  const Split* piece = piece_of_mode(program, workspace, mode);
  if (piece == nullptr) return extent;
  return piece->in_pieces ? block_length(extent, piece->size) : std::min(extent, piece->size);
}

}  // namespace lacuna::concrete
