#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::parallelize_test {
namespace {

using testing::HasSubstr;

Subject matrix_vector(const std::string& A = "csr", const std::string& y = "") {
  return {"y(i) = A(i,j) * x(j)", {{"A", A}, {"x", "dense"}}, y};
}
Subject product(const std::string& C = "csr") { return {"C(i,j) = A(i,k) * B(k,j)", {{"A", "csr"}, {"B", "csr"}}, C}; }
Subject sum(const std::string& A = "csr", const std::string& B = "csr") {
  return {"C(i,j) = A(i,j) + B(i,j)", {{"A", A}, {"B", B}}, "csr"};
}
Subject norm() { return {"s = A(i,j) * A(i,j)", {{"A", "csr"}}}; }

TEST(Parallelize, SaysWhoRunsTheIterations) {
  EXPECT_EQ(matrix_vector().loops("parallelize(i,CPUThread)"),
            "forall i  (threads)\n  forall j\n    y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector("dense").loops("parallelize(j,CPUVector)"),
            "forall i\n  forall j  (vector)\n    y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("parallelize(i,CPUThread), parallelize(i,NotParallel)"),
            "forall i\n  forall j\n    y(i) += A(i,j) * x(j)\n");
}

TEST(Parallelize, SharesOutSumsByReductions) {
  for (const char* race : {"ParallelReduction", "Temporary"}) {
    EXPECT_EQ(norm().difference(std::string("parallelize(i,CPUThread,") + race + ")"), "") << race;
    EXPECT_EQ(matrix_vector().difference(std::string("parallelize(j,CPUThread,") + race + ")"), "") << race;
  }
  EXPECT_THAT(norm().c_code("parallelize(i,CPUThread,ParallelReduction)"), HasSubstr("*from->t += t;"));
}

TEST(Parallelize, AddsToADenseResultAtomicallyOrInThreadsOwnCopies) {
  const std::string inside_out = "fuse(i,j,f), pos(f,fp,A), split(fp,a,b,5), ";
  EXPECT_THAT(matrix_vector().c_code(inside_out + "parallelize(a,CPUThread,Atomics)"),
              HasSubstr("lacuna_atomic_add_float64(&y_vals"));
  EXPECT_THAT(matrix_vector().c_code(inside_out + "parallelize(a,CPUThread,Temporary)"), HasSubstr("y_own"));
  for (const char* race : {"Atomics", "Temporary"}) {
    EXPECT_EQ(matrix_vector().difference(inside_out + "parallelize(a,CPUThread," + race + ")"), "") << race;
    EXPECT_EQ(product("dense").difference("reorder(i,k,j), parallelize(k,CPUThread," + std::string(race) + ")"), "");
  }
}

TEST(Parallelize, PutsTogetherWhatThreadsAppend) {
  EXPECT_EQ(product("csc").difference("parallelize(j,CPUThread)"), "");
  for (const char* C : {"csr", "dcsr", "coo"}) {
    EXPECT_EQ(product(C).difference("parallelize(i,CPUThread)"), "") << C;
    EXPECT_EQ(product(C).difference("split(i,io,ii,5), parallelize(io,CPUThread)"), "") << C;
    EXPECT_EQ(product(C).difference("bound(i,b,12,exact), divide(b,io,ii,5), parallelize(io,CPUThread)"), "") << C;
  }
  EXPECT_EQ(sum("dcsr", "dcsr").difference("parallelize(i,CPUThread)"), "");
  // In no order: as a stream.
  EXPECT_EQ(sum().difference("split(i,io,ii,4), reorder(ii,io), parallelize(ii,CPUThread)"), "");
  EXPECT_EQ(sum().difference("fuse(i,j,f), divide(f,a,b,4), parallelize(a,CPUThread)"), "");
}

TEST(Parallelize, GivesEachIterationTheWorkspacesInsideIt) {
  EXPECT_EQ(
      concrete::to_string(product().finished("precompute(A(i,k)*B(k,j),j,jw), parallelize(i,CPUThread)").program.root),
      "forall i  (threads)\n  forall j\n    C(i,j) = w(j)\n  where\n    forall k\n      forall jw\n"
      "        w(jw) += A(i,k) * B(k,jw)\n");
}

TEST(Parallelize, RefusesSumsWithoutAStrategy) {
  const char* rest = " does not keep them apart; say ParallelReduction, or parallelize a loop outside the sum";
  for (const char* race : {"NoRaces", "Atomics"}) {
    EXPECT_EQ(matrix_vector().refusal(std::string("parallelize(j,CPUThread,") + race + ")"),
              std::string("parallelize: the iterations of j all add to one sum, and ") + race + rest);
    EXPECT_EQ(norm().refusal(std::string("parallelize(i,CPUThread,") + race + ")"),
              std::string("parallelize: the iterations of i all add to one sum, and ") + race + rest);
  }
}

TEST(Parallelize, RefusesToShareOutASumOfComplexNumbers) {
  const Subject complex("s = x(i) * complex(0,1)", {{"x", "dense"}});
  EXPECT_EQ(complex.refusal("parallelize(i,CPUThread,ParallelReduction)"),
            "parallelize: a sum of complex numbers cannot be shared out over i; parallelize a loop outside the sum");
  const Subject rows("y(i) = A(i,j) * complex(0,1)", {{"A", "csr"}});
  EXPECT_EQ(
      rows.refusal("fuse(i,j,f), pos(f,fp,A), divide(fp,a,b,3), parallelize(a,CPUThread,Atomics)"),
      "parallelize: iterations of a add to y(i) at the same coordinates, and Atomics does not keep them apart; say "
      "Atomics (of real numbers) or Temporary (a dense result), or parallelize another loop");
}

TEST(Parallelize, RefusesIterationsThatAddToTheSameEntries) {
  for (const char* race : {"NoRaces", "ParallelReduction"})
    EXPECT_EQ(product("dense").refusal(std::string("reorder(i,k,j), parallelize(k,CPUThread,") + race + ")"),
              std::string("parallelize: iterations of k add to C(i,j) at the same coordinates, and ") + race +
                  " does not keep them apart; say Atomics (of real numbers) or Temporary (a dense result), or "
                  "parallelize another loop");
}

TEST(Parallelize, AsksEachOfTwoLoopsInOneAnotherForAStrategy) {
  EXPECT_EQ(norm().refusal("parallelize(i,CPUThread), parallelize(j,CPUThread,ParallelReduction)"),
            "parallelize: the iterations of i all add to one sum, and NoRaces does not keep them apart; say "
            "ParallelReduction, or parallelize a loop outside the sum");
  EXPECT_EQ(norm().difference("parallelize(i,CPUThread,ParallelReduction), parallelize(j,CPUThread,ParallelReduction)"),
            "");
}

TEST(Parallelize, RefusesResultsOfThreadsOwnWhereOthersWriteToTheWhole) {
  const Subject sum("y(i,j) = b(i,j) + A(i,k,j)", {{"b", "dense"}, {"A", "csf"}}, "dense");
  const std::string inner = "parallelize(k,CPUThread,Temporary)";
  for (const char* outer : {"NoRaces", "Atomics"})
    EXPECT_EQ(
        sum.refusal(std::string("parallelize(i,CPUThread,") + outer + "), " + inner),
        "parallelize: what each iteration of k makes for itself is added to all of y, which other iterations of i "
        "around it write; say Temporary for i, too, or parallelize one of the two");
  EXPECT_EQ(sum.difference("parallelize(i,CPUThread,Temporary), " + inner), "");
}

TEST(Parallelize, RefusesToAppendFromAnInnerLoop) {
  const char* message =
      "parallelize: C(i,j) is put together entry by entry in the order of the loops, so threads can share out only the "
      "outermost loop, over its first level; parallelize that one, or store C densely";
  EXPECT_EQ(sum().refusal("parallelize(j,CPUThread)"), message);
  EXPECT_EQ(sum().refusal("split(i,io,ii,4), parallelize(ii,CPUThread)"), message);
  EXPECT_EQ(product("csc").refusal("parallelize(i,CPUThread)"), message);
}

TEST(Parallelize, RefusesASharedWorkspace) {
  for (const std::string race : {"NoRaces", "Atomics", "ParallelReduction"})
    for (const std::string loop : {"k", "jw"})
      EXPECT_EQ(product().refusal("precompute(A(i,k)*B(k,j),j,jw), parallelize(" + loop + ",CPUThread," + race + ")"),
                "parallelize: the iterations of " + loop + " share the workspace w, and " + race +
                    " does not keep them apart; say Temporary, or parallelize a loop outside it");
  EXPECT_EQ(
      product().refusal("precompute(A(i,k)*B(k,j),j,jw,w,hashed), parallelize(k,CPUThread,Temporary)"),
      "parallelize: the hash tables that the threads of k fill cannot be added up in a fixed order; precompute w in a "
      "bitmap, or parallelize a loop outside it");
}

TEST(Parallelize, GivesEachThreadAWorkspaceThatOthersReadTheSumOf) {
  for (const std::string format : {"dense", "bitmap"}) {
    const std::string row = "precompute(A(i,k)*B(k,j),j,jw,w," + format + "), ";
    for (const std::string loop : {"k", "jw"}) {
      const std::string threads = "parallelize(" + loop + ",CPUThread,Temporary)";
      EXPECT_EQ(product().difference(row + threads), "") << format;
      EXPECT_EQ(product().compiled_difference(row + threads), "") << format;
    }
    EXPECT_EQ(product().difference(row + "split(k,ko,ki,2), parallelize(ko,CPUThread,Temporary)"), "") << format;
    EXPECT_EQ(product().difference(row + "fuse(k,jw,f), pos(f,fp,B), split(fp,fo,fi,5), "
                                         "parallelize(fo,CPUThread,Temporary)"),
              "")
        << format;
  }
  const Subject merged("y(i) = (A(j,i) + B(j,i)) * x(j)", {{"A", "csr"}, {"B", "csr"}, {"x", "compressed"}},
                       "compressed");
  EXPECT_EQ(merged.difference("reorder(j,i), parallelize(j,CPUThread,Temporary)"), "");
  const Subject mixed("y(i) = A(j,i) * x(j) + b(i) + d(i) * 2",
                      {{"A", "csr"}, {"x", "dense"}, {"b", "compressed"}, {"d", "dense"}}, "compressed");
  EXPECT_EQ(mixed.difference("parallelize(j,CPUThread,Temporary)"), "");
}

TEST(Parallelize, ScattersIntoResultsOfAnyFormat) {
  for (const char* y : {"compressed", "coo", "bitmap", "hashed", "dense"}) {
    const Subject scatter("y(i) = A(i,j) * x(j)", {{"A", "csc"}, {"x", "dense"}}, y);
    EXPECT_EQ(scatter.difference("transpose(A,1,0), reorder(j,i), parallelize(j,CPUThread,Temporary)"), "") << y;
    EXPECT_EQ(scatter.compiled_difference("transpose(A,1,0), reorder(j,i), parallelize(j,CPUThread,Temporary)"), "")
        << y;
  }
}

TEST(Parallelize, SharesOutADenseWorkspaceWhereIterationsHaveCoordinatesOfTheirOwn) {
  EXPECT_EQ(product().difference("precompute(A(i,k)*B(k,j),{i,j},{iw,jw},w,dense), parallelize(iw,CPUThread)"), "");
}

TEST(Parallelize, RefusesEntriesOfABitmapAboveTheLoop) {
  const Subject marked("C(i,j) = A(i,j) + B(i,j)", {{"A", "csr"}, {"B", "csr"}}, "bitmap");
  EXPECT_EQ(
      marked.refusal("parallelize(j,CPUThread)"),
      "parallelize: iterations of j meet at entries of C's bitmap, which is above the level that distinguishes them; "
      "parallelize a loop over that level, or store C densely");
  EXPECT_EQ(marked.difference("parallelize(i,CPUThread)"), "");
}

TEST(Parallelize, RefusesUnrolledLoops) {
  EXPECT_EQ(matrix_vector().refusal("unroll(i,2), parallelize(i,CPUThread)"),
            "parallelize: the loop over i is unrolled; split it and unroll the inner piece");
}

TEST(Parallelize, RefusesStrategiesThatAUnitDoesNotHave) {
  for (const char* race : {"Atomics", "Temporary"})
    EXPECT_EQ(matrix_vector("dense").refusal(std::string("parallelize(j,CPUVector,") + race + ")"),
              std::string("parallelize: lanes of a vector cannot add by ") + race +
                  "; say NoRaces or ParallelReduction, or run them by CPUThread");
  EXPECT_EQ(matrix_vector().refusal("parallelize(i,NotParallel,Atomics)"),
            "parallelize: iterations that are not parallel have no use for Atomics; leave it out");
}

TEST(Parallelize, RefusesNames) {
  EXPECT_EQ(matrix_vector().refusal("parallelize(k,CPUThread)"),
            "parallelize: there is no loop over k; the loops are i, j");
}

TEST(Parallelize, SharesOutPiecesOfPiecesThatReachPastTheEnd) {
  const Subject sums("y(i) = B(j,i) + C(j,i)", {{"B", "dense"}, {"C", "csr"}}, "", {{"i", 6}, {"j", 6}});
  EXPECT_EQ(sums.difference("split(i,a,b,5), split(b,c,d,4), parallelize(d,CPUThread,Temporary)"), "");
}

/// The first thread's own is the total: what earlier iterations of the loops around have added to it has to stay.
TEST(Parallelize, ThreadsKeepWhatLoopsAroundThemHaveSummed) {
  const Subject sum("y(i) = D(i,j) * (C(k,j) * F(j,k))", {{"D", "dense"}, {"C", "dense"}, {"F", "dense"}});
  const std::string in_workspace = "reorder(i,j,k), precompute(C(k,j)*F(j,k),{j},{jw},w), ";
  for (const char* rest :
       {"reorder(jw,k), parallelize(k,CPUThread,Temporary)", "reorder(k,jw), parallelize(jw,CPUThread,Temporary)"})
    EXPECT_EQ(sum.compiled_difference(in_workspace + rest), "") << rest;
  EXPECT_EQ(sum.compiled_difference("loopfuse({C,F},left), reorder(k,jw), parallelize(jw,CPUThread,Temporary)"), "");
  const Subject scatter("y(j) = A(i,j,k)", {{"A", "dense"}});
  EXPECT_EQ(scatter.compiled_difference("reorder(k,i,j), parallelize(i,CPUThread,Temporary)"), "");
}

}  // namespace
}  // namespace lacuna::parallelize_test
