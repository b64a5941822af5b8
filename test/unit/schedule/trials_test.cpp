#include "lacuna/schedule/complete/trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/schedule/automatic/bare_loops.h"
#include "support/random_request.h"

namespace lacuna::trials_test {
namespace {

struct Trials : testing::Test {
  CheckedRequest checked =
      check_request(random_request("Y(i,l) = A(i,k) * X(k,l)", {{"A", {"csr", 40}}, {"X", {"dense"}}},
                                   {{"i", 12}, {"k", 10}, {"l", 16}}),
                    {});
  Scheduled bare = bare_loops(checked.problem);
  ScheduleTrials trials{bare, checked.problem};

  std::string tried(const std::string& schedule) {
    const auto all = trials.completed(parse_schedule(schedule));
    return all ? concrete::to_string(all->program) : "refused";
  }
  std::string applied(const std::string& schedule) const {
    return concrete::to_string(apply_schedule(bare, checked.problem, parse_schedule(schedule)).program);
  }
};

TEST_F(Trials, ComeToTheSameInAnyOrder) {
  for (const char* schedule : {"split(l,lo,li,4)", "split(l,lo,li,4), reorder(i,lo,k,li)",
                               "split(l,lo,li,4), reorder(i,lo,k,li), unroll(li,4)", "split(l,lo,li,4)", "",
                               "unroll(l,2)", "split(l,lo,li,8), unroll(li,8)"})
    EXPECT_EQ(tried(schedule), applied(schedule)) << schedule;
}

TEST_F(Trials, GoOnAfterARefusal) {
  EXPECT_EQ(tried("split(l,lo,li,4), reorder(i,lo,k,li)"), applied("split(l,lo,li,4), reorder(i,lo,k,li)"));
  EXPECT_EQ(tried("split(l,lo,li,4), reorder(k,i)"), "refused");
  EXPECT_EQ(tried("split(l,lo,li,4), unroll(li,4)"), applied("split(l,lo,li,4), unroll(li,4)"));
}

TEST_F(Trials, OfWhatMustBeLegalSayWhatIsNot) {
  EXPECT_NO_THROW(trials.required(parse_schedule("unroll(l,2)")));
  EXPECT_THROW(trials.required(parse_schedule("unroll(z,2)")), InternalError);
}

TEST_F(Trials, ARefusalSaysWhoWhyAndWhatToDo) {
  const Schedule schedule = parse_schedule("split(l,k,li,4)");
  const Outcome outcome = apply_directive(bare, schedule.directives[0]);
  const auto* refusal = std::get_if<Refusal>(&outcome);
  ASSERT_NE(refusal, nullptr);
  EXPECT_EQ(refusal->directive, "split");
  EXPECT_EQ(refusal->reason, "there is a variable k already");
  EXPECT_EQ(refusal->fix, "choose another name for the new one");
  EXPECT_EQ(refusal->text(), "split: there is a variable k already; choose another name for the new one");
  EXPECT_EQ(refusal->where.begin, 0u);
  EXPECT_TRUE(refusal->where.known());
}

TEST_F(Trials, WhatIsFoundAtTheEndNamesItsDirective) {
  const Schedule schedule = parse_schedule("parallelize(k,CPUThread,NoRaces)");
  const Outcome outcome = complete_schedule(apply_directives(bare, schedule), checked.problem, schedule);
  const auto* refusal = std::get_if<Refusal>(&outcome);
  ASSERT_NE(refusal, nullptr);
  EXPECT_EQ(refusal->directive, "parallelize");
  EXPECT_TRUE(refusal->where.known());
}

}  // namespace
}  // namespace lacuna::trials_test
