#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/schedule/directives/directives.h"
#include "unit/schedule/subject.h"

namespace lacuna::prefetch_test {
namespace {

using testing::HasSubstr;

Subject product(const std::string& A = "csr") {
  return {"C(i,j) = A(i,k) * B(k,j)", {{"A", A}, {"B", "dense"}}, "dense"};
}
Subject sampled() {
  return {"A(i,j) = B(i,j) * C(i,k) * D(j,k)", {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}}, "csr"};
}

TEST(Prefetch, AsksForRowsThatTheCoordinateLeadsTo) {
  EXPECT_EQ(product().loops("reorder(i,k,j), prefetch(k,8)"),
            "forall i\n  forall k  (prefetch 8)\n    forall j\n      C(i,j) += A(i,k) * B(k,j)\n");
  const std::string code = product().c_code("reorder(i,k,j), prefetch(k,8)");
  EXPECT_THAT(code, HasSubstr("int64_t k_ahead = A2_crd[lacuna_min_int64(pA2 + 8, A2_count - 1)];"));
  EXPECT_THAT(code, HasSubstr("lacuna_prefetch(&B_vals[B_ahead + e]);"));
  EXPECT_EQ(product().compiled_difference("reorder(i,k,j), prefetch(k,8)"), "");
  EXPECT_EQ(product("dcsr").difference("reorder(i,k,j), prefetch(k,1024)"), "");
}

TEST(Prefetch, AsksForEntriesAndForPiecesOfRows) {
  const Subject vector("y(i) = A(i,j) * x(j)", {{"A", "csr"}, {"x", "dense"}});
  EXPECT_THAT(vector.c_code("prefetch(j,4)"), HasSubstr("lacuna_prefetch(&x_vals[j_ahead]);"));
  EXPECT_THAT(product().c_code("split(j,jo,ji,4), reorder(i,jo,k,ji), unroll(ji,4), prefetch(k,2)"),
              HasSubstr("B_ahead = k_ahead * B2_size + j_first;"));
  for (const char* schedule : {"prefetch(j,3)", "reorder(i,j,k), split(j,jo,ji,3), prefetch(ji,2)",
                               "prefetch(j,3), parallelize(i,CPUThread)", "prefetch(j,5), pos(j,p,B), split(p,a,b,4)"})
    EXPECT_EQ(sampled().difference(schedule), "") << schedule;
}

TEST(Prefetch, RefusesLoopsThatDoNotRunThroughOneOperand) {
  EXPECT_THAT(product().refusal("reorder(i,k,j), prefetch(j,8)"), HasSubstr("not known ahead"));
  EXPECT_THAT(product().refusal("split(i,io,ii,4), prefetch(io,2)"), HasSubstr("not known ahead"));
  const Subject sum("C(i,j) = A(i,j) + B(i,j)", {{"A", "csr"}, {"B", "csr"}}, "csr");
  EXPECT_THAT(sum.refusal("prefetch(j,8)"), HasSubstr("not known ahead"));
}

TEST(Prefetch, RefusesCoordinatesThatLeadNowhere) {
  const Subject copy("C(i,j) = A(i,j)", {{"A", "csr"}}, "csr");
  EXPECT_THAT(copy.refusal("prefetch(j,8)"), HasSubstr("the coordinates of j lead to nothing that is stored densely"));
}

TEST(Prefetch, RefusesNumbersOutOfRange) {
  EXPECT_EQ(product().refusal_of(directive::Prefetch{"k", 0}),
            "prefetch: 0 iterations ahead are not between 1 and 1024");
  EXPECT_EQ(product().refusal_of(directive::Prefetch{"k", 1025}),
            "prefetch: 1025 iterations ahead are not between 1 and 1024");
}

}  // namespace
}  // namespace lacuna::prefetch_test
