// Every way to make a result, by hand-assembled programs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_request.h"
#include "unit/lower/hand_program.h"

namespace lacuna::assembly_test {
namespace {

using concrete::Assembly;
using testing::HasSubstr;
using testing::Not;

Operands operands() {
  return random_request("C(i,j) = A(i,j) + B(i,j)", {{"A", {"dcsr", 20}}, {"B", {"csr", 25}}}, {{"i", 12}, {"j", 10}})
      .operands;
}

/// A statement over A and B, assigned in the loops i, j.
HandRun made(const std::string& right, const std::string& format, Assembly assembly,
             const std::string& pattern_operand = {}) {
  const Operands data = operands();
  HandProgram p("C(i,j) = " + right, data, format, assembly);
  p.parts().result().pattern_operand = pattern_operand;
  p.parts().result().pattern_levels = pattern_operand.empty() ? 0 : 2;
  const HandRun ran = run(p, p.with(p.forall("i", p.forall("j", p.assign("C(i,j) = " + right)))), data);
  EXPECT_EQ(wrong(p, data, ran.result), "") << right << " into " << format;
  return ran;
}

TEST(RandomAssembly, StoresAtAnyCoordinateOfDenseAndBitmapResults) {
  for (const char* format : {"dense", "bitmap", "dense:1,0", "dense,bitmap", "bitmap:1,0"})
    for (const char* right : {"A(i,j) + B(i,j)", "A(i,j) * B(i,j)"}) made(right, format, Assembly::Random);
}

TEST(AppendAssembly, AppendsEveryLevelAndClosesItsEdges) {
  for (const char* format : {"csr", "dcsr", "compressed,dense"})
    for (const char* right : {"A(i,j) + B(i,j)", "A(i,j) * B(i,j)", "A(i,j)"}) made(right, format, Assembly::Append);
}

TEST(AppendAssembly, DoesNotStoreRowsWithoutEntries) {
  const HandRun ran = made("A(i,j) * B(i,j)", "dcsr", Assembly::Append);
  const Array& pos = ran.result.levels[1].pos;
  for (std::int64_t row = 0; row + 1 < pos.size(); ++row) EXPECT_LT(pos.integer(row), pos.integer(row + 1));
}

TEST(SharedPatternAssembly, ComputesOnlyValues) {
  const HandRun ran = made("2 * B(i,j)", "csr", Assembly::SharedPattern, "B");
  EXPECT_THAT(ran.loops, Not(HasSubstr("C2_crd")));
  EXPECT_THAT(ran.loops, Not(HasSubstr("allocate")));
}

TEST(StreamAssembly, TakesEntriesInAnyOrderWithRepetitions) {
  const std::string text = "C(i,j) = A(k,i) * B(k,j)";
  const Operands data =
      random_request(text, {{"A", {"dcsr", 20}}, {"B", {"csr", 25}}}, {{"k", 12}, {"i", 10}, {"j", 10}}).operands;
  const HandProgram p(text, data, "csr", Assembly::Stream);
  const auto product = p.assign("C(i,j) += A(k,i) * B(k,j)");
  const HandRun ran = run(p, p.with(p.forall("k", p.forall("i", p.forall("j", product)))), data);
  EXPECT_EQ(wrong(p, data, ran.result), "");
  EXPECT_EQ(ran.result.format, csr_format());
}

TEST(StreamAssembly, KeepsStructuralZerosAndDropsOthers) {
  const Operands data =
      random_request("C(i,j) = A(i,j) * D(i,j)", {{"A", {"csr", 20}}, {"D", {"dense"}}}, {{"i", 6}, {"j", 7}}).operands;
  for (const char* right : {"A(i,j) * (D(i,j) - D(i,j))", "D(i,j) - D(i,j)", "A(i,j) + (D(i,j) - D(i,j))"}) {
    const std::string text = std::string("C(i,j) = ") + right;
    Operands used{{"D", data.at("D")}};
    if (text.find('A') != std::string::npos) used.insert(*data.find("A"));
    const HandProgram p(text, used, "coo", Assembly::Stream);
    const HandRun ran = run(p, p.with(p.forall("i", p.forall("j", p.assign(text)))), used);
    EXPECT_EQ(wrong(p, used, ran.result), "") << text;
  }
}

}  // namespace
}  // namespace lacuna::assembly_test
