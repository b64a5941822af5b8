#include "lacuna/concrete/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/error.h"

namespace lacuna::concrete::program_test {
namespace {

using testing::HasSubstr;

/// y(i) = A(i,j) * x(j) with its parts at hand.
struct MatrixTimesVector {
  Statement statement = parse_statement("y(i) = A(i,j) * x(j)");
  IndexVar i = statement.lhs.indices[0];
  IndexVar j = accesses(statement.rhs)[1].indices[0];
  TensorVar t{"t", 0};
  Access scalar{t, {}};
  Stmt produce = assign(scalar, statement.rhs, true);
  Stmt consume = assign(statement.lhs, make_expr(Access{t, {}}));

  Program program(Stmt root) const {
    const std::vector<Access> right = accesses(statement.rhs);
    Program p;
    p.text = "y(i) = A(i,j) * x(j)";
    p.root = std::move(root);
    p.tensors = {{statement.lhs.tensor, Role::Result, dense_format(1), Type::Float64, {{}}, false},
                 {right[0].tensor, Role::Operand, csr_format(), Type::Float64, {{}, {}}, false},
                 {right[1].tensor, Role::Operand, dense_format(1), Type::Float64, {{}}, false},
                 {t, Role::Scalar, Format(), Type::Float64, {}, false}};
    p.extents = {{i, 3}, {j, 4}};
    return p;
  }
  Program good() const { return program(forall(i, where(consume, forall(j, produce)))); }
};

std::string complaint(const Program& p) {
  try {
    verify(p);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

TEST(Program, PrintsLoopsThenTensorsThenNotes) {
  const MatrixTimesVector m;
  Program p = m.good();
  p.notes = {"something was done"};
  EXPECT_EQ(complaint(p), "");
  EXPECT_EQ(to_string(p),
            "forall i\n  y(i) = t\n  where\n    forall j\n      t += A(i,j) * x(j)\n"
            "// y: dense float64, result, stored at any coordinate\n// A: csr float64\n// x: dense float64\n"
            "// t: scalar float64\n// note: something was done\n");
}

TEST(Program, PrintsThreadsAndSequences) {
  const MatrixTimesVector m;
  EXPECT_EQ(to_string(forall(m.i, sequence({m.consume, m.consume}), {Unit::CpuThread})),
            "forall i  (threads)\n  y(i) = t\n  ;\n  y(i) = t\n");
  EXPECT_EQ(sequence({m.consume}), m.consume);
  EXPECT_THROW(sequence({}), InternalError);
}

TEST(Program, KnowsItsTensors) {
  const MatrixTimesVector m;
  const Program p = m.good();
  EXPECT_EQ(p.result().var.name(), "y");
  EXPECT_EQ(p.at(m.t).role, Role::Scalar);
  EXPECT_EQ(p.find(TensorVar("t", 0)), nullptr);
  EXPECT_THROW(p.at(TensorVar("t", 0)), InternalError);
  EXPECT_EQ(p.facts().count("A"), 1U);
}

TEST(Verify, RefusesAVariableThatIsBoundTwice) {
  const MatrixTimesVector m;
  EXPECT_THAT(complaint(m.program(forall(m.i, forall(m.i, m.produce)))), HasSubstr("variable i is bound twice"));
}

TEST(Verify, RefusesAVariableOutsideItsLoop) {
  const MatrixTimesVector m;
  EXPECT_THAT(complaint(m.program(forall(m.i, m.produce))), HasSubstr("variable j is used outside its loop"));
  EXPECT_THAT(complaint(m.program(where(m.consume, forall(m.i, forall(m.j, m.produce))))),
              HasSubstr("variable i is used outside its loop"));
}

TEST(Verify, RefusesATemporaryThatIsReadFirst) {
  const MatrixTimesVector m;
  EXPECT_THAT(complaint(m.program(forall(m.i, m.consume))), HasSubstr("temporary t is read before it is produced"));
}

TEST(Verify, RefusesWhatTheProgramDoesNotHave) {
  const MatrixTimesVector m;
  Program stranger = m.good();
  stranger.tensors.erase(stranger.tensors.begin() + 1);
  EXPECT_THAT(complaint(stranger), HasSubstr("tensor A is not of the program"));
  Program sizeless = m.good();
  sizeless.extents.erase(m.j);
  EXPECT_THAT(complaint(sizeless), HasSubstr("variable j has no extent"));
  Program resultless = m.good();
  resultless.tensors[0].role = Role::Operand;
  EXPECT_THAT(complaint(resultless), HasSubstr("without a result"));
}

}  // namespace
}  // namespace lacuna::concrete::program_test
