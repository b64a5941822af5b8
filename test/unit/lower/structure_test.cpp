#include "lacuna/concrete/structure.h"

#include <gtest/gtest.h>

#include "support/random_request.h"
#include "unit/lower/hand_program.h"

namespace lacuna::structure_test {
namespace {

Operands operands() {
  return random_request("C(i,j) = A(i,j) + B(i,j) + D(i,j)", {{"A", {"csr", 5}}, {"B", {"coo", 6}}, {"D", {"dense"}}},
                        {{"i", 4}, {"j", 5}})
      .operands;
}

concrete::Structure of(const std::string& right) {
  const HandProgram p("C(i,j) = " + right, operands(), "csr", concrete::Assembly::Append);
  return concrete::structure_of(p.with(p.forall("i", p.forall("j", p.assign("C(i,j) = " + right)))),
                                p.statement().lhs.tensor);
}

TEST(StructureOf, IsDecidedByTheOperandsThatStoreTheirEntries) {
  EXPECT_EQ(of("A(i,j) + B(i,j)"), concrete::Structure::Always);
  EXPECT_EQ(of("A(i,j) * D(i,j)"), concrete::Structure::Always);
  EXPECT_EQ(of("A(i,j) + D(i,j)"), concrete::Structure::Mixed);
  EXPECT_EQ(of("2 * D(i,j)"), concrete::Structure::Never);
}

TEST(StructureOf, LooksThroughTemporaries) {
  HandProgram p("C(i,j) = A(i,j) + D(i,j)", operands(), "csr", concrete::Assembly::Append);
  p.scalar("t");
  p.scalar("u");
  const auto sum = concrete::sequence({p.assign("t += A(i,j)"), p.assign("u += D(i,j)")});
  const auto program = p.with(p.forall("i", p.forall("j", concrete::where(p.assign("C(i,j) = t * u"), sum))));
  EXPECT_EQ(concrete::structure_of(program, program.tensors[3].var), concrete::Structure::Always);
  EXPECT_EQ(concrete::structure_of(program, program.tensors[4].var), concrete::Structure::Never);
  EXPECT_EQ(concrete::structure_of(program, program.result().var), concrete::Structure::Always);
  EXPECT_EQ(concrete::result_access(program, program.result().var).indices.size(), 2U);
}

}  // namespace
}  // namespace lacuna::structure_test
