#include "lacuna/schedule/directives/loopfuse_site.h"

#include "lacuna/concrete/refusal.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"

namespace lacuna::loopfuse {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Sequence;
using concrete::Stmt;
using concrete::Where;
using Step = directive::LoopFuse::Step;

void collect(const Stmt& s, Site at, std::vector<Site>& out) {
  concrete::match(
      s,
      [&](const Forall& f) {
        at.loops.push_back(&f);
        collect(f.body, std::move(at), out);
      },
      [&](const Where& w) {
        at.boundary = at.loops.size();
        collect(w.consumer, at, out);
        collect(w.producer, at, out);
      },
      [&](const Assign&) {
        at.stmt = s;
        out.push_back(std::move(at));
      },
      [&](const Sequence& q) {
        for (const Stmt& x : q.statements) collect(x, at, out);
      });
}

class Follower {
 public:
  explicit Follower(const std::vector<Step>& path) : path_(path) {}

  Place run(const Stmt& root) {
    go(root, 0, {});
    return std::move(place_);
  }

 private:
  bool is_branch(std::size_t step) const { return step < path_.size() && path_[step].kind != Step::Kind::Term; }

  void go(const Stmt& s, std::size_t step, Site at) {
    concrete::match(
        s,
        [&](const Forall& f) {
          at.loops.push_back(&f);
          go(f.body, step, std::move(at));
        },
        [&](const Where& w) { into_branch(w, step, std::move(at)); },
        [&](const Assign& a) {
          if (step + 1 == path_.size() && !is_branch(step)) place_.addend = path_[step].term;
          else if (step < path_.size())
            refuse("loopfuse", "the path goes on at {}, where the nest does not branch", shown(a));
          at.stmt = s;
          place_.sites.push_back(std::move(at));
        },
        [&](const Sequence& q) { into_terms(q, step, at); });
  }

  void into_branch(const Where& w, std::size_t step, Site at) {
    if (!is_branch(step))
      refuse("loopfuse",
             "the nest branches{} into a producer and a consumer; add producer or consumer to the path to say "
             "which one is meant",
             at.loops.empty() ? "" : " below the loop over " + at.loops.back()->var.name());
    at.boundary = at.loops.size();
    go(path_[step].kind == Step::Kind::Producer ? w.producer : w.consumer, step + 1, std::move(at));
  }

  void into_terms(const Sequence& q, std::size_t step, const Site& at) {
    const std::size_t terms = q.statements.size();
    if (is_branch(step))
      refuse("loopfuse", "there are {} terms side by side; add the number of one to the path before {}", terms,
             path_[step].kind == Step::Kind::Producer ? "producer" : "consumer");
    if (step < path_.size()) {
      const auto n = static_cast<std::size_t>(path_[step].term);
      if (n > terms) refuse("loopfuse", "there are {} terms, but the path names the {}th", terms, n);
      return go(q.statements[n - 1], step + 1, at);
    }
    for (const Stmt& x : q.statements)
      if (!branches(x)) go(x, step, at);
  }

  static bool branches(const Stmt& s) {
    const auto* f = std::get_if<Forall>(&s->kind);
    return f != nullptr ? branches(f->body) : std::holds_alternative<Where>(s->kind);
  }

  static std::string shown(const Assign& a) {
    return to_string(make_expr(a.target)) + (a.accumulate ? " += " : " = ") + to_string(a.rhs);
  }

  const std::vector<Step>& path_;
  Place place_;
};

class NestSplitter {
 public:
  NestSplitter(const concrete::Program& p, const Site& site, std::size_t depth, const branch::Split& split,
               const std::optional<Remainder>& remainder)
      : program_(p), site_(site), depth_(depth), split_(split), remainder_(remainder) {}

  Stmt go(const Stmt& s, std::size_t depth) const {
    if (!holds(s)) return s;
    if (depth == depth_ && !crosses_boundary(s)) return below(s);
    return concrete::match(
        s, [&](const Forall& f) { return concrete::forall(f.var, go(f.body, depth + 1), f.how); },
        [&](const Where& w) { return concrete::where(go(w.consumer, depth), go(w.producer, depth)); },
        [&](const Assign&) { return below(s); },
        [&](const Sequence& q) {
          std::vector<Stmt> statements;
          for (const Stmt& x : q.statements) statements.push_back(go(x, depth));
          return concrete::sequence(std::move(statements));
        });
  }

 private:
  bool holds(const Stmt& s) const {
    if (s == site_.stmt) return true;
    return concrete::match(
        s, [&](const Forall& f) { return holds(f.body); },
        [&](const Where& w) { return holds(w.consumer) || holds(w.producer); }, [](const Assign&) { return false; },
        [&](const Sequence& q) {
          for (const Stmt& x : q.statements)
            if (holds(x)) return true;
          return false;
        });
  }

  /// Whether a where is between a statement and the assignment.
  bool crosses_boundary(const Stmt& s) const {
    return concrete::match(
        s, [&](const Forall& f) { return crosses_boundary(f.body); }, [](const Where&) { return true; },
        [](const Assign&) { return false; },
        [&](const Sequence& q) {
          for (const Stmt& x : q.statements)
            if (holds(x)) return crosses_boundary(x);
          return false;
        });
  }

  Stmt below(const Stmt& s) const {
    std::vector<Stmt> statements;
    for (const Stmt& x : apart(s)) statements.push_back(is_split(x) ? in_two(x) : x);
    return concrete::sequence(std::move(statements));
  }

  /// What is run one after the other if the loops are distributed over it; the part to split is the assignment in
  /// its loops.
  std::vector<Stmt> apart(const Stmt& s) const {
    if (s == site_.stmt) {
      const Assign& a = split_.assign;
      const Stmt ours = concrete::assign(a.target, a.rhs, a.accumulate);
      if (!remainder_) return {ours};
      const Stmt theirs = concrete::assign(remainder_->assign.target, remainder_->assign.rhs, true);
      return remainder_->first ? std::vector<Stmt>{theirs, ours} : std::vector<Stmt>{ours, theirs};
    }
    std::vector<Stmt> all;
    if (const auto* f = std::get_if<Forall>(&s->kind)) {
      for (const Stmt& x : apart(f->body)) all.push_back(concrete::forall(f->var, x, f->how));
      return all;
    }
    for (const Stmt& x : std::get<Sequence>(s->kind).statements) {
      if (!holds(x)) all.push_back(x);
      else
        for (const Stmt& part : apart(x)) all.push_back(part);
    }
    return all;
  }

  bool is_split(Stmt s) const {
    while (const auto* f = std::get_if<Forall>(&s->kind)) s = f->body;
    const auto* a = std::get_if<Assign>(&s->kind);
    return a != nullptr && a->rhs.get() == split_.assign.rhs.get() && a->target.tensor == split_.assign.target.tensor;
  }

  Stmt in_two(const Stmt& s) const {
    std::vector<const Forall*> loops;
    Stmt inside = s;
    while (const auto* f = std::get_if<Forall>(&inside->kind)) {
      loops.push_back(f);
      inside = f->body;
    }
    return branch::in_two(program_, loops, split_);
  }

  const concrete::Program& program_;
  const Site& site_;
  std::size_t depth_;
  const branch::Split& split_;
  const std::optional<Remainder>& remainder_;
};

}  // namespace

std::vector<Site> sites_of(const Stmt& root) {
  std::vector<Site> all;
  collect(root, {}, all);
  return all;
}

Place follow(const Stmt& root, const std::vector<Step>& path) { return Follower(path).run(root); }

Stmt split_at(const concrete::Program& p, const Site& site, std::size_t depth, const branch::Split& split,
              const std::optional<Remainder>& remainder) {
  internal_check(depth >= site.boundary, "a split outside of a nest boundary");
  return NestSplitter(p, site, depth, split, remainder).go(p.root, 0);
}

}  // namespace lacuna::loopfuse
