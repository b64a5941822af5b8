#include "lacuna/schedule/automatic/automatic.h"

#include <algorithm>
#include <optional>

#include "lacuna/schedule/apply.h"
#include "lacuna/schedule/automatic/bare_loops.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

using concrete::Forall;
using concrete::Stmt;

/// The outermost loop of the nest that assigns to the result.
const Forall* outermost_loop(const Stmt& s) {
  if (const auto* f = std::get_if<Forall>(&s->kind)) return f;
  const auto* w = std::get_if<concrete::Where>(&s->kind);
  return w == nullptr ? nullptr : outermost_loop(w->consumer);
}

/// The names of loops directly inside one another, for every such chain of at least two.
void collect_chains(const Stmt& s, std::vector<std::vector<std::string>>& chains) {
  concrete::match(
      s,
      [&](const Forall&) {
        std::vector<std::string> chain;
        Stmt inside = s;
        while (const auto* f = std::get_if<Forall>(&inside->kind)) {
          chain.push_back(f->var.name());
          inside = f->body;
        }
        if (chain.size() > 1) chains.push_back(std::move(chain));
        collect_chains(inside, chains);
      },
      [&](const concrete::Where& w) {
        collect_chains(w.consumer, chains);
        collect_chains(w.producer, chains);
      },
      [](const concrete::Assign&) {},
      [&](const concrete::Sequence& q) {
        for (const Stmt& x : q.statements) collect_chains(x, chains);
      });
}

/// Makes a schedule directive by directive, leaving out what is not legal.
class Chooser {
 public:
  explicit Chooser(const ScheduleProblem& problem) : problem_(problem), bare_(bare_loops(problem)) {}

  Scheduled run() {
    spell_out_order();
    spell_out_copies();
    Scheduled best = apply_schedule(bare_, problem_, schedule_);
    const Forall* outermost = outermost_loop(bare_.program.root);
    if (problem_.parallel && outermost != nullptr) {
      add(directive::Parallelize{outermost->var.name()});
      if (auto parallel = finished()) best = std::move(*parallel);
    }
    return best;
  }

 private:
  void add(DirectiveKind kind) { schedule_.directives.push_back({std::move(kind), {}}); }

  /// The schedule so far, if it is legal.
  std::optional<Scheduled> finished() const {
    try {
      return apply_schedule(bare_, problem_, schedule_);
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  /// Says the order that the loops have already, for a user to edit.
  void spell_out_order() {
    std::vector<std::vector<std::string>> chains;
    collect_chains(bare_.program.root, chains);
    std::sort(chains.begin(), chains.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    for (const auto& chain : chains) {
      const directive::Reorder reorder{chain};
      if (changes_nothing(reorder) && !is_said(reorder)) add(reorder);
    }
  }

  /// What says one nest's order may be another's disorder.
  bool changes_nothing(const directive::Reorder& reorder) const {
    try {
      return concrete::to_string(apply(bare_, reorder).program.root) == concrete::to_string(bare_.program.root);
    } catch (const Error&) {
      return false;
    }
  }

  bool is_said(const directive::Reorder& reorder) const {
    return std::any_of(schedule_.directives.begin(), schedule_.directives.end(), [&](const Directive& d) {
      const auto* r = std::get_if<directive::Reorder>(&d.kind);
      return r != nullptr && r->variables == reorder.variables;
    });
  }

  /// Says which operands are read from copies in another order of modes. One that is read in several orders has no
  /// directive that means one of them.
  void spell_out_copies() {
    for (const OperandCopy& c : bare_.copies) {
      const OperandFacts& facts = problem_.operands.at(c.source);
      const auto same = [&](const OperandCopy& other) { return other.source == c.source; };
      const auto itself = [&](const concrete::Tensor& t) { return t.var.name() == c.source; };
      const std::vector<concrete::Tensor>& tensors = bare_.program.tensors;
      if (c.format.map() == facts.format.map() || std::count_if(bare_.copies.begin(), bare_.copies.end(), same) > 1 ||
          std::any_of(tensors.begin(), tensors.end(), itself))
        continue;
      add(directive::Transpose{c.source, c.format.map().modes()});
    }
  }

  const ScheduleProblem& problem_;
  Scheduled bare_;
  Schedule schedule_;
};

}  // namespace

Scheduled schedule_automatically(const ScheduleProblem& problem) { return Chooser(problem).run(); }

}  // namespace lacuna
