#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::merge_by_test {
namespace {

using testing::HasSubstr;

Subject intersection(const std::string& A = "csr", const std::string& B = "csr") {
  return {"C(i,j) = A(i,j) * B(i,j)", {{"A", A}, {"B", B}}, "csr"};
}

TEST(MergeBy, GallopsWhereEveryOperandMustHaveTheCoordinate) {
  EXPECT_EQ(intersection().loops("mergeby(j,Gallop)"),
            "forall i\n  forall j  (gallop)\n    C(i,j) = A(i,j) * B(i,j)\n");
  EXPECT_EQ(intersection("dcsr", "dcsr").difference("mergeby(i,Gallop), mergeby(j,Gallop)"), "");
  const Subject three("s = a(i) * b(i) * c(i)", {{"a", "compressed"}, {"b", "compressed"}, {"c", "compressed"}});
  EXPECT_EQ(three.difference("mergeby(i,Gallop)"), "");
}

TEST(MergeBy, TwoFingersAreWhatALoopHasAnyway) {
  EXPECT_EQ(intersection().loops("mergeby(j,TwoFinger)"),
            intersection().loops("mergeby(j,Gallop), mergeby(j,TwoFinger)"));
  EXPECT_EQ(intersection().c_code("mergeby(j,TwoFinger)"), intersection().c_code("reorder(i,j)"));
}

TEST(MergeBy, KeepsGallopingInPieces) {
  EXPECT_EQ(intersection().loops("mergeby(j,Gallop), split(j,jo,ji,4)"),
            "forall i\n  forall jo\n    forall ji  (gallop)\n      C(i,j) = A(i,j) * B(i,j)\n");
  EXPECT_THAT(intersection().c_code("mergeby(j,Gallop), split(j,jo,ji,4)"), HasSubstr("lower_bound_near"));
}

TEST(MergeBy, RefusesToGallopWhereNothingIsMerged) {
  const Subject vector("y(i) = A(i,j) * x(j)", {{"A", "csr"}, {"x", "dense"}});
  const char* reason = " merges nothing, so there is nothing to gallop to; leave this directive out";
  EXPECT_EQ(vector.refusal("mergeby(j,Gallop)"), std::string("mergeby: the loop over j") + reason);
  EXPECT_EQ(vector.refusal("mergeby(i,Gallop)"), std::string("mergeby: the loop over i") + reason);
  const Subject product("C(i,j) = A(i,k) * B(k,j)", {{"A", "csr"}, {"B", "csr"}}, "csr");
  EXPECT_EQ(product.refusal("precompute(A(i,k)*B(k,j),j,jw), mergeby(j,Gallop)"),
            std::string("mergeby: the loop over j") + reason);
}

TEST(MergeBy, RefusesToGallopThroughSums) {
  const Subject sum("C(i,j) = A(i,j) + B(i,j)", {{"A", "csr"}, {"B", "csr"}}, "csr");
  EXPECT_EQ(
      sum.refusal("mergeby(j,Gallop)"),
      "mergeby: the loop over j also computes where some of its operands store nothing, so it visits every entry; "
      "only loops in which every operand must store an entry can gallop");
}

TEST(MergeBy, RefusesToGallopThroughWhatCannotBeSearched) {
  const Subject coordinates("s = A(i,j) * B(i,j)", {{"A", "coo"}, {"B", "coo"}});
  EXPECT_EQ(
      coordinates.refusal("mergeby(i,Gallop)"),
      "mergeby: A stores i in a level that cannot be searched; compressed levels that are ordered and unique can, "
      "and nodes in order");
  EXPECT_EQ(
      coordinates.refusal("mergeby(j,Gallop)"),
      "mergeby: A stores j in a level that cannot be searched; compressed levels that are ordered and unique can, "
      "and nodes in order");
}

TEST(MergeBy, RefusesToGallopThroughComputedValues) {
  EXPECT_EQ(intersection().refusal("split(j,jo,ji,4), mergeby(jo,Gallop)"),
            "mergeby: the loop over jo merges nothing, so there is nothing to gallop to; leave this directive out");
  EXPECT_EQ(intersection().refusal("split(j,jo,ji,4), reorder(ji,jo), mergeby(jo,Gallop)"),
            "mergeby: the loop over jo merges nothing, so there is nothing to gallop to; leave this directive out");
}

TEST(MergeBy, RefusesNames) {
  EXPECT_EQ(intersection().refusal("mergeby(k,Gallop)"), "mergeby: there is no loop over k; the loops are i, j");
}

}  // namespace
}  // namespace lacuna::merge_by_test
