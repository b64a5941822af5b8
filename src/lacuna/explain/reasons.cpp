#include "lacuna/explain/reasons.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "lacuna/concrete/whole.h"
#include "lacuna/explain/words.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Assembly;
using concrete::Program;
using concrete::Role;
using iteration::Nest;

std::vector<std::string> names_of(const std::vector<IndexVar>& variables) {
  std::vector<std::string> names;
  for (const IndexVar& v : variables) names.push_back(v.name());
  return names;
}

/// Whether some loop goes through what a level of the path stores: then the path decides about loop order.
bool is_walked(const Nest& nest, int path) {
  return std::any_of(nest.loops.begin(), nest.loops.end(), [&](const iteration::Loop& l) {
    return std::any_of(l.walks.cursors.begin(), l.walks.cursors.end(),
                       [&](const iteration::LevelUse& u) { return u.path == path; });
  });
}

class Reasons {
 public:
  Reasons(const Scheduled& scheduled, const ScheduleProblem& problem, const Nest& nest, bool chosen)
      : problem_(problem), program_(scheduled.program), nest_(nest), chosen_(chosen) {}

  std::vector<Reason> run() {
    order();
    searches();
    temporaries();
    result();
    for (const iteration::Loop& l : nest_.loops) run_by(l);
    return std::move(reasons_);
  }

 private:
  void add(const std::string& about, const std::string& why) { reasons_.push_back({about, why}); }

  void order() {
    std::vector<std::string> parts;
    if (!chosen_) parts.emplace_back("as the schedule says");
    std::set<std::string> told;
    for (std::size_t p = 0; p < nest_.paths.size(); ++p) {
      const concrete::Tensor& t = program_.at(nest_.paths[p].tensor);
      const std::vector<IndexVar>& variables = nest_.paths[p].variables;
      if (variables.size() < 2 || !is_walked(nest_, static_cast<int>(p))) continue;
      const std::string text = fmt::format("{} ({}) is stored by {}", t.var.name(), t.format.to_string(),
                                           fmt::join(names_of(variables), ", then "));
      if (told.insert(text).second) parts.push_back(text);
    }
    const std::vector<IndexVar> loops = running_order(nest_);
    if (loops.size() < 2 || parts.empty()) return;
    add("order " + fmt::format("{}", fmt::join(names_of(loops), ", ")), fmt::format("{}", fmt::join(parts, "; ")));
  }

  void searches() {
    for (const iteration::Loop& l : nest_.loops)
      for (const iteration::LevelUse& u : l.located) {
        if (u.use != iteration::Use::Searched) continue;
        const iteration::Path& path = nest_.path_of(u);
        add(path.tensor.name(), fmt::format("level {} is searched: {} is known before the level is visited",
                                            u.level + 1, path.variables[static_cast<std::size_t>(u.level)].name()));
      }
  }

  void temporaries() {
    const std::string& result = program_.result().var.name();
    for (const concrete::Tensor& t : program_.tensors) {
      if (t.role == Role::Scalar) add(t.var.name(), "adds up in a register, so that memory is written once");
      if (t.role == Role::PatternValues)
        add(t.var.name(),
            fmt::format("is there where {} has entries: it has a value for each of these", t.pattern->name()));
      if (t.role != Role::Workspace) continue;
      const LevelFormat& first = t.format.level(0);
      const char* const collects = first.has_present() ? "a dense row" : first.hashes() ? "a hash table" : nullptr;
      if (collects != nullptr)
        add(t.var.name(),
            fmt::format("sums come in no order: {} collects them, with a list of the coordinates touched, "
                        "which is sorted and handed on to {}",
                        collects, result));
      else add(t.var.name(), fmt::format("sums come in no order: they are collected densely, {}", marks_of(t.var)));
    }
  }

  /// What says which entries of a dense temporary are there.
  std::string marks_of(const TensorVar& t) const {
    const std::vector<bool> whole = concrete::whole_modes(program_, t);
    if (std::find(whole.begin(), whole.end(), true) == whole.end()) return "with a mark for each that is there";
    if (std::find(whole.begin(), whole.end(), false) != whole.end())
      return "row by row, with a mark for each row that is there";
    return concrete::is_always_filled(program_, t) ? "all of them" : "all of them or none, as one flag says";
  }

  void result() {
    const concrete::Tensor& r = program_.result();
    const std::string& name = r.var.name();
    if (r.format.order() == 0) return;
    switch (program_.result().assembly) {
      case Assembly::Random:
        add(name, "stored in place: each entry of its format has a place of its own, whatever the order of the loops");
        break;
      case Assembly::Append:
        add(name, fmt::format("appended: the loops visit its coordinates once each, in the order it stores{}",
                              tree::is_assigned_by_threads(program_, program_.result().var)
                                  ? "; each thread appends to arrays of its own, put together at the end"
                                  : ""));
        break;
      case Assembly::Insert:
        add(name,
            "inserted: the loops run twice, first counting each row's entries, then storing them where the sums "
            "of the counts say, so that threads work on rows of their own");
        break;
      case Assembly::SharedPattern:
        add(name, fmt::format("has entries exactly where {0} has: it shares {0}'s {1}, and only values are computed",
                              program_.result().pattern_operand, shared_words()));
        break;
      case Assembly::Stream:
        add(name,
            "the loops visit its coordinates in another order, or repeatedly: (coordinates, value) are "
            "collected, then sorted and added up");
        break;
    }
    if (program_.result().assembly != Assembly::Stream && !(r.format == problem_.result_format))
      add(name, fmt::format("made in {}, then converted to {}", format_words(r.format),
                            format_words(problem_.result_format)));
  }

  /// What it has in common with the operand whose pattern it shares.
  std::string shared_words() const {
    const auto is_pattern = [&](const concrete::Tensor& t) {
      return t.var.name() == program_.result().pattern_operand;
    };
    const auto pattern = std::find_if(program_.tensors.begin(), program_.tensors.end(), is_pattern);
    const int levels = program_.result().pattern_levels;
    if (pattern->format.order() == levels) return "coordinates";
    return levels == 1 ? "first level" : fmt::format("first {} levels", levels);
  }

  void run_by(const iteration::Loop& l) {
    if (l.how.unit == concrete::Unit::Serial) return;
    const std::string who = concrete::on_threads(l.how.unit) ? "on threads: " : "in SIMD lanes: ";
    const auto why = [&]() -> std::string {
      switch (l.how.race) {
        case concrete::Race::NoRaces: return "no two iterations store to one place";
        case concrete::Race::Atomics: return "iterations may add to one place, each addition atomically";
        case concrete::Race::Temporary: return "each thread adds to a result of its own; these are added up at the end";
        case concrete::Race::ParallelReduction:
          return "each thread has a sum of its own; these are added up at the end";
      }
      return "";
    };
    add("loop " + l.var.name(), who + why());
  }

  const ScheduleProblem& problem_;
  const Program& program_;
  const Nest& nest_;
  bool chosen_;
  std::vector<Reason> reasons_;
};

/// The loops around each assignment to a temporary that are inside the where that reads it.
std::vector<std::string> producing_loops(const Program& program, const TensorVar& t) {
  std::vector<IndexVar> producing, consuming;
  tree::each_assignment(program.root, [&](const concrete::Assign& a, const auto& loops) {
    const bool produces = a.target.tensor == t;
    const std::vector<Access> read = accesses(a.rhs);
    const bool consumes = std::any_of(read.begin(), read.end(), [&](const Access& x) { return x.tensor == t; });
    for (const concrete::Forall* f : loops) {
      if (produces && !contains(producing, f->var)) producing.push_back(f->var);
      if (consumes && !contains(consuming, f->var)) consuming.push_back(f->var);
    }
  });
  std::vector<std::string> names;
  for (const IndexVar& v : producing)
    if (!contains(consuming, v)) names.push_back(v.name());
  return names;
}

}  // namespace

std::vector<IndexVar> running_order(const Nest& nest) {
  std::vector<IndexVar> loops;
  const std::function<void(const iteration::Node&)> go = [&](const iteration::Node& node) {
    if (node.loop >= 0) {
      const IndexVar& v = nest.loops[static_cast<std::size_t>(node.loop)].var;
      if (!contains(loops, v)) loops.push_back(v);
    }
    const bool where = std::holds_alternative<concrete::Where>(node.stmt->kind);
    for (std::size_t c = 0; c < node.children.size(); ++c) go(node.children[where ? node.children.size() - 1 - c : c]);
  };
  go(nest.root);
  return loops;
}

std::string assembly_words(const Program& program) {
  switch (program.result().assembly) {
    case Assembly::Random: return "stored in place";
    case Assembly::Append: return "appended in order";
    case Assembly::Insert: return "counted, then inserted";
    case Assembly::SharedPattern: return "values only, at the coordinates of " + program.result().pattern_operand;
    case Assembly::Stream: return "collected, then sorted";
  }
  return "";
}

std::string temporary_words(const Program& program, const concrete::Tensor& t) {
  const std::vector<std::string> loops = producing_loops(program, t.var);
  if (t.role == Role::Scalar) return loops.empty() ? "a value computed once" : "the sum over " + listed(loops);
  return loops.empty() ? "values computed once" : "sums over " + listed(loops);
}

std::vector<Reason> reasons_of(const Scheduled& scheduled, const ScheduleProblem& problem, const Nest& nest,
                               bool chosen) {
  return Reasons(scheduled, problem, nest, chosen).run();
}

}  // namespace lacuna
