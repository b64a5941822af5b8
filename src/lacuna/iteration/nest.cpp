#include "lacuna/iteration/nest.h"

#include <algorithm>

#include "lacuna/concrete/presence.h"
#include "lacuna/concrete/whole.h"
#include "lacuna/support/check.h"

namespace lacuna::iteration {
namespace {

using concrete::Forall;
using concrete::Formula;
using concrete::Program;
using concrete::Role;
using concrete::Stmt;

Use located_use(const LevelFormat& level) {
  if (level.full()) return Use::Computed;
  if (level.has_present()) return Use::Tested;
  return level.hashes() ? Use::Probed : Use::Searched;
}

/// Whether a temporary may be found absent where it is read. One that is added to a dense result, or stored over a
/// pattern, counts as the zero it starts from.
bool may_be_absent(const Program& program, const concrete::Tensor& t) {
  if (t.role == Role::Workspace) return true;
  return t.role == Role::Scalar && !program.result().format.is_dense() &&
         program.result().assembly != concrete::Assembly::SharedPattern;
}

class Analyzer {
 public:
  explicit Analyzer(const Program& program) : program_(program), nest_{Paths(program), {}, {}, {}, {}} {}

  Nest run() {
    for (const concrete::Tensor& t : program_.tensors)
      if (may_be_absent(program_, t)) nest_.atoms.push_back({-1, -1, t.var});
    for (std::size_t p = 0; p < nest_.paths.size(); ++p)
      for (int k = 0; k < format_of(p).order(); ++k)
        if (!is_workspace(p) && !format_of(p).level(k).full()) nest_.atoms.push_back({static_cast<int>(p), k, {}});
    if (nest_.atoms.size() > 64) nest_.atoms.resize(64);
    const std::size_t paths = nest_.paths.size();
    nest_.root = go(program_.root, {{}, {std::vector<int>(paths, 0), std::vector<bool>(paths, false)}, {}});
    for (const TensorVar& t : added_) nest_.stored_once.erase(t);
    return std::move(nest_);
  }

 private:
  /// What the loops outside a statement have bound.
  struct State {
    std::vector<IndexVar> bound;
    Standing paths;
    std::optional<TensorVar> collected;  // what is assigned to is stored by a loop outside
  };

  const Format& format_of(std::size_t p) const { return program_.at(nest_.paths[p].tensor).format; }
  bool is_workspace(std::size_t p) const { return program_.at(nest_.paths[p].tensor).role == Role::Workspace; }

  bool is_known(const IndexVar& v, const State& state) const {
    return program_.provenance.has_coordinate(v, [&](const IndexVar& u) { return contains(state.bound, u); });
  }

  /// Whether the loops outside know whether a temporary is there. That of a workspace shows where the coordinates of
  /// its marks are known: before, only loops over all of its coordinates find out.
  bool is_marked(const Access& a, const State& state) const {
    if (program_.at(a.tensor).role != Role::Workspace) return true;
    const std::vector<bool> whole = concrete::whole_modes(program_, a.tensor);
    for (std::size_t m = 0; m < a.indices.size(); ++m)
      if (!whole[m] && !is_known(a.indices[m], state)) return false;
    return true;
  }

  /// An access by the deepest of its levels resolved so far that may lack it.
  Formula resolved(const Access& a, const State& state) const {
    const Formula made = is_marked(a, state) ? nest_.presence_of(a.tensor) : Formula::always();
    const int p = nest_.paths.of(a);
    return p < 0 ? made : made & nest_.stored(p, state.paths.level[static_cast<std::size_t>(p)] - 1);
  }

  Node go(const Stmt& s, const State& state) {
    const auto of_access = [&](const Access& a) { return resolved(a, state); };
    Node node{s, -1, concrete::presence_of<Formula>(s, of_access), {}};
    concrete::match(
        s, [&](const Forall& f) { loop(f, state, node); },
        [&](const concrete::Where& w) {
          node.children.push_back(go(w.consumer, state));
          node.children.push_back(go(w.producer, state));
        },
        [&](const concrete::Assign& a) {
          const bool is_temporary = program_.at(a.target.tensor).is_temporary();
          if (is_temporary && a.target.tensor != state.collected)
            note_store(a.target.tensor, is_revisited(program_, a.target, state.bound));
        },
        [&](const concrete::Sequence& q) {
          for (const Stmt& x : q.statements) node.children.push_back(go(x, state));
        });
    return node;
  }

  /// `adds`: to what other stores left.
  void note_store(const TensorVar& target, bool adds) { (adds ? added_ : nest_.stored_once).insert(target); }

  /// What the loop does for all loops inside it.
  void find_whole(const Forall& f, State& state, Loop& loop) {
    if (f.how.row_piece) {
      loop.piece = concrete::row_piece(program_, f, state.bound);
      internal_check(loop.piece.has_value(), "the loop over {} collects no piece of a row", f.var.name());
      state.collected = loop.piece->assign->target.tensor;
      note_store(*state.collected, loop.piece->revisited);
    }
    if (f.how.leaf != concrete::Leaf::None && !state.collected) {
      std::string why;
      loop.call = concrete::blas_call(program_, f, state.bound, why);
      internal_check(loop.call.has_value(), "a call of BLAS was accepted and is none: {}", why);
      state.collected = loop.call->assign->target.tensor;
      note_store(*state.collected, loop.call->adds);
      if (!has_iterations(*loop.call)) loop.call.reset();  // BLAS refuses strides of nothing
    }
  }

  bool has_iterations(const concrete::BlasCall& call) const {
    std::vector<Access> all = call.operands();
    all.push_back(call.assign->target);
    return std::all_of(all.begin(), all.end(), [&](const Access& x) {
      return std::all_of(x.indices.begin(), x.indices.end(),
                         [&](const IndexVar& v) { return program_.extents.at(v) > 0; });
    });
  }

  void loop(const Forall& f, State state, Node& node) {
    node.loop = static_cast<int>(nest_.loops.size());
    nest_.loops.push_back({});
    Loop loop{f.var, f.how, Iteration::Pieces, {{}, {}, make_lattice(Formula::always(), 0, true)}, {}, {}, {}};
    if (!program_.provenance.is_derived(f.var)) {
      loop.walks = walks_of(program_, nest_.paths, f, state.paths);
      loop.iteration = iteration_of(loop.walks);
    }
    find_whole(f, state, loop);
    state.bound.push_back(f.var);
    for (const std::vector<LevelUse>* uses : {&loop.walks.cursors, &loop.walks.drained})
      for (const LevelUse& u : *uses) ++state.paths.level[static_cast<std::size_t>(u.path)];
    locate(f.body, state, loop);
    nest_.loops[static_cast<std::size_t>(node.loop)] = std::move(loop);
    node.children.push_back(go(f.body, state));
  }

  static Iteration iteration_of(const Walks& walks) {
    if (walks.lattice.full) return Iteration::Full;
    if (!walks.drained.empty()) return Iteration::Drain;
    const std::uint64_t deciding = walks.lattice.deciding;
    return (deciding & (deciding - 1)) == 0 ? Iteration::Walk : Iteration::Merge;
  }

  /// Resolves every level whose variable is known by now, of the paths that the body reads.
  void locate(const Stmt& body, State& state, Loop& loop) const {
    const std::vector<int> reads = nest_.paths.reads(body);
    for (std::size_t p = 0; p < reads.size(); ++p) {
      int& k = state.paths.level[p];
      while (reads[p] > 0 && k < format_of(p).order() &&
             is_known(nest_.paths[p].variables[static_cast<std::size_t>(k)], state)) {
        if (!is_workspace(p)) loop.located.push_back({static_cast<int>(p), k, located_use(format_of(p).level(k))});
        ++k;
      }
    }
  }

  const Program& program_;
  Nest nest_;
  std::set<TensorVar> added_;  // what is stored to more than once
};

}  // namespace

Formula Nest::stored(int path, int level) const {
  for (std::size_t n = atoms.size(); n-- > 0;)  // levels come in order
    if (atoms[n].path == path && atoms[n].level <= level) return Formula::atom(static_cast<int>(n));
  return Formula::always();
}

Formula Nest::presence_of(const TensorVar& temporary) const {
  for (std::size_t n = 0; n < atoms.size(); ++n)
    if (atoms[n].path < 0 && atoms[n].temporary == temporary) return Formula::atom(static_cast<int>(n));
  return Formula::always();
}

Formula Nest::presence_of(const Expr& e) const {
  return concrete::presence_of<Formula>(e, [&](const Access& a) {
    const int p = paths.of(a);
    return p < 0 ? presence_of(a.tensor) : presence_of(a.tensor) & stored(p, a.tensor.order());
  });
}

Nest analyze(const Program& program) { return Analyzer(program).run(); }

std::string to_string(const Nest& nest) {
  std::string text;
  for (const Loop& loop : nest.loops) {
    std::vector<LevelUse> uses = loop.walks.cursors;
    uses.insert(uses.end(), loop.walks.drained.begin(), loop.walks.drained.end());
    const auto name = [&](int c) { return nest.level_name(uses[static_cast<std::size_t>(c)]); };
    const bool counts = loop.iteration == Iteration::Pieces;
    text += fmt::format("forall {}: {}\n", loop.var.name(), counts ? "pieces" : loop.walks.lattice.to_string(name));
  }
  return text;
}

}  // namespace lacuna::iteration
