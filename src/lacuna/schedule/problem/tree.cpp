#include "lacuna/schedule/problem/tree.h"

#include <algorithm>

namespace lacuna::tree {

using concrete::Assign;
using concrete::Forall;
using concrete::Sequence;
using concrete::Stmt;
using concrete::Where;

Stmt rewrite(const Stmt& s, const std::function<Stmt(const Stmt&)>& change) {
  return concrete::match(
      s,
      [&](const Forall& f) {
        const Stmt body = rewrite(f.body, change);
        return change(body == f.body ? s : concrete::forall(f.var, body, f.how));
      },
      [&](const Where& w) {
        const Stmt consumer = rewrite(w.consumer, change), producer = rewrite(w.producer, change);
        const bool same = consumer == w.consumer && producer == w.producer;
        return change(same ? s : concrete::where(consumer, producer));
      },
      [&](const Assign&) { return change(s); },
      [&](const Sequence& q) {
        std::vector<Stmt> statements;
        for (const Stmt& x : q.statements) statements.push_back(rewrite(x, change));
        return change(statements == q.statements ? s : concrete::sequence(std::move(statements)));
      });
}

std::vector<IndexVar> loop_variables(const Stmt& s) {
  std::vector<IndexVar> found;
  each_assignment(s, [&](const Assign&, const std::vector<const Forall*>& loops) {
    for (const Forall* f : loops)
      if (!contains(found, f->var)) found.push_back(f->var);
  });
  return found;
}

namespace {

using Visit = std::function<void(const Assign&, const std::vector<const Forall*>&)>;

void walk(const Stmt& s, std::vector<const Forall*>& loops, const Visit& visit) {
  concrete::match(
      s,
      [&](const Forall& f) {
        loops.push_back(&f);
        walk(f.body, loops, visit);
        loops.pop_back();
      },
      [&](const Where& w) {
        walk(w.consumer, loops, visit);
        walk(w.producer, loops, visit);
      },
      [&](const Assign& a) { visit(a, loops); },
      [&](const Sequence& q) {
        for (const Stmt& x : q.statements) walk(x, loops, visit);
      });
}

}  // namespace

void each_assignment(const Stmt& s, const Visit& visit) {
  std::vector<const Forall*> loops;
  walk(s, loops, visit);
}

bool is_assigned_by_threads(const concrete::Program& p, const TensorVar& tensor) {
  bool found = false;
  each_assignment(p.root, [&](const concrete::Assign& a, const std::vector<const concrete::Forall*>& loops) {
    const bool threads =
        std::any_of(loops.begin(), loops.end(), [](const auto* f) { return concrete::on_threads(f->how.unit); });
    found = found || (threads && a.target.tensor == tensor);
  });
  return found;
}

std::string fresh_variable(const concrete::Program& p, const std::string& wanted) {
  const std::vector<IndexVar> loops = loop_variables(p.root);
  std::string name = wanted;
  const auto is_taken = [&] {
    return std::any_of(p.extents.begin(), p.extents.end(), [&](const auto& v) { return v.first.name() == name; }) ||
           std::any_of(loops.begin(), loops.end(), [&](const IndexVar& v) { return v.name() == name; });
  };
  for (int n = 2; is_taken(); ++n) name = wanted + std::to_string(n);
  return name;
}

std::vector<IndexVar> level_variables(const concrete::Program& p, const Access& a) {
  const Format& f = p.at(a.tensor).format;
  std::vector<IndexVar> variables;
  for (int k = 0; k < f.order(); ++k) variables.push_back(a.indices[static_cast<std::size_t>(f.map().mode_of(k))]);
  return variables;
}

}  // namespace lacuna::tree
