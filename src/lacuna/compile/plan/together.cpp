#include "lacuna/compile/plan/together.h"

#include <algorithm>
#include <set>

#include "lacuna/compile/plan/diagonal.h"
#include "lacuna/concrete/join.h"
#include "lacuna/concrete/rename.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/schedule/automatic/automatic.h"
#include "lacuna/schedule/complete/row_pieces.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

const std::string& result_of(const CheckedRequest& checked) { return checked.problem.statement.lhs.tensor.name(); }

bool is_alike(const concrete::Tensor& a, const concrete::Tensor& b) {
  return a.format == b.format && a.widths == b.widths && a.type == b.type;
}

/// Copies of one name that are not alike get different names.
void name_copies_apart(Scheduled& s, const std::vector<Scheduled>& others) {
  const auto is_taken = [&](const std::string& name, const concrete::Tensor* copy) {
    const auto clashes = [&](const concrete::Tensor& t) {
      return !t.is_temporary() && t.var.name() == name && (copy == nullptr || !is_alike(t, *copy));
    };
    return std::any_of(others.begin(), others.end(), [&](const Scheduled& other) {
      return std::any_of(other.program.tensors.begin(), other.program.tensors.end(), clashes);
    });
  };
  concrete::Program& p = s.program;
  for (OperandCopy& c : s.copies) {
    const auto copy =
        std::find_if(p.tensors.begin(), p.tensors.end(), [&](const auto& t) { return t.var.name() == c.name; });
    if (copy == p.tensors.end() || !is_taken(c.name, &*copy)) continue;
    int n = 2;
    while (is_taken(c.name + std::to_string(n), nullptr)) ++n;
    const std::string name = c.name + std::to_string(n);
    concrete::Renaming renaming;
    renaming.tensors.emplace(copy->var, TensorVar(name, copy->var.order()));
    if (p.result().pattern_operand == c.name) p.result().pattern_operand = name;
    for (concrete::Tensor& t : p.tensors) t = renaming.of(t);
    p.root = renaming.of(p.root);
    c.name = name;
  }
}

void note_one_thread(const CheckedRequest& checked, const std::vector<Scheduled>& each, Scheduled& joined) {
  const auto has_threads = [](const concrete::Program& p) {
    bool found = false;
    concrete::each_loop(p.root, [&](const concrete::Forall& f) { found = found || concrete::on_threads(f.how.unit); });
    return found;
  };
  if (has_threads(joined.program)) return;
  for (std::size_t n = 0; n < each.size(); ++n)
    if (has_threads(each[n].program)) {
      joined.program.notes.push_back(fmt::format("{} is made by one thread, since others of the kernel's results are",
                                                 result_of(checked.statement(n))));
    }
}

}  // namespace

Request further_request(const Request& request, std::size_t n) {
  const FurtherStatement& further = request.further[n];
  Request alone = request;
  alone.further.clear();
  alone.statement = further.statement;
  alone.result_format = further.result_format;
  alone.result_type = further.result_type;
  alone.sizes = further.sizes;
  return alone;
}

void check_together(const CheckedRequest& checked) {
  std::set<std::string> results;
  for (std::size_t n = 0; n < checked.statements(); ++n) {
    const ScheduleProblem& p = checked.statement(n).problem;
    const std::string& result = result_of(checked.statement(n));
    if (!results.insert(result).second) user_error("two statements of one kernel make {}: give it two names", result);
    if (updates_diagonal(p.statement))
      user_error("{} adds to the diagonal of {}, which takes a kernel of its own: evaluate it alone", p.statement.text,
                 result);
  }
  for (std::size_t n = 0; n < checked.statements(); ++n) {
    const Statement& s = checked.statement(n).problem.statement;
    for (const Access& a : accesses(s.rhs))
      if (results.contains(a.tensor.name()) && a.tensor.name() != s.lhs.tensor.name())
        user_error("{} reads {}, which the same kernel makes: evaluate it after that kernel", s.text, a.tensor.name());
  }
}

Scheduled schedule_together(const CheckedRequest& checked, bool plainly) {
  std::vector<Scheduled> each;
  std::vector<concrete::Program> programs;
  for (std::size_t n = 0; n < checked.statements(); ++n) {
    const CheckedRequest& one = checked.statement(n);
    Scheduled s = plainly ? schedule_plainly(one.problem) : schedule_as_asked(one.problem, one.schedule);
    if (s.program.result().assembly == concrete::Assembly::Insert && checked.statements() > 1)
      user_error(
          "assemble: {} is counted first and then inserted into, in two passes over its loops, which the kernel's "
          "other results do not take; say Append, or evaluate it alone",
          result_of(one));
    name_copies_apart(s, each);
    programs.push_back(s.program);
    each.push_back(std::move(s));
  }
  if (each.size() == 1) return std::move(each.front());
  Scheduled joined = each.front();
  joined.program = concrete::join(programs);
  joined.program.root = mark_row_pieces(joined.program);
  for (std::size_t n = 1; n < each.size(); ++n)
    for (const OperandCopy& c : each[n].copies)
      if (std::none_of(joined.copies.begin(), joined.copies.end(), [&](const auto& x) { return x.name == c.name; }))
        joined.copies.push_back(c);
  note_one_thread(checked, each, joined);
  return joined;
}

}  // namespace lacuna
