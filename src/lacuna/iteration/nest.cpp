#include "lacuna/iteration/nest.h"

#include <algorithm>

#include "lacuna/concrete/presence.h"
#include "lacuna/concrete/whole.h"

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
  explicit Analyzer(const Program& program) : program_(program), nest_{Paths(program), {}, {}, {}} {}

  Nest run() {
    for (const concrete::Tensor& t : program_.tensors)
      if (may_be_absent(program_, t)) nest_.atoms.push_back({-1, -1, t.var});
    for (std::size_t p = 0; p < nest_.paths.size(); ++p)
      for (int k = 0; k < format_of(p).order(); ++k)
        if (!is_workspace(p) && !format_of(p).level(k).full()) nest_.atoms.push_back({static_cast<int>(p), k, {}});
    if (nest_.atoms.size() > 64) nest_.atoms.resize(64);
    const std::size_t paths = nest_.paths.size();
    nest_.root = go(program_.root, {{}, {std::vector<int>(paths, 0), std::vector<bool>(paths, false)}});
    return std::move(nest_);
  }

 private:
  /// What the loops outside a statement have bound.
  struct State {
    std::vector<IndexVar> bound;
    Standing paths;
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
        [](const concrete::Assign&) {},
        [&](const concrete::Sequence& q) {
          for (const Stmt& x : q.statements) node.children.push_back(go(x, state));
        });
    return node;
  }

  void loop(const Forall& f, State state, Node& node) {
    node.loop = static_cast<int>(nest_.loops.size());
    nest_.loops.push_back({});
    Loop loop{f.var, f.how, Iteration::Pieces, {{}, {}, make_lattice(Formula::always(), 0, true)}, {}};
    if (!program_.provenance.is_derived(f.var)) {
      loop.walks = walks_of(program_, nest_.paths, f, state.paths);
      loop.iteration = iteration_of(loop.walks);
    }
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

}  // namespace lacuna::iteration
