#include "lacuna/schedule/cost/nest.h"

#include <algorithm>
#include <functional>
#include <map>

#include "lacuna/concrete/whole.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna::cost {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Formula;
using concrete::Program;
using concrete::Role;
using concrete::Stmt;

using OfAccess = std::function<Formula(const Access&)>;

/// Where a statement may do something. What producers inside it leave counts as what they compute it from.
Formula presence(const Stmt& s, const OfAccess& of_access, std::map<TensorVar, Formula>& producing) {
  const auto of = [&](const Access& a) {
    const auto it = producing.find(a.tensor);
    return it != producing.end() ? it->second : of_access(a);
  };
  return concrete::match(
      s, [&](const Forall& f) { return presence(f.body, of_access, producing); },
      [&](const concrete::Where& w) {
        presence(w.producer, of_access, producing);
        return presence(w.consumer, of_access, producing);
      },
      [&](const Assign& a) {
        const Formula f = concrete::presence(a.rhs, of);
        const auto [it, fresh] = producing.emplace(a.target.tensor, f);
        if (!fresh) it->second = it->second | f;
        return f;
      },
      [&](const concrete::Sequence& q) {
        Formula any = Formula::never();
        for (const Stmt& x : q.statements) any = any | presence(x, of_access, producing);
        return any;
      });
}

Formula presence(const Stmt& s, const OfAccess& of_access) {
  std::map<TensorVar, Formula> producing;
  return presence(s, of_access, producing);
}

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

/// Whether a tensor's entries are those of an operand, so that loops may walk them.
bool has_entries(const Program& program, const TensorVar& t) {
  const Role role = program.at(t).role;
  return role == Role::Operand || role == Role::PatternValues;
}

class Analyzer {
 public:
  explicit Analyzer(const Program& program) : program_(program) {}

  Nest run() {
    collect(program_.root);
    for (const concrete::Tensor& t : program_.tensors)
      if (may_be_absent(program_, t)) nest_.atoms.push_back({-1, -1, t.var});
    for (std::size_t p = 0; p < nest_.paths.size(); ++p)
      for (int k = 0; k < format_of(p).order(); ++k)
        if (!format_of(p).level(k).full()) nest_.atoms.push_back({static_cast<int>(p), k, {}});
    if (nest_.atoms.size() > 64) nest_.atoms.resize(64);
    State state;
    state.level.assign(nest_.paths.size(), 0);
    nest_.root = go(program_.root, state);
    return std::move(nest_);
  }

 private:
  /// What the loops outside a statement have bound.
  struct State {
    std::vector<IndexVar> bound;
    std::vector<int> level;  // levels resolved, by path
  };

  const Format& format_of(std::size_t p) const { return program_.at(nest_.paths[p].access.tensor).format; }

  void collect(const Stmt& s) {
    concrete::match(
        s, [&](const Forall& f) { collect(f.body); },
        [&](const concrete::Where& w) {
          collect(w.consumer);
          collect(w.producer);
        },
        [&](const Assign& a) {
          for (const Access& access : accesses(a.rhs))
            if (has_entries(program_, access.tensor) && nest_.path_of(program_, access) < 0)
              nest_.paths.push_back(
                  {Access{program_.stored_by(access.tensor), access.indices}, tree::level_variables(program_, access)});
        },
        [&](const concrete::Sequence& q) {
          for (const Stmt& x : q.statements) collect(x);
        });
  }

  std::vector<int> reads(const Stmt& s) const {
    std::vector<int> count(nest_.paths.size(), 0);
    tree::each_assignment(s, [&](const Assign& a, const auto&) {
      for (const Access& access : accesses(a.rhs))
        if (const int p = nest_.path_of(program_, access); p >= 0) ++count[static_cast<std::size_t>(p)];
    });
    return count;
  }

  Formula atom(const Atom& wanted) const {
    for (std::size_t n = 0; n < nest_.atoms.size(); ++n) {
      const Atom& a = nest_.atoms[n];
      if (a.path != wanted.path || a.level != wanted.level) continue;
      if (a.path >= 0 || a.temporary == wanted.temporary) return Formula::atom(static_cast<int>(n));
    }
    return Formula::always();
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
    const int p = nest_.path_of(program_, a);
    if (p < 0) return is_marked(a, state) ? atom({-1, -1, a.tensor}) : Formula::always();
    for (int k = state.level[static_cast<std::size_t>(p)]; k-- > 0;)
      if (!format_of(static_cast<std::size_t>(p)).level(k).full()) return atom({p, k, {}});
    return Formula::always();
  }

  Node go(const Stmt& s, const State& state) {
    Node node{s, -1, presence(s, [&](const Access& a) { return resolved(a, state); }), {}};
    concrete::match(
        s, [&](const Forall& f) { loop(f, state, node); },
        [&](const concrete::Where& w) {
          node.children.push_back(go(w.consumer, state));
          node.children.push_back(go(w.producer, state));
        },
        [](const Assign&) {},
        [&](const concrete::Sequence& q) {
          for (const Stmt& x : q.statements) node.children.push_back(go(x, state));
        });
    return node;
  }

  void loop(const Forall& f, State state, Node& node) {
    node.loop = static_cast<int>(nest_.loops.size());
    nest_.loops.push_back({});
    Loop loop;
    loop.var = f.var;
    loop.how = f.how;
    if (program_.provenance.is_derived(f.var)) loop.iteration = Iteration::Pieces;
    else find_cursors(f, state, loop);
    state.bound.push_back(f.var);
    for (const LevelUse& u : loop.cursors) ++state.level[static_cast<std::size_t>(u.path)];
    locate(f.body, state, loop);
    nest_.loops[static_cast<std::size_t>(node.loop)] = std::move(loop);
    node.children.push_back(go(f.body, state));
  }

  void find_cursors(const Forall& f, const State& state, Loop& loop) {
    const std::vector<int> count = reads(f.body);
    for (std::size_t p = 0; p < count.size(); ++p) {
      const int k = state.level[p];
      if (count[p] == 0 || k == format_of(p).order() || loop.cursors.size() == 64) continue;
      if (!(nest_.paths[p].variables[static_cast<std::size_t>(k)] == f.var) || !format_of(p).level(k).walks()) continue;
      loop.cursors.push_back({static_cast<int>(p), k, Use::Walked});
      loop.read_once = loop.read_once && count[p] == 1;
    }
    loop.formula = presence(f.body, [&](const Access& a) {
      const int p = nest_.path_of(program_, a);
      for (std::size_t c = 0; c < loop.cursors.size(); ++c)
        if (loop.cursors[c].path == p) return Formula::atom(static_cast<int>(c));
      return Formula::always();
    });
    const std::uint64_t deciding = loop.formula.support();
    for (std::size_t c = 0; c < loop.cursors.size(); ++c)
      if ((deciding >> c & 1) == 0) loop.cursors[c].use = Use::Followed;
    if (loop.formula.is_always()) loop.iteration = drains(f, state, loop) ? Iteration::Drain : Iteration::Full;
    else loop.iteration = (deciding & (deciding - 1)) == 0 ? Iteration::Walk : Iteration::Merge;
  }

  /// Whether the loop, which operands alone would have come to every coordinate, runs through what sparse workspaces
  /// collected (lower/collected.cpp).
  bool drains(const Forall& f, const State& state, Loop& loop) const {
    std::vector<TensorVar> read;
    const auto of_access = [&](const Access& a) {
      const int p = nest_.path_of(program_, a);
      for (std::size_t c = 0; c < loop.cursors.size(); ++c)
        if (loop.cursors[c].path == p) return Formula::atom(static_cast<int>(c));
      const concrete::Tensor& t = program_.at(a.tensor);
      if (t.role != Role::Workspace || t.format.is_dense() || !contains(a.indices, f.var)) return Formula::always();
      const auto at = std::find(read.begin(), read.end(), a.tensor);
      const auto n = static_cast<int>(loop.cursors.size()) + static_cast<int>(at - read.begin());
      if (at == read.end()) read.push_back(a.tensor);
      return Formula::atom(n);
    };
    const Formula formula = presence(f.body, of_access);
    if (formula.is_always()) return false;
    loop.drained = read;
    // Nothing is known of how many coordinates of the levels above the last are met.
    if (is_last(f, state)) loop.formula = formula;
    for (std::size_t c = 0; c < loop.cursors.size(); ++c)
      loop.cursors[c].use = (formula.support() >> c & 1) != 0 ? Use::Walked : Use::Followed;
    return true;
  }

  /// Whether all other variables are known of the workspaces that a loop reads.
  bool is_last(const Forall& f, const State& state) const {
    bool last = true;
    tree::each_assignment(f.body, [&](const Assign& a, const auto&) {
      for (const Access& x : accesses(a.rhs))
        if (program_.at(x.tensor).role == Role::Workspace && contains(x.indices, f.var))
          for (const IndexVar& v : x.indices) last = last && (v == f.var || is_known(v, state));
    });
    return last;
  }

  /// Resolves every level whose variable is known by now, of the paths that the body reads.
  void locate(const Stmt& body, State& state, Loop& loop) const {
    const std::vector<int> count = reads(body);
    for (std::size_t p = 0; p < count.size(); ++p) {
      int& k = state.level[p];
      while (count[p] > 0 && k < format_of(p).order() &&
             is_known(nest_.paths[p].variables[static_cast<std::size_t>(k)], state)) {
        loop.located.push_back({static_cast<int>(p), k, located_use(format_of(p).level(k))});
        ++k;
      }
    }
  }

  /// Positions do not say coordinates: those come from the loops that walk them.
  bool is_known(const IndexVar& v, const State& state) const {
    if (contains(state.bound, v)) return true;
    const concrete::Derivation* d = program_.provenance.replaced_by(v);
    if (d == nullptr || std::holds_alternative<concrete::Position>(*d)) return false;
    const std::vector<IndexVar> from = concrete::made(*d);
    return std::all_of(from.begin(), from.end(), [&](const IndexVar& m) { return is_known(m, state); });
  }

  const Program& program_;
  Nest nest_;
};

}  // namespace

int Nest::path_of(const Program& program, const Access& access) const {
  if (!has_entries(program, access.tensor)) return -1;
  const TensorVar& stored_by = program.stored_by(access.tensor);
  for (std::size_t p = 0; p < paths.size(); ++p)
    if (paths[p].access.tensor == stored_by && paths[p].access.indices == access.indices) return static_cast<int>(p);
  return -1;
}

Formula Nest::presence_of(const TensorVar& temporary) const {
  for (std::size_t n = 0; n < atoms.size(); ++n)
    if (atoms[n].path < 0 && atoms[n].temporary == temporary) return Formula::atom(static_cast<int>(n));
  return Formula::always();
}

Formula Nest::presence_of(const Program& program, const Expr& e) const {
  return concrete::presence(e, [&](const Access& a) {
    const int p = path_of(program, a);
    if (p < 0) return presence_of(a.tensor);
    Formula deepest = Formula::always();
    for (std::size_t n = 0; n < atoms.size(); ++n)
      if (atoms[n].path == p) deepest = Formula::atom(static_cast<int>(n));  // levels come in order
    return deepest;
  });
}

std::pair<int, int> counted_levels(const Program& program, const concrete::Position& position) {
  const std::vector<IndexVar> variables = tree::level_variables(program, position.access);
  const std::vector<IndexVar> counted = program.provenance.underived(position.parent);
  const auto first = std::find(variables.begin(), variables.end(), counted.front());
  const int level = static_cast<int>(first - variables.begin());
  return {level, level + static_cast<int>(counted.size()) - 1};
}

Nest analyze(const Program& program) { return Analyzer(program).run(); }

}  // namespace lacuna::cost
