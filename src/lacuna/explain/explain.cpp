#include <algorithm>

#include <fmt/format.h>

#include "lacuna/concrete/whole.h"
#include "lacuna/explain/alternatives.h"
#include "lacuna/explain/reasons.h"
#include "lacuna/explain/steps.h"
#include "lacuna/explain/words.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Program;
using concrete::Role;

Part part_of(Role role) {
  switch (role) {
    case Role::Result: return Part::Result;
    case Role::Operand: return Part::Operand;
    case Role::Scalar: return Part::Scalar;
    case Role::Workspace:
    case Role::PatternValues: break;
  }
  return Part::Workspace;
}

class Explainer {
 public:
  Explainer(const Scheduled& scheduled, const ScheduleProblem& problem, const std::map<std::string, double>& stored)
      : scheduled_(scheduled),
        problem_(problem),
        program_(scheduled.program),
        nest_(iteration::analyze(program_)),
        counts_(cost::count_operands(scheduled, problem, stored)),
        estimate_(cost::estimate(program_, nest_, counts_)) {}

  Explanation run(bool chosen) {
    Explanation e;
    e.statement = program_.text;
    e.chosen = chosen;
    for (const Directive& d : scheduled_.schedule.directives) e.directives.push_back(to_string(d));
    for (const concrete::Tensor& t : program_.tensors) e.tensors.push_back(tensor(t));
    std::stable_sort(e.tensors.begin(), e.tensors.end(), [](const auto& a, const auto& b) { return a.part < b.part; });
    e.lanes = lanes_of(program_, nest_, e.tensors);
    e.root = steps_of(program_, nest_, estimate_, e.lanes, e.tensors);
    e.reasons = reasons_of(scheduled_, problem_, nest_, chosen);
    if (chosen)
      for (Reason& r : alternatives_of(scheduled_, problem_, counts_)) e.reasons.push_back(std::move(r));
    e.candidates = scheduled_.candidates;
    e.notes = program_.notes;
    e.total = estimate_.total;
    e.compulsory_bytes = estimate_.compulsory_bytes();
    for (const auto& [name, count] : counts_) e.assumed = e.assumed || count.assumed;
    for (const concrete::Tensor& t : program_.tensors)
      e.expected = e.expected || (t.role == Role::Operand && !t.format.is_dense());
    return e;
  }

 private:
  ExplainedTensor tensor(const concrete::Tensor& t) const {
    ExplainedTensor x;
    x.name = t.var.name();
    x.part = part_of(t.role);
    x.format = t.role == Role::Workspace       ? format_words(t.format) + " workspace"
               : t.role == Role::PatternValues ? "values for " + t.pattern->name()
                                               : format_words(t.format);
    x.type = type_name(t.type);
    if (const std::optional<Access> access = access_of(t.var))
      for (const IndexVar& v : access->indices) x.dimensions.push_back(extent(v));
    switch (t.role) {
      case Role::Operand: operand(t, x); break;
      case Role::Result: result(x); break;
      case Role::Scalar:
        x.entries = 1;
        x.bytes = size_of(t.type);
        x.remark = temporary_words(program_, t);
        break;
      case Role::Workspace: workspace(t, x); break;
      case Role::PatternValues: pattern_values(t, x); break;
    }
    return x;
  }

  void operand(const concrete::Tensor& t, ExplainedTensor& x) const {
    const auto count = counts_.find(x.name);
    if (count != counts_.end()) {
      x.entries = count->second.levels.empty() ? 1 : count->second.levels.back().entries;
      x.assumed = x.expected = count->second.assumed;
    }
    for (const auto& [key, a] : estimate_.arrays) {
      if (key.tensor != x.name) continue;
      x.bytes += a.size;
    }
    if (const auto needed = estimate_.needed.find(x.name); needed != estimate_.needed.end()) x.needed = needed->second;
    for (const OperandCopy& c : scheduled_.copies) {
      if (c.name != x.name) continue;
      x.expected = !(t.format == problem_.operands.at(c.source).format);
      x.remark =
          fmt::format("a copy of {}, which is {}", c.source, format_words(problem_.operands.at(c.source).format));
    }
    if (x.name == old_result_name(problem_.statement)) x.remark = "the old values of " + program_.result().var.name();
  }

  void result(ExplainedTensor& x) const {
    x.entries = estimate_.result_entries;
    x.expected = program_.result().assembly == concrete::Assembly::Append ||
                 program_.result().assembly == concrete::Assembly::Stream;
    x.bytes = x.needed = estimate_.result_bytes;
    x.remark = assembly_words(program_);
  }

  /// Values, a mark for each or for each row, and in sparse ones a list of those touched. A table of keys has two to
  /// four slots for each of them.
  void workspace(const concrete::Tensor& t, ExplainedTensor& x) const {
    double size = 1, marks = 1;
    const std::vector<bool> whole = concrete::whole_modes(program_, t.var);
    for (std::size_t m = 0; m < x.dimensions.size(); ++m) {
      x.dimensions[m] = concrete::room_along(program_, t.var, static_cast<int>(m));
      size *= static_cast<double>(x.dimensions[m]);
      if (!whole[m]) marks *= static_cast<double>(x.dimensions[m]);
    }
    const auto filled = estimate_.filled.find(t.var);
    x.entries = filled == estimate_.filled.end() ? size : size * filled->second;
    x.expected = true;
    const int key = t.widths.size() == 1 ? size_of(t.widths.front().crd) : size_of(Type::Int64);
    const LevelFormat& first = t.format.level(0);
    x.bytes = size * size_of(t.type) + marks;
    if (first.hashes()) x.bytes = 3 * x.entries * (size_of(t.type) + key) + x.entries * key;
    if (first.has_present()) x.bytes = size * (size_of(t.type) + 1 + key);
    x.remark = temporary_words(program_, t);
  }

  void pattern_values(const concrete::Tensor& t, ExplainedTensor& x) const {
    const auto count = counts_.find(t.pattern->name());
    if (count != counts_.end()) {
      x.entries = count->second.levels.back().entries;
      x.bytes = count->second.levels.back().positions * size_of(t.type);
      x.assumed = count->second.assumed;
    }
    x.remark = temporary_words(program_, t);
  }

  std::int64_t extent(const IndexVar& v) const {
    const auto it = program_.extents.find(v);
    if (it != program_.extents.end()) return it->second;
    std::int64_t product = 1;
    for (const IndexVar& u : program_.provenance.underived(v)) product *= program_.extents.at(u);
    return product;
  }

  /// The first access of a tensor, on either side.
  std::optional<Access> access_of(const TensorVar& t) const {
    std::optional<Access> found;
    tree::each_assignment(program_.root, [&](const concrete::Assign& a, const auto&) {
      if (found) return;
      if (a.target.tensor == t) found = a.target;
      for (const Access& x : accesses(a.rhs))
        if (x.tensor == t) found = x;
    });
    return found;
  }

  const Scheduled& scheduled_;
  const ScheduleProblem& problem_;
  const Program& program_;
  iteration::Nest nest_;
  cost::Counts counts_;
  cost::Estimate estimate_;
};

}  // namespace

Explanation explain(const Scheduled& scheduled, const ScheduleProblem& problem, bool chosen,
                    const std::map<std::string, double>& stored) {
  return Explainer(scheduled, problem, stored).run(chosen);
}

}  // namespace lacuna
