#include "lacuna/schedule/automatic/automatic.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "lacuna/schedule/automatic/bare_loops.h"
#include "lacuna/schedule/automatic/branches.h"
#include "lacuna/schedule/automatic/copies.h"
#include "lacuna/schedule/automatic/equal_shares.h"
#include "lacuna/schedule/automatic/matrix_products.h"
#include "lacuna/schedule/automatic/pieces.h"
#include "lacuna/schedule/automatic/threads.h"
#include "lacuna/schedule/automatic/warps.h"
#include "lacuna/schedule/complete/trials.h"
#include "lacuna/schedule/cost/time.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using concrete::Forall;
using concrete::Stmt;

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
class DirectiveChooser {
 public:
  explicit DirectiveChooser(const ScheduleProblem& problem)
      : problem_(problem), trials_(bare_loops(problem), problem) {}

  Scheduled run_plainly() {
    Scheduled plain = in_order();
    spell_out_workspace(plain);
    return plain;
  }

  Scheduled run() {
    Scheduled best = in_order();
    std::vector<Candidate> candidates;
    if (auto branched = branch_out(candidates)) {
      if (problem_.parallel) put_on_threads(trials_, schedule_, *branched);
      branched->candidates = std::move(candidates);
      return std::move(*branched);
    }
    copy_operands(best);
    if (put_on_equal_shares(trials_, schedule_, best)) return best;
    const auto* outermost = std::get_if<Forall>(&best.program.root->kind);
    if (outermost != nullptr && put_on_warps(trials_, schedule_, best, outermost->var))
      return best;  // whose registers are not those of one thread
    const Schedule plain = schedule_;
    if (auto summed = sum_in_registers()) best = std::move(*summed);
    else if (auto terms = sum_terms_in_registers()) best = std::move(*terms);
    else if (auto short_rows = sum_in_lanes()) best = std::move(*short_rows);
    if (auto multiplied = multiply_matrices(plain, best)) best = std::move(*multiplied);
    gallop(trials_.bare().program.root, best);
    spell_out_workspace(best);
    if (problem_.parallel) put_on_threads(trials_, schedule_, best);
    best.candidates = std::move(candidates);
    return best;
  }

 private:
  Scheduled in_order() {
    spell_out_order();
    spell_out_copies();
    return trials_.required(schedule_);
  }

  void add(DirectiveKind kind) { schedule_.directives.push_back({std::move(kind), {}}); }

  /// The schedule so far, if it is legal.
  std::optional<Scheduled> finished() { return trials_.completed(schedule_); }

  /// Products of several operands in branches, where that is clearly quicker than in one nest.
  std::optional<Scheduled> branch_out(std::vector<Candidate>& candidates) {
    constexpr double clearly = 0.7;
    const std::vector<Branching> ways = branchings(trials_, schedule_);
    if (ways.empty()) return std::nullopt;
    const auto one_nest = std::find_if(ways.begin(), ways.end(), [](const Branching& b) { return !b.in_branches; });
    internal_check(one_nest != ways.end(), "one nest is no way to compute {}", trials_.bare().program.text);
    const bool branches = ways[0].seconds <= clearly * one_nest->seconds;
    note_candidates(ways, branches ? ways[0] : *one_nest, candidates);
    if (!branches) return std::nullopt;
    schedule_ = ways[0].schedule;
    return finished();
  }

  /// One for each set of branches, for people who ask what else there was.
  static void note_candidates(const std::vector<Branching>& ways, const Branching& chosen,
                              std::vector<Candidate>& candidates) {
    for (const Branching& b : ways) {
      std::vector<std::string> splits;
      for (const Directive& d : b.schedule.directives)
        if (std::holds_alternative<directive::LoopFuse>(d.kind) ||
            std::holds_alternative<directive::Substitute>(d.kind))
          splits.push_back(to_string(d));
      Candidate next{b.in_branches ? fmt::format("{}", fmt::join(splits, ", ")) : "one nest", b.seconds, &b == &chosen};
      const bool told =
          std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& c) { return c.way == next.way; });
      if (!told) candidates.push_back(std::move(next));
    }
  }

  /// Dense operands in orders that the loops like better, where that saves more than it takes.
  void copy_operands(Scheduled& best) {
    const Schedule next = with_copies(trials_, schedule_);
    if (next.directives.size() == schedule_.directives.size()) return;
    Scheduled copied = trials_.required(next);
    if (cost::seconds(copied, problem_) >= cost::seconds(best, problem_)) return;
    Schedule transposes;
    transposes.directives.assign(next.directives.begin(), next.directives.end() - std::ssize(schedule_.directives));
    trials_ = ScheduleTrials(*trials_.directed(transposes), problem_);
    best = std::move(copied);
    schedule_ = next;
  }

  /// Rows of a dense result are added up piece by piece.
  std::optional<Scheduled> sum_in_registers() {
    const auto pieces = row_pieces(trials_.bare(), problem_);
    return pieces ? take_ahead(in_registers(*pieces), *pieces) : std::nullopt;
  }

  /// The same of several terms.
  std::optional<Scheduled> sum_terms_in_registers() {
    const std::vector<RowPieces> terms = row_pieces_of_terms(trials_.bare(), problem_);
    if (terms.empty()) return std::nullopt;
    auto taken = take(in_registers(terms));
    if (!taken) return std::nullopt;
    for (const RowPieces& pieces : terms)
      if (pieces.ahead > 0)
        if (auto asked = take({directive::Prefetch{pieces.led_by, pieces.ahead}})) taken = std::move(asked);
    return taken;
  }

  /// Takes directives for pieces, and what they are worth asking for ahead, where they are legal.
  std::optional<Scheduled> take_ahead(std::vector<DirectiveKind> directives, const RowPieces& pieces) {
    if (pieces.ahead > 0) directives.push_back(directive::Prefetch{pieces.led_by, pieces.ahead});
    return take(std::move(directives));
  }

  /// Takes directives, all of them, where they are legal.
  std::optional<Scheduled> take(std::vector<DirectiveKind> directives) {
    const Schedule before = schedule_;
    for (DirectiveKind& d : directives) add(std::move(d));
    auto taken = finished();
    if (!taken) schedule_ = before;
    return taken;
  }

  /// By BLAS, where that is quicker.
  std::optional<Scheduled> multiply_matrices(const Schedule& plain, const Scheduled& otherwise) {
    if (!problem_.blas) return std::nullopt;
    const Schedule next = with_matrix_products(trials_, plain);
    if (next.directives.size() == plain.directives.size()) return std::nullopt;
    Scheduled multiplied = trials_.required(next);
    if (cost::seconds(multiplied, problem_) >= cost::seconds(otherwise, problem_)) return std::nullopt;
    schedule_ = next;
    return multiplied;
  }

  /// Short sums over dense rows have loops of constant length.
  std::optional<Scheduled> sum_in_lanes() {
    const auto pieces = short_sums(trials_.bare(), problem_);
    return pieces ? take_ahead(in_lanes(*pieces), *pieces) : std::nullopt;
  }

  /// Where one operand of a product stores far fewer coordinates than another, the loop over those leaps in the other.
  void gallop(const Stmt& s, Scheduled& best) {
    const auto* f = std::get_if<Forall>(&s->kind);
    if (f == nullptr) return;
    const auto* a = std::get_if<concrete::Assign>(&innermost(s)->kind);
    if (a == nullptr) return;
    if (is_product(a->rhs) && is_skewed(f->var, a->rhs))
      if (auto merged = take({directive::MergeBy{f->var.name(), concrete::Merge::Gallop}})) best = std::move(*merged);
    gallop(f->body, best);
  }

  static Stmt innermost(const Stmt& s) {
    const auto* f = std::get_if<Forall>(&s->kind);
    return f == nullptr ? s : innermost(f->body);
  }

  static bool is_product(const Expr& e) {
    const auto* b = as<Binary>(e);
    if (b == nullptr) return as<Access>(e) != nullptr || as<Literal>(e) != nullptr;
    return b->op == BinaryOp::Mul && is_product(b->left) && is_product(b->right);
  }

  bool is_skewed(const IndexVar& v, const Expr& product) const {
    constexpr double leap = 16;  // a search that starts near costs as much as some ten steps
    double least = 0, most = 0;
    for (const Access& x : accesses(product)) {
      const concrete::Tensor& t = trials_.bare().program.at(x.tensor);
      const auto facts = problem_.operands.find(x.tensor.name());
      if (facts == problem_.operands.end()) continue;  // a copy, or a scalar
      // Of a diagonal, one level is looked up where another one is walked: then the loop may merge nothing.
      if (std::count(x.indices.begin(), x.indices.end(), v) > 1) return false;
      for (int k = 0; k < t.format.order(); ++k) {
        if (!(x.indices[static_cast<std::size_t>(t.format.map().mode_of(k))] == v)) continue;
        const LevelFormat& stored = t.format.level(k);
        if (stored.branchless()) return false;  // its coordinates cannot be galloped over
        if (!stored.packed()) continue;
        if (!stored.ordered || !stored.unique) return false;
        const std::vector<std::int64_t>& positions = facts->second.positions;
        const auto level = static_cast<std::size_t>(k);
        const double parents = k == 0 ? 1 : std::max<double>(1, static_cast<double>(positions[level - 1]));
        const double entries = static_cast<double>(positions[level]) / parents;
        least = most == 0 ? entries : std::min(least, entries);
        most = std::max(most, entries);
      }
    }
    return most >= leap * least && most > 0;
  }

  /// Says the order that the loops have already, for a user to edit.
  void spell_out_order() {
    std::vector<std::vector<std::string>> chains;
    collect_chains(trials_.bare().program.root, chains);
    std::sort(chains.begin(), chains.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    for (const auto& chain : chains) {
      const directive::Reorder reorder{chain};
      if (changes_nothing(reorder) && !is_said(reorder)) add(reorder);
    }
  }

  /// What says one nest's order may be another's disorder.
  bool changes_nothing(const directive::Reorder& reorder) const {
    const Outcome ordered = apply_directive(trials_.bare(), {reorder, {}});
    const auto* s = std::get_if<Scheduled>(&ordered);
    return s != nullptr && concrete::to_string(s->program.root) == concrete::to_string(trials_.bare().program.root);
  }

  bool is_said(const directive::Reorder& reorder) const {
    return std::any_of(schedule_.directives.begin(), schedule_.directives.end(), [&](const Directive& d) {
      const auto* r = std::get_if<directive::Reorder>(&d.kind);
      return r != nullptr && r->variables == reorder.variables;
    });
  }

  /// Says which workspace collects the result, for a user to edit: as a product that is computed first, where the
  /// right side is one, and else as the result's own.
  void spell_out_workspace(Scheduled& best) {
    const concrete::Tensor* made = nullptr;
    for (const concrete::Tensor& t : best.program.tensors)
      if (t.role == concrete::Role::Workspace) made = &t;
    if (made == nullptr) return;
    directive::Precompute p;
    p.name = made->var.name();
    p.format = made->format;
    std::optional<concrete::Assign> drain;
    tree::each_assignment(best.program.root, [&](const concrete::Assign& a, const auto&) {
      for (const Access& x : accesses(a.rhs)) {
        if (!(x.tensor == made->var)) continue;
        drain = a;
        for (const IndexVar& v : x.indices) p.variables.push_back(v.name());
      }
    });
    p.producer_variables = p.variables;
    p.expr = make_expr(drain->target);
    const Schedule before = schedule_;
    add(p);
    auto collected = finished();
    if (!collected) {
      schedule_ = before;
      return;
    }
    best = std::move(*collected);
    const Schedule of_result = schedule_;
    schedule_ = before;
    p.expr = only_term();
    if (p.expr.defined()) add(p);
    const auto of_term = p.expr.defined() ? finished() : std::nullopt;
    if (of_term && concrete::to_string(of_term->program) == concrete::to_string(best.program)) best = *of_term;
    else schedule_ = of_result;
  }

  /// What is assigned to the result as the statement has it, where that is one product of operands.
  Expr only_term() const {
    const Expr& rhs = problem_.statement.rhs;
    return !problem_.statement.accumulate && is_product(rhs) ? rhs : Expr();
  }

  /// Says which operands are read from copies in another order of modes. One that is read in several orders has no
  /// directive that means one of them.
  void spell_out_copies() {
    for (const OperandCopy& c : trials_.bare().copies) {
      const OperandFacts& facts = problem_.operands.at(c.source);
      const auto same = [&](const OperandCopy& other) { return other.source == c.source; };
      const auto itself = [&](const concrete::Tensor& t) { return t.var.name() == c.source; };
      const std::vector<concrete::Tensor>& tensors = trials_.bare().program.tensors;
      if (c.format.map() == facts.format.map() ||
          std::count_if(trials_.bare().copies.begin(), trials_.bare().copies.end(), same) > 1 ||
          std::any_of(tensors.begin(), tensors.end(), itself))
        continue;
      add(directive::Transpose{c.source, c.format.map().modes()});
    }
  }

  const ScheduleProblem& problem_;
  ScheduleTrials trials_;
  Schedule schedule_;
};

}  // namespace

Scheduled schedule_automatically(const ScheduleProblem& problem) { return DirectiveChooser(problem).run(); }
Scheduled schedule_plainly(const ScheduleProblem& problem) { return DirectiveChooser(problem).run_plainly(); }

Scheduled schedule_as_asked(const ScheduleProblem& problem, const Schedule& schedule) {
  return schedule.empty() ? schedule_automatically(problem) : apply_schedule(bare_loops(problem), problem, schedule);
}

}  // namespace lacuna
