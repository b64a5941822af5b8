// Every level kind walked, and located into, by tiny programs; what it emits shows in the loops.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_request.h"
#include "unit/lower/hand_program.h"

namespace lacuna::levels_test {
namespace {

using concrete::Assembly;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t I = 9, J = 11, stored = 30;

Operands operands(const std::string& format) {
  return random_request("y(i) = A(i,j) * x(j)",
                        {{"A", {format, format == "dense" ? -1 : stored}}, {"x", {"sparse", 6}}}, {{"i", I}, {"j", J}})
      .operands;
}

/// y(i) = A(i,j) * x(j) with `outer` as the outer loop.
HandRun multiply(const std::string& format, const std::string& outer, const std::string& inner) {
  const Operands data = operands(format);
  const HandProgram p("y(i) = A(i,j) * x(j)", data, "dense", Assembly::Random);
  const HandRun ran = run(p, p.with(p.forall(outer, p.forall(inner, p.assign("y(i) += A(i,j) * x(j)")))), data);
  EXPECT_EQ(wrong(p, data, ran.result), "") << format << ", " << outer << " outside";
  return ran;
}

const std::vector<std::string> formats{"dense",
                                       "csr",
                                       "csc",
                                       "dcsr",
                                       "dcsc",
                                       "coo",
                                       "coo:1,0",
                                       "bitmap",
                                       "hashed",
                                       "compressed,dense",
                                       "dense,bitmap",
                                       "dense,hashed",
                                       "bitmap,compressed",
                                       "hashed,compressed",
                                       "compressed,hashed"};

TEST(Levels, EveryFormatIsWalkedInItsOwnOrder) {
  for (const std::string& format : formats) multiply(format, "i", "j");
}

TEST(Levels, EveryFormatIsReadInTheOtherOrder) {
  for (const std::string& format : formats) multiply(format, "j", "i");
}

TEST(Levels, CompressedRowsAreWalkedByPosition) {
  const HandRun ran = multiply("csr", "i", "j");
  EXPECT_THAT(ran.loops, HasSubstr("A2_pos[i + 1]"));
  EXPECT_EQ(ran.lattices, "forall i: every coordinate\nforall j: {A2 x1}\n");
}

TEST(Levels, ACompressedLevelReachedOutOfOrderIsSearched) {
  EXPECT_THAT(multiply("csr", "j", "i").loops, HasSubstr("lower_bound(A2_crd"));
  EXPECT_THAT(multiply("csr", "i", "j").loops, Not(HasSubstr("lower_bound")));
}

TEST(Levels, ABitmapIsTestedWhereItIsLocated) {
  EXPECT_THAT(multiply("bitmap", "i", "j").loops, HasSubstr("A2_present["));
}

TEST(Levels, AHashTableIsProbedNotWalked) {
  const HandRun ran = multiply("dense,hashed", "i", "j");
  EXPECT_THAT(ran.loops, HasSubstr("A2_crd["));
  EXPECT_EQ(ran.lattices, "forall i: every coordinate\nforall j: {x1}\n");
}

TEST(Levels, RepeatedRowsOfACoordinateListAreTakenTogether) {
  const HandRun ran = multiply("coo", "i", "j");
  EXPECT_THAT(ran.loops, HasSubstr("pA1_run"));
  EXPECT_EQ(ran.lattices.substr(0, ran.lattices.find('\n')), "forall i: {A1}");
}

TEST(Levels, UnionsOfEveryPairOfFormatsAreWalkedTogether) {
  for (const char* A : {"csr", "dcsr", "coo", "bitmap", "dense"}) {
    for (const char* B : {"csr", "dcsr", "coo", "bitmap", "dense"}) {
      const Operands data = random_request("C(i,j) = A(i,j) + B(i,j)",
                                           {{"A", {A, A == std::string("dense") ? -1 : 20}},
                                            {"B", {B, B == std::string("dense") ? -1 : 25}}},
                                           {{"i", I}, {"j", J}})
                                .operands;
      const HandProgram p("C(i,j) = A(i,j) + B(i,j)", data, "dense", Assembly::Random);
      const auto sum = p.assign("C(i,j) = A(i,j) + B(i,j)");
      EXPECT_EQ(wrong(p, data, run(p, p.with(p.forall("i", p.forall("j", sum))), data).result), "") << A << " " << B;
    }
  }
}

}  // namespace
}  // namespace lacuna::levels_test
