#include "lacuna/schedule/automatic/automatic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/compile/plan/plan.h"
#include "support/random_request.h"

namespace lacuna::automatic_test {
namespace {

using concrete::Assembly;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Scheduled schedule(const Request& request, int threads = 1) {
  Options options;
  options.target.threads = threads;
  return schedule_automatically(check_request(request, options).problem);
}

std::int64_t stored_in(const std::string& format) { return format == "dense" ? -1 : 500; }

Scheduled matrix_product(const std::string& A, const std::string& B, const std::string& C = "csr") {
  return schedule(random_request("C(i,j) = A(i,k) * B(k,j)", {{"A", {A, stored_in(A)}}, {"B", {B, stored_in(B)}}},
                                 {{"i", 100}, {"j", 100}, {"k", 100}}, C));
}

std::vector<std::string> copies(const Scheduled& s) {
  std::vector<std::string> all;
  for (const OperandCopy& c : s.copies) all.push_back(c.source + " as " + c.format.to_string());
  return all;
}

/// What is said of a kernel that is made down to its loops.
std::vector<std::string> lowered_notes(const Request& request) {
  Options options;
  options.stop_before_code = true;
  Jit jit({});
  return make_plan(check_request(request, options), options, jit).scheduled.program.notes;
}

std::string loops(const Scheduled& s) { return concrete::to_string(s.program.root); }

TEST(AutomaticSchedule, ProductsOfRowMatricesGatherRowsOfTheResult) {
  const Scheduled s = matrix_product("csr", "csr");
  EXPECT_EQ(loops(s),
            "forall i\n  forall j\n    C(i,j) = w(j)\n  where\n    forall k\n      forall j\n"
            "        w(j) += A(i,k) * B(k,j)\n");
  EXPECT_EQ(s.program.result().assembly, Assembly::Append);
  EXPECT_THAT(copies(s), IsEmpty());
  EXPECT_THAT(s.program.notes, IsEmpty());
}

TEST(AutomaticSchedule, ProductsOfColumnMatricesGatherColumns) {
  const Scheduled s = matrix_product("csc", "csc", "csc");
  EXPECT_EQ(loops(s),
            "forall j\n  forall i\n    C(i,j) = w(i)\n  where\n    forall k\n      forall i\n"
            "        w(i) += A(i,k) * B(k,j)\n");
  EXPECT_THAT(copies(s), IsEmpty());
}

TEST(AutomaticSchedule, OperandsThatTheLoopsCannotWalkAreCopiedAndSoSaid) {
  const Scheduled s = matrix_product("csr", "csc");
  EXPECT_THAT(copies(s), ElementsAre("B as csr"));
  EXPECT_THAT(s.program.notes, ElementsAre(HasSubstr("B is read from a copy in csr")));
  EXPECT_THAT(copies(matrix_product("csc", "csc")), ElementsAre("A as csr", "B as csr"));
}

/// Neither as a copy nor as a result: an array as long as a mode would be all that there is.
TEST(AutomaticSchedule, EmptyHypersparseOperandsAreNotExpectedToFillTheirModes) {
  constexpr std::int64_t many = 700000000;
  const Scheduled s =
      schedule(random_request("C(j,i) = A(i,j)", {{"A", {"dcsr", 0}}}, {{"i", many}, {"j", many}}, "dcsr"));
  for (const OperandCopy& c : s.copies) EXPECT_FALSE(c.format.level(0).full()) << c.format.to_string();
  for (const LevelFormat& level : s.program.result().format.levels()) EXPECT_FALSE(level.full());
}

TEST(AutomaticSchedule, SampledProductsKeepThePatternThatSamples) {
  const Scheduled s = schedule(random_request("A(i,j) = B(i,j) * C(i,k) * D(k,j)",
                                              {{"B", {"csr", 500}}, {"C", {"dense"}}, {"D", {"dense"}}},
                                              {{"i", 100}, {"j", 100}, {"k", 8}}, "csr"));
  EXPECT_EQ(s.program.result().assembly, Assembly::SharedPattern);
  EXPECT_EQ(s.program.result().pattern_operand, "B");
  EXPECT_THAT(loops(s), HasSubstr("forall i\n  forall j\n    A(i,j) = t"));
}

TEST(AutomaticSchedule, TensorTimesVectorHasAScalarUnderItsResult) {
  const Scheduled s = schedule(random_request("A(i,j) = B(i,j,k) * c(k)", {{"B", {"csf", 900}}, {"c", {"dense"}}},
                                              {{"i", 50}, {"j", 60}, {"k", 70}}));
  EXPECT_THAT(loops(s), HasSubstr("forall k\n        t += B(i,j,k) * c(k)"));
  EXPECT_THAT(copies(s), IsEmpty());
}

TEST(AutomaticSchedule, DenseResultsAreAddedToInPlaceWithTheContiguousLoopInnermost) {
  const Scheduled s = schedule(random_request("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
                                              {{"B", {"csf", 900}}, {"C", {"dense"}}, {"D", {"dense"}}},
                                              {{"i", 50}, {"j", 16}, {"k", 60}, {"l", 70}}, "dense"));
  EXPECT_EQ(s.program.result().assembly, Assembly::Random);
  EXPECT_EQ(loops(s),
            "forall i\n  forall jo\n    forall k  (row in registers)\n      forall l\n        forall j  (unroll 16)\n"
            "          A(i,j) += B(i,k,l) * C(k,j) * D(l,j)\n");
}

TEST(AutomaticSchedule, TermsAreAddedToRowsInRegistersOneAfterTheOther) {
  const Scheduled s = schedule(random_request("A(i,k) = B(i,j) * x(j,k) + c(i) * d(k) + C(i,l) * y(l,k)",
                                              {{"B", {"csr", 900}},
                                               {"C", {"csr", 900}},
                                               {"c", {"dense"}},
                                               {"d", {"dense"}},
                                               {"x", {"dense"}},
                                               {"y", {"dense"}}},
                                              {{"i", 50}, {"j", 60}, {"k", 16}, {"l", 70}}, "dense"));
  EXPECT_THAT(loops(s), HasSubstr("forall ko\n    forall j  (row in registers)\n      forall k  (unroll 16)\n"));
  EXPECT_THAT(loops(s), HasSubstr("forall ko\n    forall l  (row in registers)\n      forall k  (unroll 16)\n"));
  EXPECT_THAT(loops(s), HasSubstr("A(i,k) += c(i) * d(k)"));
}

TEST(AutomaticSchedule, ADiagonalIsStreamed) {
  const Scheduled s = schedule(random_request("A(i,i) = b(i)", {{"b", {"sparse", 9}}}, {{"i", 50}}, "csr"));
  EXPECT_EQ(s.program.result().assembly, Assembly::Stream);
  EXPECT_THAT(s.program.notes, ElementsAre(HasSubstr("A is made from a stream of coordinates")));
}

TEST(AutomaticSchedule, RowsOfADenseResultAreDealtToThreads) {
  const Request spmv =
      random_request("y(i) = A(i,j) * x(j)", {{"A", {"csr", 9000}}, {"x", {"dense"}}}, {{"i", 100}, {"j", 100}});
  EXPECT_THAT(loops(schedule(spmv, 2)), HasSubstr("forall i  (threads)"));
  EXPECT_THAT(loops(schedule(spmv, 1)), testing::Not(HasSubstr("(threads)")));
}

TEST(AutomaticSchedule, SumsInSumsAreWalkedFromTheOutside) {
  const auto copies_of = [](const std::string& format) {
    return copies(
        schedule(random_request("y = sum(i, abs(sum(j, A(j,i))))", {{"A", {format, 500}}}, {{"i", 40}, {"j", 50}})));
  };
  EXPECT_THAT(copies_of("csc"), IsEmpty());
  EXPECT_THAT(copies_of("csr"), ElementsAre("A as csc"));
}

TEST(AutomaticSchedule, TermsMayRunTheirCommonVariablesInOppositeOrders) {
  const Scheduled s = schedule(random_request("y(j,j) = A(i,k) - B(j,k)", {{"A", {"coo", 30}}, {"B", {"dcsr", 30}}},
                                              {{"i", 9}, {"j", 9}, {"k", 9}}));
  EXPECT_THAT(loops(s), HasSubstr("forall i\n  forall k\n    forall j\n"));
  EXPECT_THAT(loops(s), HasSubstr("forall j\n  y(j,j) += t\n  where\n    forall k\n"));
}

TEST(AutomaticSchedule, AnOperandMayBeReadBothAsItIsAndFromACopy) {
  const Scheduled s = schedule(
      random_request("C(i,k) = A(i,j) * A(k,j)", {{"A", {"csr", 300}}}, {{"i", 60}, {"j", 50}, {"k", 60}}, "csr"));
  EXPECT_THAT(copies(s), ElementsAre("A as csc"));
  EXPECT_THAT(loops(s), HasSubstr("A(i,j) * A_copy(k,j)"));
}

/// Of a diagonal, one level is looked up: there is nothing to gallop to, however few entries it has.
TEST(AutomaticSchedule, DiagonalsAreNotGalloped) {
  for (const char* text : {"C(i) = E(i,j) * F(j,j)", "C(i,j) = E(i,j) * F(j,j)", "C = E(i,i) * F(i,i)"})
    for (const char* format : {"csr", "csc", "dcsr"}) {
      const Request request =
          random_request(text, {{"E", {format, 5000}}, {"F", {format, 3}}}, {{"i", 100}, {"j", 100}}, "dense");
      EXPECT_THAT(lowered_notes(request), Not(Contains(HasSubstr(std::string(plain_schedule_note))))) << text << format;
      EXPECT_THAT(to_string(schedule(request).schedule), Not(HasSubstr("mergeby"))) << text << format;
    }
  EXPECT_THAT(to_string(schedule(random_request("C(i) = E(i,j) * F(i,j)", {{"E", {"csr", 5000}}, {"F", {"csr", 3}}},
                                                {{"i", 100}, {"j", 100}}, "dense"))
                            .schedule),
              HasSubstr("mergeby(j,Gallop)"));
}

/// Rows are summed in pieces where all terms step along them; not where another term finds them as it goes.
TEST(AutomaticSchedule, RowsThatATermFindsAreNotUnrolled) {
  const auto made_of = [](const char* format) {
    return random_request("D(i,j) = C(j,k) * C(i,k) + C(i,l)", {{"C", {format, 60}}},
                          {{"i", 34}, {"j", 34}, {"k", 34}, {"l", 34}}, "dense");
  };
  for (const char* format : {"coo", "csr", "dcsr", "coo:1,0"})
    EXPECT_THAT(lowered_notes(made_of(format)), Not(Contains(HasSubstr(std::string(plain_schedule_note))))) << format;
}

TEST(AutomaticSchedule, EveryProgramIsWellFormed) {
  for (const char* A : {"dense", "csr", "csc", "dcsr", "coo", "bitmap", "hashed"})
    for (const char* B : {"dense", "csr", "csc", "coo", "hashed"})
      for (const char* C : {"dense", "csr", "csc", "coo", "bitmap", "hashed"})
        EXPECT_NO_THROW(concrete::verify(matrix_product(A, B, C).program)) << A << " " << B << " " << C;
}

}  // namespace
}  // namespace lacuna::automatic_test
