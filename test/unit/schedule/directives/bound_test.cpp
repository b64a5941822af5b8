#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::bound_test {
namespace {

using testing::HasSubstr;

/// i takes 12 values, j 10.
Subject matrix_vector() { return {"y(i) = A(i,j) * x(j)", {{"A", "csr"}, {"x", "dense"}}}; }

TEST(Bound, GivesAVariableAnotherNameAndAPromise) {
  EXPECT_EQ(matrix_vector().loops("bound(i,ib,12,exact)"), "forall ib\n  forall j\n    y(i) += A(i,j) * x(j)\n");
  for (const auto& [schedule, promise] :
       {std::pair{"bound(i,ib,12,exact)", "ib = i, exactly 12"}, std::pair{"bound(i,ib,5,min)", "ib = i, at least 5"},
        std::pair{"bound(i,ib,100,max)", "ib = i, at most 100"}})
    EXPECT_THAT(concrete::to_string(matrix_vector().finished(schedule).program), HasSubstr(promise));
}

TEST(Bound, KeepsHowTheLoopIsRun) {
  EXPECT_EQ(matrix_vector().loops("parallelize(i,CPUThread), bound(i,ib,12,exact)"),
            "forall ib  (threads)\n  forall j\n    y(i) += A(i,j) * x(j)\n");
}

TEST(Bound, MakesWhatIsDerivedFromItFixed) {
  EXPECT_EQ(matrix_vector().loops("bound(j,jb,10,exact), split(jb,a,b,5), unroll(b,5)"),
            "forall i\n  forall a\n    forall b  (unroll 5)\n      y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("split(j,a,b,4), bound(b,c,4,exact), bound(a,d,3,max), reorder(c,d)"),
            "forall i\n  forall c\n    forall d\n      y(i) += A(i,j) * x(j)\n");
}

TEST(Bound, RefusesAPromiseThatIsNotKept) {
  EXPECT_EQ(matrix_vector().refusal("bound(i,ib,13,min)"), "bound: i takes 12 values, not at least 13");
  EXPECT_EQ(matrix_vector().refusal("bound(i,ib,11,max)"), "bound: i takes 12 values, not at most 11");
  EXPECT_EQ(matrix_vector().refusal("bound(i,ib,11,exact)"), "bound: i takes 12 values, not exactly 11");
  EXPECT_EQ(matrix_vector().refusal("split(i,io,ii,5), bound(io,b,4,exact)"),
            "bound: io takes 3 values, not exactly 4");
  EXPECT_EQ(matrix_vector().refusal("divide(i,io,ii,5), bound(ii,b,4,min)"),
            "bound: ii takes 3 values, not at least 4");
  EXPECT_EQ(matrix_vector().refusal("fuse(i,j,f), bound(f,b,119,exact)"), "bound: f takes 120 values, not exactly 119");
}

TEST(Bound, KnowsHowLongAPieceOfPositionsIs) {
  EXPECT_EQ(matrix_vector().loops("pos(j,jp,A), split(jp,a,b,3), bound(b,c,3,exact)"),
            "forall i\n  forall a\n    forall c\n      y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("pos(j,jp,A), divide(jp,a,b,3), bound(a,c,3,exact)"),
            "forall i\n  forall c\n    forall b\n      y(i) += A(i,j) * x(j)\n");
  // There are never more positions than pairs.
  EXPECT_EQ(matrix_vector().loops("fuse(i,j,f), pos(f,fp,A), bound(fp,c,120,max)"),
            "forall c\n  y(i) += A(i,j) * x(j)\n");
}

TEST(Bound, RefusesPromisesAboutHowManyPositionsThereAre) {
  const char* reason =
      " counts positions, and how many there are is known only when the kernel is run; bound the variable before pos, "
      "or "
      "the piece of a split";
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,A), bound(jp,b,10,exact)"), std::string("bound: jp") + reason);
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,A), bound(jp,b,1,min)"), std::string("bound: jp") + reason);
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,A), bound(jp,b,9,max)"), std::string("bound: jp") + reason);
  EXPECT_EQ(matrix_vector().refusal("fuse(i,j,f), pos(f,fp,A), split(fp,a,b,4), bound(a,c,30,exact)"),
            std::string("bound: a") + reason);
  EXPECT_EQ(matrix_vector().refusal("fuse(i,j,f), pos(f,fp,A), divide(fp,a,b,4), bound(b,c,30,exact)"),
            std::string("bound: b") + reason);
}

TEST(Bound, RefusesNames) {
  EXPECT_EQ(matrix_vector().refusal("bound(k,kb,3,max)"), "bound: there is no loop over k; the loops are i, j");
  EXPECT_EQ(matrix_vector().refusal("bound(i,j,12,max)"),
            "bound: there is a variable j already; choose another name for the new one");
}

}  // namespace
}  // namespace lacuna::bound_test
