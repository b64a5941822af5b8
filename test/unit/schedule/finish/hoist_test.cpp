#include "lacuna/schedule/complete/hoist.h"

#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::hoist_test {
namespace {

std::string loops(const Subject& s, const std::string& schedule) {
  return concrete::to_string(s.finished(schedule).program.root);
}

TEST(Hoist, TakesSumsOutOfLoopsThatTheyDoNotDependOn) {
  const Subject s("y(i) = x(i) * sum(j, a(j))", {{"x", "dense"}, {"a", "compressed"}});
  EXPECT_EQ(loops(s, "unroll(i,2)"), "forall i  (unroll 2)\n  y(i) = x(i) * s1\nwhere\n  forall j\n    s1 += a(j)\n");
}

TEST(Hoist, LeavesSumsInLoopsThatTheyDependOn) {
  const Subject s("y(i) = x(i) * sum(j, A(i,j))", {{"x", "dense"}, {"A", "csr"}});
  EXPECT_EQ(loops(s, "split(i,io,ii,4)"),
            "forall io\n  forall i\n    y(i) = x(i) * s1\n    where\n      forall j\n        s1 += A(i,j)\n");
}

TEST(Hoist, LeavesSumsWhosePartTheLoopTells) {
  const Subject s("y(i) = sum(k, A(k,j))", {{"A", "dense"}}, "", {{"i", 3}, {"j", 3}, {"k", 3}});
  EXPECT_EQ(loops(s, "fuse(i,j,f), split(f,a,b,2)"),
            "forall a\n  forall i\n    y(i) += t\n    where\n      forall j\n        t += s1\n        where\n"
            "          forall k\n            s1 += A(k,j)\n");
}

}  // namespace
}  // namespace lacuna::hoist_test
