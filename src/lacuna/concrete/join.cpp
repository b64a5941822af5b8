#include "lacuna/concrete/join.h"

#include <algorithm>
#include <set>

#include "lacuna/concrete/rename.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/support/check.h"

namespace lacuna::concrete {
namespace {

/// The variables that derivations tie to each other.
std::set<IndexVar> family_of(const Provenance& provenance, const IndexVar& v) {
  std::set<IndexVar> family{v};
  for (bool grows = true; grows;) {
    grows = false;
    for (const Derivation& d : provenance.all()) {
      std::vector<IndexVar> all = parents(d);
      for (const IndexVar& child : made(d)) all.push_back(child);
      if (std::none_of(all.begin(), all.end(), [&](const IndexVar& x) { return family.contains(x); })) continue;
      for (const IndexVar& x : all) grows = family.insert(x).second || grows;
    }
  }
  return family;
}

/// The derivations of a family, in words that are the same for equal ones.
std::vector<std::string> words_of(const Provenance& provenance, const std::set<IndexVar>& family) {
  std::vector<std::string> words;
  for (const Derivation& d : provenance.all())
    if (family.contains(parents(d).front())) words.push_back(to_string(d));
  return words;
}

/// The program with other names for temporaries whose names are taken; takes those that it has.
Program with_own_names(const Program& p, std::set<std::string>& taken) {
  Renaming renaming;
  for (const Tensor& t : p.tensors) {
    if (!t.is_temporary() || taken.insert(t.var.name()).second) continue;
    int n = 2;
    while (!taken.insert(t.var.name() + std::to_string(n)).second) ++n;
    renaming.tensors.emplace(t.var, TensorVar(t.var.name() + std::to_string(n), t.var.order()));
  }
  Program renamed = p;
  for (Tensor& t : renamed.tensors) t = renaming.of(t);
  renamed.root = renaming.of(p.root);
  return renamed;
}

/// How the loops of two programs become one. The first program is the one that grows.
class Join {
 public:
  explicit Join(Program first) : joined_(std::move(first)) {}

  void add(const Program& other) {
    renaming_ = {};
    name_variables(other);
    add_tensors(other);
    for (const Derivation& d : other.provenance.all())
      if (!is_shared(made(d).front())) joined_.provenance.add(renaming_.of(d));
    for (const auto& [v, extent] : other.extents) joined_.extents.emplace(renaming_.of(v), extent);
    for (const std::string& note : other.notes)
      if (std::find(joined_.notes.begin(), joined_.notes.end(), note) == joined_.notes.end())
        joined_.notes.push_back(note);
    joined_.text += "; " + other.text;
    joined_.root = together(joined_.root, renaming_.of(other.root));
  }

  Program take() { return std::move(joined_); }

 private:
  bool is_shared(const IndexVar& v) const { return renaming_.variables.contains(v); }

  /// Variables of one name and extent are one if all that was made of them is.
  void name_variables(const Program& other) {
    for (const auto& [theirs, extent] : other.extents)
      for (const auto& [ours, known] : joined_.extents) {
        if (ours.name() != theirs.name() || extent != known) continue;
        name_family(other, ours, theirs);
        break;
      }
  }

  void name_family(const Program& other, const IndexVar& ours, const IndexVar& theirs) {
    const std::set<IndexVar> own = family_of(joined_.provenance, ours), family = family_of(other.provenance, theirs);
    if (words_of(joined_.provenance, own) != words_of(other.provenance, family)) return;
    for (const IndexVar& x : family) {
      const auto same = std::find_if(own.begin(), own.end(), [&](const IndexVar& y) { return y.name() == x.name(); });
      internal_check(same != own.end(), "{} is made of other variables", x.name());
      renaming_.variables.insert_or_assign(x, *same);
    }
  }

  /// Results go behind the results that are there, all else to the end.
  void add_tensors(const Program& other) {
    std::vector<Tensor> added;
    for (const Tensor& t : other.tensors) {
      const auto same = std::find_if(joined_.tensors.begin(), joined_.tensors.end(),
                                     [&](const Tensor& x) { return x.var.name() == t.var.name(); });
      if (t.role == Role::Operand && same != joined_.tensors.end()) {
        internal_check(same->role == Role::Operand && same->format == t.format && same->widths == t.widths,
                       "{} is two operands", t.var.name());
        renaming_.tensors.emplace(t.var, same->var);
        continue;
      }
      added.push_back(renaming_.of(t));
    }
    const auto results = static_cast<std::ptrdiff_t>(joined_.results().size());
    const auto first_other =
        std::find_if(added.begin(), added.end(), [](const Tensor& t) { return t.role != Role::Result; });
    joined_.tensors.insert(joined_.tensors.end(), first_other, added.end());
    joined_.tensors.insert(joined_.tensors.begin() + results, added.begin(), first_other);
  }

  /// As one where that saves something, else one after the other. What a where produces or consumes takes in results
  /// that it has loops in common with.
  Stmt together(const Stmt& a, const Stmt& b) const {
    if (!joins(a, b)) return one_after_the_other(a, b);
    if (const auto* q = std::get_if<Sequence>(&a->kind)) {
      std::vector<Stmt> all = q->statements;
      const auto partner = std::find_if(all.begin(), all.end(), [&](const Stmt& x) { return joins(x, b); });
      *partner = together(*partner, b);
      return sequence(std::move(all));
    }
    const auto* f = std::get_if<Forall>(&a->kind);
    const auto* g = std::get_if<Forall>(&b->kind);
    if (f != nullptr && g != nullptr)
      return forall(f->var, together(f->body, g->body), *executed_together(f->how, g->how));
    const auto* v = std::get_if<Where>(&a->kind);
    const auto* w = std::get_if<Where>(&b->kind);
    if (v != nullptr && w != nullptr)
      return where(together(v->consumer, w->consumer), together(v->producer, w->producer));
    if (v != nullptr) {
      if (joins_producer(*v, b)) return where(v->consumer, together(v->producer, b));
      return where(together(v->consumer, b), v->producer);
    }
    if (joins_producer(*w, a)) return where(w->consumer, together(a, w->producer));
    return where(together(a, w->consumer), w->producer);
  }

  static Stmt one_after_the_other(const Stmt& a, const Stmt& b) {
    std::vector<Stmt> all;
    for (const Stmt& s : {a, b}) {
      if (const auto* q = std::get_if<Sequence>(&s->kind))
        all.insert(all.end(), q->statements.begin(), q->statements.end());
      else all.push_back(s);
    }
    return sequence(std::move(all));
  }

  /// The same of what a where produces. What is made there for others than its consumer would not reach them.
  bool joins_producer(const Where& w, const Stmt& s) const {
    bool makes_results = true;
    each_own_assign(
        s, [&](const Assign& a) { makes_results = makes_results && joined_.at(a.target.tensor).role == Role::Result; });
    return makes_results && joins(w.producer, s);
  }

  /// Whether some loop of the one and some loop of the other can be one.
  bool joins(const Stmt& a, const Stmt& b) const {
    if (const auto* q = std::get_if<Sequence>(&a->kind))
      return std::any_of(q->statements.begin(), q->statements.end(), [&](const Stmt& x) { return joins(x, b); });
    if (const auto* v = std::get_if<Where>(&a->kind)) {
      if (const auto* w = std::get_if<Where>(&b->kind))
        return joins(v->producer, w->producer) || joins(v->consumer, w->consumer);
      return joins_producer(*v, b) || joins(v->consumer, b);
    }
    if (const auto* w = std::get_if<Where>(&b->kind)) return joins_producer(*w, a) || joins(a, w->consumer);
    const auto* f = std::get_if<Forall>(&a->kind);
    const auto* g = std::get_if<Forall>(&b->kind);
    return f != nullptr && g != nullptr && f->var == g->var && come_to_the_same(*f, *g) &&
           executed_together(f->how, g->how).has_value();
  }

  /// What a loop goes through because it is stored: a tensor, by the variables that it is read with.
  using Sparse = std::set<std::pair<TensorVar, std::vector<IndexVar>>>;
  Sparse sparse_at(const Stmt& s, const IndexVar& loop) const {
    const std::vector<IndexVar> variables = joined_.provenance.underived(loop);
    Sparse found;
    each_assign(s, [&](const Assign& a) {
      for (const Access& x : accesses(a.rhs)) {
        const Tensor& t = joined_.at(x.tensor);
        for (int k = 0; k < t.format.order(); ++k) {
          const IndexVar& v = x.indices[static_cast<std::size_t>(t.format.map().mode_of(k))];
          const bool here = std::find(variables.begin(), variables.end(), v) != variables.end();
          if (here && !t.format.level(k).full()) found.emplace(x.tensor, x.indices);
        }
      }
    });
    return found;
  }

  bool come_to_the_same(const Forall& f, const Forall& g) const {
    const Sparse a = sparse_at(f.body, f.var), b = sparse_at(g.body, g.var);
    if (a.empty() && b.empty()) return true;
    return std::any_of(a.begin(), a.end(), [&](const auto& x) { return b.contains(x); });
  }

  /// How one loop is run instead of two; none where it cannot be.
  static std::optional<Execution> executed_together(const Execution& a, const Execution& b) {
    if (a.leaf != Leaf::None || b.leaf != Leaf::None) return std::nullopt;
    const bool vector = a.unit == Unit::CpuVector || b.unit == Unit::CpuVector;
    if (vector && a.unit != b.unit) return std::nullopt;
    if (a.race != Race::NoRaces && b.race != Race::NoRaces && a.race != b.race) return std::nullopt;
    Execution how = a.race == Race::NoRaces ? b : a;
    if (a.unit != b.unit) {
      how.unit = Unit::Serial;
      how.race = Race::NoRaces;
    }
    how.merge = a.merge == b.merge ? a.merge : Merge::TwoFinger;
    how.unroll = std::max(a.unroll, b.unroll);
    how.prefetch = std::max(a.prefetch, b.prefetch);
    return how;
  }

  Program joined_;
  Renaming renaming_;  // of the program that is added
};

}  // namespace

Program join(const std::vector<Program>& programs) {
  internal_check(!programs.empty(), "no programs to join");
  std::set<std::string> names;
  for (const Program& p : programs)
    for (const Tensor& t : p.tensors)
      if (!t.is_temporary()) names.insert(t.var.name());
  Join join(with_own_names(programs.front(), names));
  for (std::size_t n = 1; n < programs.size(); ++n) join.add(with_own_names(programs[n], names));
  Program joined = join.take();
  verify(joined);
  return joined;
}

}  // namespace lacuna::concrete
