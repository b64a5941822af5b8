#include <gtest/gtest.h>

#include "lacuna/schedule/language/schedule.h"
#include "unit/notation/expect_error.h"

namespace lacuna::parse_errors_test {
namespace {

/// Expects a schedule to be refused with `part` in the message; returns what the carets underline.
std::string refused(const std::string& text, const std::string& part) {
  return expect_error([&] { parse_schedule(text); }, part);
}

TEST(ScheduleErrors, UnknownDirectivesSuggestTheNearest) {
  EXPECT_EQ(refused("unroll(i,2), splt(i,io,ii,4)", "no directive 'splt'; did you mean split?"), "splt");
  EXPECT_EQ(refused("vectorise(i)", "did you mean vectorize?"), "vectorise");
  EXPECT_EQ(refused("colapse(i,j,f)", "did you mean collapse?"), "colapse");
  EXPECT_EQ(refused("tessellate(i)", "there are split, divide, reorder, fuse, pos, bound, unroll"), "tessellate");
}

TEST(ScheduleErrors, NumbersOfArgumentsAreSaidWithTheForm) {
  EXPECT_EQ(refused("split(i,io,32)", "split(i,io,ii,n) takes 4 arguments, but 3 are given"), "split(i,io,32)");
  refused("fuse(i,j,f,g)", "fuse(i,j,f) takes 3 arguments, but 4 are given");
  refused("vectorize()", "vectorize(i) takes 1 argument, but 0 are given");
  refused("unroll( i )", "unroll(i,n) takes 2 arguments, but 1 is given");
  refused("parallelize(i)", "takes 2 or 3 arguments, but 1 is given");
  refused("precompute(a(i),i)", "takes at least 3 arguments, but 2 are given");
  refused("reorder()", "reorder(i,j,…) takes at least 1 argument");
  EXPECT_EQ(refused("reorder(i)", "takes at least 2 variables"), "i");
  refused("transpose(T)", "takes at least 2 arguments");
  EXPECT_EQ(refused("split(i,,ii,4)", "an argument is missing here; the form is split(i,io,ii,n)"), ",");
  EXPECT_EQ(refused("split(i,io,ii,)", "an argument is missing here"), ")");
}

TEST(ScheduleErrors, SizesAreWholePositiveNumbersInRange) {
  EXPECT_EQ(refused("split(i,io,ii,0)", "the n of split(i,io,ii,n) is a whole number of at least 1, not '0'"), "0");
  EXPECT_EQ(refused("divide(i,io,ii,-4)", "at least 1, not '-4'"), "-4");
  EXPECT_EQ(refused("split(i,io,ii,4.5)", "whole number"), "4.5");
  EXPECT_EQ(refused("split(i,io,ii,four)", "not 'four'"), "four");
  EXPECT_EQ(refused("split(i,io,ii,9223372036854775807)", "at most 4611686018427387904"), "9223372036854775807");
  EXPECT_EQ(refused("split(i,io,ii,99999999999999999999)", "at most 4611686018427387904"), "99999999999999999999");
  EXPECT_EQ(refused("split(i,io,ii,-99999999999999999999)", "at least 1"), "-99999999999999999999");
  EXPECT_EQ(refused("substitute({i,j},BLAS.gemm)", "takes the place of at least 3 loops, but 2 are named"), "{i,j}");
  EXPECT_EQ(refused("substitute(i,BLAS.gemv)",
                    "BLAS.gemv computes y(m) += a * A(m,k) * x(k) and takes the place of at least 2 loops, but 1 is "
                    "named"),
            "i");
  EXPECT_EQ(refused("substitute({i,j,i},BLAS.gemm)", "names i twice"), "substitute({i,j,i},BLAS.gemm)");
  EXPECT_EQ(refused("substitute({i,j,k},BLAS.trsm)", "BLAS.gemm"), "BLAS.trsm");
  EXPECT_EQ(refused("unroll(i,1025)", "at most 1024, not '1025'"), "1025");
  EXPECT_EQ(refused("bound(i,ib,0,max)", "at least 1"), "0");
  EXPECT_EQ(refused("transpose(T,0,2)",
                    "transpose(T,m0,m1,…) names every mode of the tensor once, from 0 on; mode 2 is one of at least 3, "
                    "and 2 are given"),
            "2");
  EXPECT_EQ(refused("transpose(T,1,1)", "names the mode 1 twice"), "1");
}

TEST(ScheduleErrors, UnknownWordsAreAnsweredWithTheKnownOnes) {
  EXPECT_EQ(refused("parallelize(i,Thread)",
                    "no unit of parallelize(i,UNIT[,RACE]); there are CPUThread, CPUVector, "
                    "GPUBlock, GPUWarp, GPUThread, NotParallel"),
            "Thread");
  EXPECT_EQ(refused("parallelize(i,CPUThreads)", "did you mean CPUThread?"), "CPUThreads");
  EXPECT_EQ(refused("parallelize(i,CPUThread,Racy)", "NoRaces, Atomics, Temporary, ParallelReduction"), "Racy");
  EXPECT_EQ(refused("bound(i,ib,4,about)", "there are min, max, exact"), "about");
  EXPECT_EQ(refused("assemble(C,Push)", "there are Append, Insert"), "Push");
  EXPECT_EQ(refused("mergeby(i,Galop)", "did you mean Gallop?; there are TwoFinger, Gallop"), "Galop");
}

TEST(ScheduleErrors, VariablesAreNamesAndDiffer) {
  EXPECT_EQ(refused("unroll(2,i)", "'2' is no name of a variable"), "2");
  EXPECT_EQ(refused("vectorize(i+1)", "'i+1' is no name"), "i+1");
  EXPECT_EQ(refused("vectorize(nan)", "nan is a number"), "nan");
  EXPECT_EQ(refused("vectorize(\xC3\xA9)", "no name of a variable"), "\xC3\xA9");
  EXPECT_EQ(refused("assemble(3,Append)", "no name of a tensor"), "3");
  refused("split(i,i,ii,4)", "split(i,io,ii,n) names i twice");
  refused("reorder(i,j,i)", "names i twice");
  refused("fuse(i,j,j)", "names j twice");
  refused("pos(i,i,A)", "names i twice");
  refused("bound(i,i,4,max)", "names i twice");
  refused("precompute(a(i),{i,i},{j,k})", "names i twice");
}

TEST(ScheduleErrors, LoopfuseNamesASideAndAPath) {
  EXPECT_EQ(refused("loopfuse(0)", "at least 1, not '0'"), "0");
  EXPECT_EQ(refused("loopfuse(B)", "a whole number of at least 1"), "B");
  EXPECT_EQ(refused("loopfuse(3,middle)", "'middle' is no side"), "middle");
  EXPECT_EQ(refused("loopfuse(3,left,producer)", "is no path in braces"), "producer");
  EXPECT_EQ(refused("loopfuse(3,left,{other})", "there are producer, consumer and the number of a term"), "other");
  EXPECT_EQ(refused("loopfuse(3,left,{0})", "at least 1, not '0'"), "0");
  EXPECT_EQ(refused("loopfuse(3,left,{},-1)", "at least 0, not '-1'"), "-1");
  EXPECT_EQ(refused("loopfuse({B + C},left)", "is neither a tensor nor an access"), "B + C");
  EXPECT_EQ(refused("loopfuse({},left)", "an item of the list is missing"), "}");
}

TEST(ScheduleErrors, BracketsMustMatch) {
  EXPECT_EQ(refused("split(i,io,ii,4", "the ')' of this '(' is missing, in split(…)"), "split(");
  EXPECT_EQ(refused("split(i,io,ii,4, unroll(j,2)", "the ')' of this '(' is missing, in split(…)"), "split(");
  EXPECT_EQ(refused("reorder({i,j)", "this ')' stands where the '}' of the '{' at column 9 is missing"), ")");
  EXPECT_EQ(refused("reorder(i,j})", "this '}' stands where the ')'"), "}");
  EXPECT_EQ(refused("unroll(i,4))", "this ')' closes nothing"), ")");
  EXPECT_EQ(refused("unroll(i,4) }", "this '}' closes nothing"), "}");
  EXPECT_EQ(refused("precompute(a(i,{i},{iw})", "the ')' of this '(' is missing, in precompute(…)"), "precompute(");
  EXPECT_EQ(refused("reorder({i},{j}k)", "is no list in braces"), "{j}k");
  EXPECT_EQ(refused("reorder({i,},j)", "an item of the list is missing"), "}");
}

TEST(ScheduleErrors, WhatStandsBetweenDirectivesIsASeparator) {
  EXPECT_EQ(refused("unroll(i,4) unroll(j,2)", "expected a ',' between unroll(…) and the next directive, not 'unroll'"),
            "unroll");
  EXPECT_EQ(refused("unroll(i,4).unroll(j,2)", "not '.'"), ".");
  EXPECT_EQ(refused("unroll(i,4), ", "a directive is missing after the ','"), ",");
  EXPECT_EQ(refused("unroll(i,4),,unroll(j,2)", "between two commas"), ",");
  EXPECT_EQ(refused(", unroll(i,4)", "expected a directive"), ",");
  EXPECT_EQ(refused("unroll", "expected '(' after unroll, not the end of the schedule"), "unroll");
  EXPECT_EQ(refused("unroll i 4", "expected '(' after unroll, not 'i'"), "unroll");
  EXPECT_EQ(refused("4", "expected a directive, as in split(i,io,ii,32), not '4'"), "4");
  EXPECT_EQ(refused(std::string("unroll(i,4)\0", 12), "byte 0x00"), std::string(1, '\0'));
}

TEST(ScheduleErrors, PosTakesATensor) {
  EXPECT_EQ(refused("pos(i,ip,2*A(i))", "neither a tensor nor an access"), "2*A(i)");
  EXPECT_EQ(refused("pos(i,ip,A(i)", "the ')' of this '(' is missing"), "pos(");
}

TEST(ScheduleErrors, ExpressionsOfPrecomputeAreIndexNotation) {
  EXPECT_EQ(refused("precompute(a(i) b(i), i, iw)", "an operator is missing before 'b'"), "b");
  EXPECT_EQ(refused("precompute(a(i) +, i, iw)", "the expression ends where an operand is expected"), ",");
  EXPECT_EQ(refused("precompute(y(i) = a(i), i, iw)", "an expression assigns nothing"), "=");
  EXPECT_EQ(refused("precompute(a(i)^2, i, iw)", "write pow(a, b)"), "^");
  EXPECT_EQ(refused("unroll(k,2), precompute(frob(a(i)), i, iw)", "frob is not a function"), "frob");
  EXPECT_EQ(refused("precompute(a(i) @ b, i, iw)", "'@' at column 17"), "@");
  EXPECT_EQ(refused("precompute(" + std::string(1000, '-') + "a(i), i, iw)", "inside each other"), "-");
  refused("precompute(i(j), i, iw)", "i is an index variable in this expression");
}

TEST(ScheduleErrors, WorkspacesHaveListsOfOneLengthNamesAndFormats) {
  EXPECT_EQ(refused("precompute(a(i),{i,j},{iw})", "equally long"), "{i,j},{iw}");
  EXPECT_EQ(refused("precompute(a(i),{},{})", "an item of the list is missing"), "}");
  EXPECT_EQ(refused("precompute(a(i),i,iw,exp)", "call it something else, such as exp_"), "exp");
  EXPECT_EQ(refused("precompute(a(i),i,iw,2)", "no name of a tensor"), "2");
  EXPECT_EQ(refused("precompute(a(i),i,iw,w,spare)", "column 24: unknown format or level \"spare\""), "spare");
  EXPECT_EQ(refused("precompute(a(i),i,iw,csr)", "csr is a format of order 2"), "csr");
  EXPECT_EQ(refused("unroll(i,2)\nprecompute(a(i),i,iw,w,\n spare)", "unknown format or level"), "spare");
}

TEST(ScheduleErrors, CaretsStandUnderTheMistakeInItsLine) {
  try {
    parse_schedule("split(i,io,ii,32)\nunroll(ii,0)\nvectorize(ii)");
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(describe_with_caret(error),
              "the n of unroll(i,n) is a whole number of at least 1, not '0'\n"
              "  unroll(ii,0)\n"
              "            ^");
  }
}

TEST(ScheduleErrors, LongInputIsRefusedAtOnceAndQuotedShortly) {
  const std::size_t n = 1000000;
  refused(std::string(n, '('), "expected a directive");
  refused("split" + std::string(n, '('), "is missing, in split(…)");
  refused("transpose(T" + std::string(n, ',') + ")", "an argument is missing here");
  refused(std::string(n, 'x') + "(i)", "there is no directive");
  expect_error([&] { parse_schedule("vectorize(" + std::string(n, '1') + ")"); }, "1…' is no name");
}

}  // namespace
}  // namespace lacuna::parse_errors_test
