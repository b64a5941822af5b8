#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::assemble_test {
namespace {

using concrete::Assembly;
using testing::HasSubstr;

Subject product(const std::string& C = "csr") { return {"C(i,j) = A(i,k) * B(k,j)", {{"A", "csr"}, {"B", "csr"}}, C}; }
Subject sampled() {
  return {"A(i,j) = B(i,j) * C(i,k) * D(k,j)", {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}}, "csr"};
}

TEST(Assemble, AppendsInTheOrderOfTheLoops) {
  EXPECT_EQ(product().finished("assemble(C,Append)").program.result().assembly, Assembly::Append);
  EXPECT_EQ(product("dcsr").finished("assemble(C,Append)").program.result().assembly, Assembly::Append);
}

TEST(Assemble, CountsAndThenInserts) {
  EXPECT_EQ(product().finished("assemble(C,Insert)").program.result().assembly, Assembly::Insert);
  EXPECT_EQ(product().finished("assemble(C,Insert), parallelize(i,CPUThread)").program.result().assembly,
            Assembly::Insert);
  EXPECT_EQ(product().difference("assemble(C,Insert), split(i,io,ii,5), parallelize(ii,CPUThread)"), "");
  const Subject vector("y(i) = a(i) + b(i)", {{"a", "compressed"}, {"b", "compressed"}}, "compressed");
  EXPECT_EQ(vector.finished("assemble(y,Insert)").program.result().assembly, Assembly::Insert);
  const Subject merged("C(i,j) = A(i,j) + B(i,j)", {{"A", "csr"}, {"B", "csr"}}, "csr");
  EXPECT_EQ(merged.difference("assemble(C,Insert), parallelize(i,CPUThread)"), "");
  EXPECT_EQ(merged.compiled_difference("assemble(C,Insert), parallelize(i,CPUThread)"), "");
}

TEST(Assemble, TheLastWayGiven) {
  EXPECT_EQ(product().finished("assemble(C,Insert), assemble(C,Append)").program.result().assembly, Assembly::Append);
}

TEST(Assemble, PreventsThatAnOperandsPatternIsTaken) {
  EXPECT_EQ(sampled().finished("unroll(k,2)").program.result().assembly, Assembly::SharedPattern);
  EXPECT_EQ(sampled().finished("assemble(A,Append)").program.result().assembly, Assembly::Append);
  EXPECT_EQ(sampled().finished("assemble(A,Insert)").program.result().assembly, Assembly::Insert);
}

TEST(Assemble, RefusesWhatIsNotTheResult) {
  EXPECT_EQ(product().refusal("assemble(A,Append)"), "assemble: A is not the result; the result is C");
}

TEST(Assemble, RefusesResultsThatAreStoredInPlace) {
  EXPECT_EQ(product("dense").refusal("assemble(C,Append)"),
            "assemble: C cannot be appended to: its format is stored at any coordinate; leave this directive out");
  EXPECT_EQ(product("bitmap").refusal("assemble(C,Insert)"),
            "assemble: C cannot be inserted into: its format is stored at any coordinate; leave this directive out");
}

TEST(Assemble, RefusesLoopsThatComeInNoOrder) {
  const char* reason =
      ": the loops do not visit its coordinates once each and in order; reorder the loops, or leave this directive "
      "out";
  EXPECT_EQ(product().refusal("assemble(C,Append), split(i,io,ii,4), reorder(ii,io)"),
            std::string("assemble: C cannot be appended to") + reason);
  EXPECT_EQ(product().refusal("split(i,io,ii,4), reorder(ii,io), assemble(C,Insert)"),
            std::string("assemble: C cannot be inserted into") + reason);
}

TEST(Assemble, RefusesToInsertIntoSeveralCompressedLevels) {
  EXPECT_EQ(
      product("dcsr").refusal("assemble(C,Insert)"),
      "assemble: C is made in dcsr, but only formats of dense levels and then one compressed level can be inserted "
      "into; say Append");
}

TEST(Assemble, RefusesToShareOutWhatIsInsertedUnderOneParent) {
  const Subject merged("C(i,j) = A(i,j) + B(i,j)", {{"A", "csr"}, {"B", "csr"}}, "csr");
  EXPECT_EQ(
      merged.refusal("assemble(C,Insert), parallelize(j,CPUThread)"),
      "parallelize: the entries of C(i,j) over j are inserted one after the other, so iterations of j cannot share "
      "them out; parallelize a loop over its dense levels, or assemble it by Append");
  const Subject vector("y(i) = a(i) + b(i)", {{"a", "compressed"}, {"b", "compressed"}}, "compressed");
  EXPECT_EQ(
      vector.refusal("assemble(y,Insert), parallelize(i,CPUThread)"),
      "parallelize: the entries of y(i) over i are inserted one after the other, so iterations of i cannot share them "
      "out; parallelize a loop over its dense levels, or assemble it by Append");
}

}  // namespace
}  // namespace lacuna::assemble_test
