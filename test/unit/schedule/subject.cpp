#include "unit/schedule/subject.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/schedule/automatic/automatic.h"
#include "lacuna/schedule/automatic/bare_loops.h"
#include "lacuna/schedule/directives/directives.h"
#include "support/random_request.h"
#include "support/reference_check.h"

namespace lacuna {
namespace {

Options options_for(Target::Backend backend) {
  Options options;
  options.target.backend = backend;
  options.target.threads = 2;
  return options;
}

JitOptions without_cache() { return {"cc", default_c_flags(), "", ""}; }

bool uses(const Access& a, const IndexVar& v) {
  return std::any_of(a.indices.begin(), a.indices.end(), [&](const IndexVar& u) { return u.name() == v.name(); });
}

/// The first word of a message, where a ':' ends it.
std::string directive_named_by(const std::string& message) { return message.substr(0, message.find(':')); }

}  // namespace

Subject::Subject(const std::string& text, const std::map<std::string, std::string>& formats,
                 const std::string& result_format, const std::map<std::string, std::int64_t>& extents) {
  std::map<std::string, std::int64_t> all = {{"i", 12}, {"j", 10}, {"k", 9}, {"l", 8}};
  for (const auto& [name, extent] : extents) all[name] = extent;
  const Statement statement = parse_statement(text);
  std::vector<Access> used = accesses(statement.rhs);
  used.push_back(statement.lhs);
  std::map<std::string, RandomOperand> operands;
  for (const Access& a : used) {
    const auto format = formats.find(a.tensor.name());
    if (format == formats.end()) continue;
    std::int64_t entries = 1;
    for (const IndexVar& v : a.indices) entries *= all.at(v.name());
    const bool full = parse_format(format->second, a.tensor.order()).is_dense();
    operands[a.tensor.name()] = {format->second, full ? -1 : (entries + 1) / 2};
  }
  request_ = random_request(text, operands, all, result_format);
  for (const IndexVar& v : statement.lhs.indices) {
    const auto tells = [&](const Access& a) { return operands.count(a.tensor.name()) > 0 && uses(a, v); };
    if (std::none_of(used.begin(), used.end(), tells)) request_.sizes[v.name()] = all.at(v.name());
  }
}

ScheduleProblem Subject::problem(const std::string& schedule) const {
  Request request = request_;
  request.schedule = parse_schedule(schedule);
  return check_request(request, options_for(Target::Backend::Interpreter)).problem;
}

std::string Subject::loops(const std::string& schedule) const {
  EXPECT_EQ(difference(schedule), "") << schedule;
  Scheduled scheduled = bare_loops(problem(schedule));
  for (const Directive& d : parse_schedule(schedule).directives)
    scheduled = std::visit([&](const auto& kind) { return apply(scheduled, kind); }, d.kind);
  return concrete::to_string(scheduled.program.root);
}

Scheduled Subject::finished(const std::string& schedule) const {
  EXPECT_EQ(difference(schedule), "") << schedule;
  return schedule_as_asked(problem(schedule), parse_schedule(schedule));
}

std::string Subject::refusal(const std::string& schedule) const { return refusal(parse_schedule(schedule)); }

std::string Subject::refusal_of(const DirectiveKind& directive) const {
  return refusal(Schedule{{{directive, {}}}, ""});
}

std::string Subject::refusal(const Schedule& schedule) const {
  Request request = request_;
  request.schedule = schedule;
  const std::string text = to_string(schedule);
  Options options = options_for(Target::Backend::Interpreter);
  options.stop_before_code = true;
  Jit jit(without_cache());
  try {
    const Plan plan = make_plan(check_request(request, options), options, jit);
    ADD_FAILURE() << text << " is accepted:\n" << concrete::to_string(plan.scheduled.program);
  } catch (const Error& error) {
    const std::string named = directive_named_by(error.what());
    const auto count = std::count_if(schedule.directives.begin(), schedule.directives.end(),
                                     [&](const Directive& d) { return name_of(d) == named; });
    EXPECT_GT(count, 0) << text << " is refused without naming its directive: " << error.what();
    if (count == 1 && !schedule.text.empty()) {
      EXPECT_THAT(error.text().substr(error.where().begin), testing::StartsWith(named)) << text << " has no place";
    }
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << text << " ends in: " << error.what();
  }
  return "";
}

namespace {

std::string difference_on(Target::Backend backend, const Request& asked, const std::string& schedule) {
  Request request = asked;
  request.schedule = parse_schedule(schedule);
  Engine engine(without_cache());
  return wrong(request, engine.run(request, options_for(backend))).value_or("");
}

}  // namespace

std::string Subject::difference(const std::string& schedule) const {
  return difference_on(Target::Backend::Interpreter, request_, schedule);
}

std::string Subject::compiled_difference(const std::string& schedule) const {
  return difference_on(Target::Backend::C, request_, schedule);
}

std::string Subject::c_code(const std::string& schedule) const {
  Request request = request_;
  request.schedule = parse_schedule(schedule);
  Options options = options_for(Target::Backend::C);
  options.stop_before_code = true;
  Jit jit(without_cache());
  return print_c(make_plan(check_request(request, options), options, jit).lowered.module).kernel;
}

}  // namespace lacuna
