#include "lacuna/schedule/complete/complete.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/core.h>

#include "lacuna/concrete/presence.h"
#include "lacuna/concrete/refusal.h"
#include "lacuna/concrete/sparsity.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/schedule/complete/append_order.h"
#include "lacuna/schedule/complete/first_levels.h"
#include "lacuna/schedule/complete/hoist.h"
#include "lacuna/schedule/complete/leaves.h"
#include "lacuna/schedule/complete/pattern_values.h"
#include "lacuna/schedule/complete/placement.h"
#include "lacuna/schedule/complete/row_pieces.h"
#include "lacuna/schedule/complete/windows.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/schedule/problem/walkable_format.h"

namespace lacuna {
namespace {

using concrete::Assembly;
using concrete::Assign;
using concrete::Forall;
using concrete::Program;
using concrete::Role;
using concrete::Tensor;

bool located_at_once(const Format& f) {
  return std::all_of(f.levels().begin(), f.levels().end(), [](const LevelFormat& l) { return l.spans(); });
}

/// A block of dense levels under the last compressed one is appended whole, in loops over its coordinates.
bool ends_dense(const Format& f) { return f.levels().back().full(); }

class Finisher {
 public:
  Finisher(Scheduled scheduled, const ScheduleProblem& problem) : out_(std::move(scheduled)), problem_(problem) {
    directives::check_copy_orders(out_);
    out_.program.root = resolve_windows(out_.program.root, out_.program.provenance);
    give_patterns(out_.program);
  }

  Scheduled run() {
    if (!in_place() && (out_.assembled_by || !over_pattern()) && !blocks_appended() && !appended()) streamed();
    out_.program.root = hoist_producers(out_.program);
    if (out_.assembled_by) assemble_as_asked(*out_.assembled_by);
    set_result_type();
    check_leaves(out_.program);
    out_.program.root = mark_row_pieces(out_.program);
    set_copy_widths();
    note_conversion();
    return std::move(out_);
  }

 private:
  const Format& wanted() const { return problem_.result_format; }

  void assemble_as_asked(directive::Assemble::Strategy strategy) {
    const std::string& name = problem_.statement.lhs.tensor.name();
    const bool insert = strategy == directive::Assemble::Strategy::Insert;
    if (out_.program.result().assembly != Assembly::Append)
      refuse("assemble", "{} cannot be {}: {}", name, insert ? "inserted into" : "appended to",
             located_at_once(wanted())
                 ? "its format is stored at any coordinate; leave this directive out"
                 : "the loops do not visit its coordinates once each and in order; reorder the loops, or leave "
                   "this directive out");
    if (!insert) return;
    const Format& made = out_.program.result().format;
    if (!is_insertable(made))
      refuse("assemble",
             "{} is made in {}, but only formats of dense levels and then one compressed level can be "
             "inserted into; say Append",
             name, made.to_string());
    out_.program.result().assembly = Assembly::Insert;
  }

  static bool is_insertable(const Format& f) {
    for (int k = 0; k + 1 < f.order(); ++k)
      if (!f.level(k).full()) return false;
    return f.order() > 0 && f.levels().back().packed();
  }

  bool take(const std::optional<Placed>& placed, Assembly assembly, const Format& format) {
    out_.program = placed->program;
    out_.program.result().assembly = assembly;
    out_.program.result().format = format;
    adds_ = placed->adds_to_result || placed->adds_in_block;
    return true;
  }

  /// Any coordinate of a dense result can be added to; partial sums cannot tell whether an entry of a bitmap is stored,
  /// so such entries are assigned once.
  bool in_place() {
    if (!located_at_once(wanted())) return false;
    const auto placed = place_temporaries(out_.program, Reach::Anywhere);
    if (!wanted().is_dense() && placed->adds_to_result) return false;
    return take(placed, Assembly::Random, wanted());
  }

  /// The result has exactly the pattern of the first levels of one operand that is accessed alike, so only values are
  /// computed.
  bool over_pattern() {
    for (const auto& [v, extent] : problem_.extents)
      if (extent == 0) return false;
    const std::vector<IndexVar>& indices = problem_.statement.lhs.indices;
    if (std::set<IndexVar>(indices.begin(), indices.end()).size() != indices.size()) return false;
    const int above = wanted().levels_above_full();
    return over_pattern_of(wanted().order()) || (above < wanted().order() && over_pattern_of(above));
  }

  /// Of the result's first `levels` levels; under them are blocks of dense levels.
  bool over_pattern_of(int levels) {
    const bool blocks = levels < wanted().order();
    if (levels == 0 || (blocks && !appendable(wanted()))) return false;
    const std::vector<IndexVar> variables = tree::level_variables(out_.program, problem_.statement.lhs);
    const std::vector<IndexVar> entries(variables.begin(), variables.begin() + levels);
    const std::vector<IndexVar> block(variables.begin() + levels, variables.end());
    const auto placed = place_temporaries(out_.program, Reach::Ordered, block);
    if (!placed || placed->adds_to_result || (blocks && !comes_to_whole_blocks(placed->program, block))) return false;
    if (blocks && !has_loop(placed->program, entries.back())) return false;
    bool through_workspace = false;
    tree::each_assignment(placed->program.root, [&](const Assign& a, const std::vector<const Forall*>&) {
      const bool to_workspace = placed->program.at(a.target.tensor).role == Role::Workspace;
      through_workspace = through_workspace || (to_workspace && !reads_only_dense(placed->program, a.rhs));
    });
    if (through_workspace) return false;
    const auto shares = [&](const Tensor& t) {
      return t.role == Role::Operand && !t.piece && begins_alike(facts_of(t), problem_, levels) &&
             has_pattern_of(placed->program, t, entries);
    };
    const std::vector<Tensor>& tensors = placed->program.tensors;
    const auto operand = std::find_if(tensors.begin(), tensors.end(), shares);
    if (operand == tensors.end()) return false;
    const std::string name = operand->var.name();
    take(placed, Assembly::SharedPattern, wanted());
    out_.program.result().pattern_operand = name;
    out_.program.result().pattern_levels = levels;
    return true;
  }

  /// A block begins in an iteration of the loop over its entry. There is none where loops over pieces say together
  /// which entry it is, the inner one outside.
  static bool has_loop(const Program& p, const IndexVar& v) {
    bool found = false;
    concrete::each_loop(p.root, [&](const Forall& f) { found = found || f.var == v; });
    return found;
  }

  /// Whether something is there whatever the coordinates.
  static bool reads_only_dense(const Program& p, const Expr& e) {
    using concrete::Formula;
    const auto of_access = [&](const Access& a) {
      const Tensor& t = p.at(a.tensor);
      return t.role == Role::Operand && t.format.is_dense() ? Formula::always() : Formula::never();
    };
    return concrete::presence(e, of_access).is_always();
  }

  /// A copy of an operand may have rows without entries, for all that is known.
  OperandFacts facts_of(const Tensor& t) const {
    const auto facts = problem_.operands.find(t.var.name());
    if (facts != problem_.operands.end()) return facts->second;
    return {t.format, t.type, t.widths, {}, {}};
  }

  /// Whether an access comes to the entries by way of its first levels, and to all that is under them.
  static bool leads_through(const Access& a, const Format& f, const std::vector<IndexVar>& entries) {
    std::vector<IndexVar> variables;
    for (int k = 0; k < f.order(); ++k) variables.push_back(a.indices[static_cast<std::size_t>(f.map().mode_of(k))]);
    return std::equal(entries.begin(), entries.end(), variables.begin()) &&
           std::set<IndexVar>(variables.begin(), variables.end()).size() == variables.size();
  }

  /// Present exactly where the operand has entries: every other operand is dense or annihilates nowhere.
  bool has_pattern_of(const Program& p, const Tensor& pattern, const std::vector<IndexVar>& entries) const {
    using concrete::Formula;
    bool accessed_alike = false;
    std::map<TensorVar, Formula> made;
    concrete::presence_of<Formula>(
        p.root,
        [&](const Access& a) {
          if (a.tensor == pattern.var && leads_through(a, pattern.format, entries)) {
            accessed_alike = true;
            return Formula::atom(0);
          }
          return p.at(a.tensor).format.is_dense() ? Formula::always() : Formula::atom(1);
        },
        made);
    return accessed_alike && made.at(p.result().var) == Formula::atom(0);
  }

  /// Entries with a block of dense levels under each are appended when their coordinates are known, and added to in the
  /// loops below. What such a block holds must be stored for its pattern, not for its values.
  bool blocks_appended() {
    const Format f = appended_format();
    if (f.order() == 0 || !appendable(f) || !ends_dense(f)) return false;
    const int first = f.levels_above_full();
    const std::vector<IndexVar> variables = tree::level_variables(out_.program, problem_.statement.lhs);
    const std::vector<IndexVar> block(variables.begin() + first, variables.end());
    bool structural = true;
    tree::each_assignment(out_.program.root, [&](const Assign& a, const std::vector<const Forall*>&) {
      if (a.target.tensor == out_.program.result().var) structural = structural && is_stored(a.rhs);
    });
    if (!structural) return false;
    const auto placed = place_temporaries(out_.program, Reach::Ordered, block);
    if (!placed || placed->adds_to_result) return false;
    const auto order = append_order(placed->program, block);
    const std::vector<IndexVar> entries(variables.begin(), variables.begin() + first);
    return order == entries && take(placed, Assembly::Append, f);
  }

  /// Whether every value of an expression comes from an entry that an operand stores, be it through temporaries.
  bool is_stored(const Expr& e) const {
    return concrete::always_structural(e, [&](const Access& x) {
      const Tensor& t = out_.program.at(x.tensor);
      if (t.role == Role::Operand) return !t.format.is_dense();
      bool stored = true;
      tree::each_assignment(out_.program.root, [&](const Assign& a, const std::vector<const Forall*>&) {
        if (a.target.tensor == x.tensor) stored = stored && is_stored(a.rhs);
      });
      return stored;
    });
  }

  /// Nodes are filled by one thread. Where threads run the loops, they append to arrays, which are put into nodes
  /// afterwards.
  Format appended_format() const {
    const bool by_threads = tree::is_assigned_by_threads(out_.program, out_.program.result().var);
    return by_threads ? array_format_of(wanted()) : wanted();
  }

  bool appended() {
    if (wanted().order() == 0) return false;
    const auto placed = place_temporaries(out_.program, Reach::Ordered);
    if (!placed || placed->adds_to_result) return false;
    const auto order = append_order(placed->program);
    if (!order || order->size() != problem_.statement.lhs.indices.size()) return false;
    if (comes_without_order(placed->program)) return false;
    const bool through_workspace = std::any_of(placed->program.tensors.begin(), placed->program.tensors.end(),
                                               [](const Tensor& t) { return t.role == Role::Workspace; });
    const Format format = appended_format();
    const bool fits = (appendable(format) || format.has_nodes()) &&
                      tree::level_variables(placed->program, problem_.statement.lhs) == *order &&
                      !(through_workspace && ends_dense(format));
    return take(placed, Assembly::Append, fits ? format : in_loop_order(*order));
  }

  /// Whether a loop in which the result is assigned comes to nodes in no order.
  static bool comes_without_order(const Program& p) {
    std::set<const Forall*> around_result;
    tree::each_assignment(p.root, [&](const Assign& a, const std::vector<const Forall*>& loops) {
      if (a.target.tensor == p.result().var) around_result.insert(loops.begin(), loops.end());
    });
    bool found = false;
    tree::each_assignment(p.root, [&](const Assign& a, const std::vector<const Forall*>& loops) {
      for (const Forall* f : loops)
        if (around_result.contains(f))
          for (const IndexVar& v : p.provenance.underived(f->var))
            for (const Access& x : accesses(a.rhs)) found = found || visits_unordered(p, x, v);
    });
    return found;
  }

  /// Whether a loop over `v` comes to a level of an operand that has no order. Where a level above has the same
  /// variable, it is searched instead.
  static bool visits_unordered(const Program& p, const Access& x, const IndexVar& v) {
    const Format& f = p.at(x.tensor).format;
    for (int k = 0; k < f.order(); ++k)
      if (x.indices[static_cast<std::size_t>(f.map().mode_of(k))] == v)
        return f.level(k).is_dynamic() && !f.level(k).ordered;
    return false;
  }

  Format in_loop_order(const std::vector<IndexVar>& order) const {
    const std::vector<IndexVar>& indices = problem_.statement.lhs.indices;
    std::vector<int> modes;
    for (const IndexVar& v : order)
      modes.push_back(static_cast<int>(std::find(indices.begin(), indices.end(), v) - indices.begin()));
    return walkable_format(modes, problem_.extents.at(order[0]), coordinates_of(order[0]));
  }

  /// At most so many coordinates of a variable are met: those that each term's sparse operands store.
  double coordinates_of(const IndexVar& v) const {
    const auto extent = static_cast<double>(problem_.extents.at(v));
    double sum = 0;
    for (const Term& term : terms_of(problem_.statement)) {
      double least = extent;
      for (const Access& a : accesses(term.expr)) {
        const auto operand = problem_.operands.find(a.tensor.name());
        if (operand == problem_.operands.end() || !contains(a.indices, v)) continue;
        if (!operand->second.format.is_dense()) least = std::min(least, static_cast<double>(operand->second.stored));
      }
      sum += least;
    }
    return problem_.statement.accumulate ? extent : std::min(sum, extent);
  }

  void streamed() {
    std::vector<LevelFormat> levels(static_cast<std::size_t>(wanted().order()), LevelFormat::singleton(false, false));
    if (!levels.empty()) levels[0] = LevelFormat::compressed(false, false);
    take(place_temporaries(out_.program, Reach::Anywhere), Assembly::Stream, Format(levels));
  }

  /// What is added to bit by bit is kept in the type of the sum and converted once, at the end.
  void set_result_type() {
    Tensor& result = out_.program.result();
    result.type = adds_ ? problem_.compute_type : problem_.result_type;
    result.widths.clear();
    // Nodes are read as their tensor's dimensions say.
    const bool nodes = result.format.has_nodes();
    const std::vector<IndexVar>& indices = problem_.statement.lhs.indices;
    for (int k = 0; k < result.format.order(); ++k) {
      const IndexVar& v = indices[static_cast<std::size_t>(result.format.map().mode_of(k))];
      const bool narrow = problem_.extents.at(v) - (nodes ? 0 : 1) <= INT32_MAX;
      result.widths.push_back({Type::Int64, narrow ? Type::Int32 : Type::Int64});
    }
  }

  /// Copies have 64-bit positions where they hold more than 2^31 entries. A copy in the operand's own format is the
  /// operand.
  void set_copy_widths() {
    for (const OperandCopy& c : out_.copies) {
      const OperandFacts& facts = problem_.operands.at(c.source);
      for (Tensor& t : out_.program.tensors) {
        if (t.var.name() != c.name) continue;
        for (concrete::LevelWidths& w : t.widths) w.pos = facts.stored > INT32_MAX ? Type::Int64 : Type::Int32;
        if (!(c.format == facts.format)) continue;
        t.widths = facts.widths;
        t.piece = facts.piece;
      }
    }
  }

  void note_conversion() {
    const std::string name = problem_.statement.lhs.tensor.name();
    const concrete::Tensor& result = out_.program.result();
    std::vector<std::string>& notes = out_.program.notes;
    if (out_.program.result().assembly == Assembly::Stream)
      notes.push_back(fmt::format("{} is made from a stream of coordinates, sorted and coalesced into {}", name,
                                  wanted().to_string()));
    else if (wanted().has_nodes() && tree::is_assigned_by_threads(out_.program, result.var) &&
             !(result.format == wanted()))
      notes.push_back(fmt::format("{} is made in {} by threads, then put into the nodes of {} by one thread", name,
                                  result.format.to_string(), wanted().to_string()));
    else if (!(result.format == wanted()))
      notes.push_back(
          fmt::format("{} is made in {} and converted to {}", name, result.format.to_string(), wanted().to_string()));
    if (problem_.parallel && result.format.has_nodes() && out_.program.result().assembly != Assembly::SharedPattern)
      notes.push_back(fmt::format("{} is put into nodes by one thread", name));
  }

  Scheduled out_;
  const ScheduleProblem& problem_;
  bool adds_ = false;
};

}  // namespace

Scheduled finish(Scheduled scheduled, const ScheduleProblem& problem) {
  return Finisher(std::move(scheduled), problem).run();
}

}  // namespace lacuna
