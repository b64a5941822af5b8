#include "lacuna/schedule/complete/windows.h"

#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::windows_test {
namespace {

/// The loops of y(i) = A(i,j) * B(i,j), dense, as they are lowered.
std::string dense(const std::string& schedule) {
  const Subject s("C(i,j) = A(i,j) * B(i,j)", {{"A", "dense"}, {"B", "dense"}}, "dense");
  return concrete::to_string(s.finished(schedule).program.root);
}
std::string sparse(const std::string& schedule) {
  const Subject s("s = A(i,j) * x(j)", {{"A", "csr"}, {"x", "dense"}});
  return concrete::to_string(s.finished(schedule).program.root);
}

const char* const body = "C(i,j) = A(i,j) * B(i,j)\n";

TEST(Windows, TheInsideOfAPieceIsALoopOverTheVariable) {
  EXPECT_EQ(dense("split(i,io,ii,4)"), std::string("forall io\n  forall i\n    forall j\n      ") + body);
  EXPECT_EQ(dense("split(i,io,ii,4), split(ii,a,b,2)"),
            std::string("forall io\n  forall a\n    forall i\n      forall j\n        ") + body);
  EXPECT_EQ(dense("split(i,io,ii,4), split(io,a,b,2)"),
            std::string("forall a\n  forall io\n    forall i\n      forall j\n        ") + body);
}

TEST(Windows, AStrideStaysAsItIs) {
  EXPECT_EQ(dense("split(i,io,ii,4), reorder(ii,io)"),
            std::string("forall ii\n  forall io\n    forall j\n      ") + body);
  EXPECT_EQ(dense("split(i,io,ii,4), split(ii,a,b,2), reorder(b,a)"),
            std::string("forall io\n  forall b\n    forall a\n      forall j\n        ") + body);
  EXPECT_EQ(dense("split(i,io,ii,4), split(ii,a,b,2), reorder(b,io,a)"),
            std::string("forall b\n  forall io\n    forall a\n      forall j\n        ") + body);
}

TEST(Windows, APartOfAStrideIsNoStretchOfTheVariable) {
  // Inside ii, io takes every fourth value: its pieces do, too.
  EXPECT_EQ(dense("split(i,io,ii,4), split(io,a,b,2), reorder(ii,a,b)"),
            std::string("forall ii\n  forall a\n    forall io\n      forall j\n        ") + body);
}

TEST(Windows, PairsAreTheLoopsOfBoth) {
  EXPECT_EQ(dense("fuse(i,j,f)"), std::string("forall i\n  forall j\n    ") + body);
  EXPECT_EQ(dense("fuse(i,j,f), split(f,a,b,7)"), std::string("forall a\n  forall i\n    forall j\n      ") + body);
  EXPECT_EQ(dense("fuse(i,j,f), split(f,a,b,7), reorder(b,a)"), std::string("forall b\n  forall a\n    ") + body);
}

TEST(Windows, PairsOfPiecesAreTheLoopsOfBothAndOfWhatTheyAreIn) {
  EXPECT_EQ(dense("split(i,io,ii,4), fuse(ii,j,f), divide(f,a,b,3)"),
            std::string("forall io\n  forall a\n    forall i\n      forall j\n        ") + body);
  EXPECT_EQ(dense("split(i,io,ii,4), fuse(io,ii,f), split(f,a,b,5)"),
            std::string("forall a\n  forall io\n    forall i\n      forall j\n        ") + body);
}

TEST(Windows, BoundedVariablesAndPositionsAreLoopsOverTheVariable) {
  EXPECT_EQ(dense("bound(i,b,12,exact)"), std::string("forall i\n  forall j\n    ") + body);
  EXPECT_EQ(dense("bound(i,b,12,exact), split(b,c,d,4), bound(d,e,4,exact)"),
            std::string("forall c\n  forall i\n    forall j\n      ") + body);
  EXPECT_EQ(sparse("pos(j,jp,A), split(jp,a,b,2)"),
            "s = t\nwhere\n  forall i\n    forall a\n      forall j\n        t += A(i,j) * x(j)\n");
  EXPECT_EQ(sparse("fuse(i,j,f), pos(f,fp,A), split(fp,a,b,2)"),
            "s = t\nwhere\n  forall a\n    forall i\n      forall j\n        t += A(i,j) * x(j)\n");
}

TEST(Windows, ThreadsStayOutsideAndTheRestGoesInside) {
  EXPECT_EQ(sparse("fuse(i,j,f), unroll(f,3)"),
            "s = t\nwhere\n  forall i\n    forall j  (unroll 3)\n      t += A(i,j) * x(j)\n");
  EXPECT_EQ(sparse("fuse(i,j,f), parallelize(f,CPUThread,ParallelReduction)"),
            "s = t\nwhere\n  forall i  (threads, ParallelReduction)\n    forall j\n      t += A(i,j) * x(j)\n");
}

}  // namespace
}  // namespace lacuna::windows_test
