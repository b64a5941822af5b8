#include "lacuna/schedule/complete/races.h"

#include <algorithm>
#include <optional>
#include <set>

#include "lacuna/concrete/refusal.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Assembly;
using concrete::Assign;
using concrete::Forall;
using concrete::Program;
using concrete::Race;
using concrete::Role;
using concrete::Stmt;
using concrete::Unit;

/// The temporaries that each iteration of a loop has for itself: those produced by a where inside it.
void own_temporaries(const Stmt& s, std::set<TensorVar>& out) {
  concrete::match(
      s, [&](const Forall& f) { own_temporaries(f.body, out); },
      [&](const concrete::Where& w) {
        tree::each_assignment(w.producer,
                              [&](const Assign& a, const std::vector<const Forall*>&) { out.insert(a.target.tensor); });
        own_temporaries(w.consumer, out);
        own_temporaries(w.producer, out);
      },
      [](const Assign&) {},
      [&](const concrete::Sequence& q) {
        for (const Stmt& x : q.statements) own_temporaries(x, out);
      });
}

class RaceCheck {
 public:
  /// `around` is the innermost loop outside that threads run, or null.
  RaceCheck(const Program& program, const Forall& loop, bool outermost, const Forall* around)
      : program_(program), loop_(loop), outermost_(outermost), around_(around) {
    own_temporaries(loop.body, own_);
  }

  void run() const {
    if (loop_.how.unit == Unit::CpuVector) check_vector();
    else check_own_results();
    tree::each_assignment(loop_.body, [&](const Assign& a, const std::vector<const Forall*>& inside) {
      if (own_.count(a.target.tensor) > 0) return;
      switch (program_.at(a.target.tensor).role) {
        case Role::Result: return check_result(a, race_inside(inside));
        case Role::Scalar: return check_scalar(a);
        case Role::Workspace: return check_workspace(a);
        case Role::PatternValues: return check_pattern_values(a);
        case Role::Operand: break;
      }
    });
  }

 private:
  const std::string& name() const { return loop_.var.name(); }
  bool in_lanes() const { return loop_.how.unit == Unit::CpuVector; }

  /// The one that asked for this: vectorize(i) is short for lanes without a strategy.
  std::string_view directive() const {
    return in_lanes() && loop_.how.race == Race::NoRaces ? "vectorize" : "parallelize";
  }

  void check_vector() const {
    tree::each_assignment(loop_.body, [&](const Assign&, const std::vector<const Forall*>& inside) {
      if (!inside.empty())
        refuse(directive(), "the loop over {} holds one over {}: only innermost loops can be vectorized", name(),
               inside.front()->var.name());
    });
    if (!own_.empty())
      refuse(directive(),
             "the loop over {} holds a sum or workspace of its own: only innermost loops can be vectorized", name());
  }

  /// A result of a thread's own is added up as a whole, also where threads of a loop outside write.
  void check_own_results() const {
    if (loop_.how.race != Race::Temporary || around_ == nullptr || around_->how.race == Race::Temporary) return;
    if (program_.result().assembly != Assembly::Random && program_.result().assembly != Assembly::SharedPattern) return;
    tree::each_assignment(loop_.body, [&](const Assign& a, const std::vector<const Forall*>&) {
      if (!a.accumulate || a.target.indices.empty() || !(a.target.tensor == program_.result().var)) return;
      refuse("parallelize",
             "what each iteration of {} makes for itself is added to all of {}, which other iterations of {} "
             "around it write; say Temporary for {}, too, or parallelize one of the two",
             name(), a.target.tensor.name(), around_->var.name(), around_->var.name());
    });
  }

  /// Whether the coordinates assigned to tell which iteration assigns.
  bool tells_apart(const Access& target) const {
    const std::vector<IndexVar> all = program_.provenance.underived(loop_.var);
    return std::all_of(all.begin(), all.end(), [&](const IndexVar& v) { return contains(target.indices, v); });
  }

  /// What keeps additions apart that are made in these loops. Additions of a device are atomic for all of its threads,
  /// whichever loop says so.
  Race race_inside(const std::vector<const Forall*>& inside) const {
    const bool atomic = std::any_of(inside.begin(), inside.end(), [](const Forall* f) {
      return concrete::on_device(f->how.unit) && f->how.race == Race::Atomics;
    });
    return atomic ? Race::Atomics : loop_.how.race;
  }

  void check_result(const Assign& a, Race race) const {
    if (program_.result().assembly == Assembly::Append || program_.result().assembly == Assembly::Stream)
      return check_appended(a);
    if (program_.result().assembly == Assembly::Insert) return check_inserted(a);
    if (shares_presence(a.target))
      refuse(directive(),
             "iterations of {} meet at entries of {}'s bitmap, which is above the level that distinguishes them; "
             "parallelize a loop over that level, or store {} densely",
             name(), program_.result().var.name(), program_.result().var.name());
    if (tells_apart(a.target)) return;
    if (in_lanes())
      refuse(directive(),
             "lanes of {} add to {} at the same coordinates; vectorize a loop over coordinates of {}, or reorder the "
             "loops so that the sum is innermost",
             name(), to_string(make_expr(a.target)), a.target.tensor.name());
    switch (race) {
      case Race::Atomics:
        if (a.target.indices.empty() || is_complex(program_.result().type)) break;
        return;
      case Race::Temporary:
        if (a.target.indices.empty() || !program_.result().format.is_dense()) break;
        return;
      default: break;
    }
    const bool order0 = a.target.indices.empty();
    refuse(directive(), "iterations of {} add to {} at the same coordinates, and {} does not keep them apart; {}",
           name(), to_string(make_expr(a.target)), concrete::name_of(loop_.how.race),
           order0 ? "say ParallelReduction and let the loop be the outermost one"
                  : "say Atomics (of real numbers) or Temporary (a dense result), or parallelize another loop");
  }

  /// What each iteration of the outermost loop appends is put together after it; for results in order, the iterations
  /// must come to stretches of the first level's coordinates.
  void check_appended(const Assign& a) const {
    const bool first = program_.result().assembly == Assembly::Stream ||
                       whole_of_stretches(loop_.var) == tree::level_variables(program_, a.target)[0];
    if (in_lanes())
      refuse(directive(),
             "{} is put together entry by entry, which lanes of {} cannot do; vectorize a loop that appends nothing, "
             "or "
             "store {} densely",
             to_string(make_expr(a.target)), name(), program_.result().var.name());
    if (outermost_ && first) return;
    refuse(directive(),
           "{} is put together entry by entry in the order of the loops, so threads can share out only the outermost "
           "loop, over its first level; parallelize that one, or store {} densely",
           to_string(make_expr(a.target)), program_.result().var.name());
  }

  /// Each iteration must have parents of the compressed level to itself.
  void check_inserted(const Assign& a) const {
    std::vector<IndexVar> parents = tree::level_variables(program_, a.target);
    const IndexVar last = parents.back();
    parents.pop_back();
    const std::vector<IndexVar> all = program_.provenance.underived(loop_.var);
    const bool apart = std::all_of(all.begin(), all.end(), [&](const IndexVar& v) { return contains(parents, v); });
    if (!apart || program_.provenance.counts_positions(loop_.var))
      refuse(directive(),
             "the entries of {} over {} are inserted one after the other, so iterations of {} cannot share them out; "
             "parallelize a loop over its dense levels, or assemble it by Append",
             to_string(make_expr(a.target)), last.name(), name());
  }

  /// The variable of which each value of `v` stands for one stretch; itself where it is not derived.
  std::optional<IndexVar> whole_of_stretches(const IndexVar& v) const {
    const concrete::Derivation* d = program_.provenance.made_by(v);
    if (d == nullptr) return v;
    if (const auto* b = std::get_if<concrete::Bound>(d)) return whole_of_stretches(b->parent);
    const auto* s = std::get_if<concrete::Split>(d);
    return s != nullptr && v == s->outer ? whole_of_stretches(s->parent) : std::nullopt;
  }

  /// Whether iterations meet at a presence byte: that of a bitmap above the level that tells them apart.
  bool shares_presence(const Access& target) const {
    const Format& f = program_.result().format;
    const std::vector<IndexVar> all = program_.provenance.underived(loop_.var);
    std::size_t seen = 0;
    for (int k = 0; k < f.order(); ++k) {
      if (contains(all, target.indices[static_cast<std::size_t>(f.map().mode_of(k))])) ++seen;
      if (seen == all.size()) return false;
      if (f.level(k).has_present()) return true;
    }
    return false;
  }

  /// One workspace for all iterations: each thread collects in its own, or each iteration has coordinates to itself
  /// that nothing but values and marks is kept of.
  void check_workspace(const Assign& a) const {
    const std::string& workspace = a.target.tensor.name();
    const LevelFormat& form = program_.at(a.target.tensor).format.level(0);
    if (in_lanes())
      refuse(directive(), "the iterations of {} share the workspace {}: parallelize a loop outside it", name(),
             workspace);
    if (loop_.how.race == Race::Temporary) {
      if (!form.hashes()) return;
      refuse("parallelize",
             "the hash tables that the threads of {} fill cannot be added up in a fixed order; precompute {} "
             "in "
             "a bitmap, or parallelize a loop outside it",
             name(), workspace);
    }
    if (form.full() && tells_apart(a.target)) return;
    if (concrete::on_device(loop_.how.unit))
      refuse(
          "parallelize",
          "the iterations of {} share the workspace {}, which threads of a device cannot; parallelize a loop outside "
          "it",
          name(), workspace);
    refuse("parallelize",
           "the iterations of {} share the workspace {}, and {} does not keep them apart; say Temporary, or "
           "parallelize a loop outside it",
           name(), workspace, concrete::name_of(loop_.how.race));
  }

  /// Each iteration has entries to itself.
  void check_pattern_values(const Assign& a) const {
    if (tells_apart(a.target)) return;
    refuse(directive(), "iterations of {} add to {} at the same coordinates; {} a loop over these, or a loop outside",
           name(), to_string(make_expr(a.target)), directive());
  }

  void check_scalar(const Assign& a) const {
    if (is_complex(program_.at(a.target.tensor).type))
      refuse(directive(), "a sum of complex numbers cannot be shared out over {}; {} a loop outside the sum", name(),
             directive());
    if (in_lanes()) return;  // sums of a vector loop are kept by lane and added up
    if (loop_.how.race == Race::ParallelReduction || loop_.how.race == Race::Temporary) return;
    refuse("parallelize",
           "the iterations of {} all add to one sum, and {} does not keep them apart; say ParallelReduction, "
           "or parallelize a loop outside the sum",
           name(), concrete::name_of(loop_.how.race));
  }

  const Program& program_;
  const Forall& loop_;
  bool outermost_;
  const Forall* around_;
  std::set<TensorVar> own_;
};

void check(const Program& p, const Stmt& s, bool outermost, const Forall* around) {
  concrete::match(
      s,
      [&](const Forall& f) {
        if (f.how.unit != Unit::Serial) RaceCheck(p, f, outermost, around).run();
        check(p, f.body, false, on_threads(f.how.unit) ? &f : around);
      },
      [&](const concrete::Where& w) {
        check(p, w.consumer, outermost, around);
        check(p, w.producer, false, around);
      },
      [](const Assign&) {},
      [&](const concrete::Sequence& q) {
        for (const Stmt& x : q.statements) check(p, x, false, around);
      });
}

}  // namespace

void check_races(const Program& program) { check(program, program.root, true, nullptr); }

}  // namespace lacuna
