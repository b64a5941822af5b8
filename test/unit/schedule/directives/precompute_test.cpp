#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/notation/parse.h"
#include "lacuna/schedule/directives/directives.h"
#include "unit/schedule/subject.h"

namespace lacuna::precompute_test {
namespace {

using testing::HasSubstr;

Subject product(const std::string& C = "csr") { return {"C(i,j) = A(i,k) * B(k,j)", {{"A", "csr"}, {"B", "csr"}}, C}; }
Subject matrix_vector() { return {"y(i) = A(i,j) * x(j)", {{"A", "csr"}, {"x", "dense"}}}; }

TEST(Precompute, GathersRowsOfAProduct) {
  EXPECT_EQ(product().loops("precompute(A(i,k)*B(k,j),j,jw)"),
            "forall i\n  forall j\n    C(i,j) += w(j)\n  where\n    forall k\n      forall jw\n"
            "        w(jw) += A(i,k) * B(k,jw)\n");
  EXPECT_EQ(product().loops("precompute(A(i,k)*B(k,j),{j},{jw})"), product().loops("precompute(A(i,k)*B(k,j),j,jw)"));
}

TEST(Precompute, MayCallBothLoopsTheSame) {
  EXPECT_EQ(product().loops("precompute(A(i,k)*B(k,j),j,j)"),
            "forall i\n  forall j\n    C(i,j) += w(j)\n  where\n    forall k\n      forall j\n"
            "        w(j) += A(i,k) * B(k,j)\n");
}

TEST(Precompute, AppendsNothingInLoopsOfTheWorkspaceThatAreCalledLikeTheResults) {
  const Subject copy("y(l,i,j) = A(k,l,i)", {{"A", "dense,dense,compressed"}}, "csf");
  EXPECT_EQ(copy.difference("parallelize(l,CPUThread), precompute(A(k,l,i),{i,l},{i,lw})"), "");
}

TEST(Precompute, MakesWorkspacesOfAnyOrder) {
  EXPECT_EQ(product().loops("precompute(A(i,k)*B(k,j),{i,j},{iw,jw})"),
            "forall i\n  forall j\n    C(i,j) += w(i,j)\nwhere\n  forall iw\n    forall k\n      forall jw\n"
            "        w(iw,jw) += A(iw,k) * B(k,jw)\n");
  EXPECT_EQ(product().loops("precompute(B(k,j),{j,k},{jw,kw})"),
            "forall i\n  forall k\n    forall j\n      C(i,j) += A(i,k) * w(j,k)\nwhere\n  forall kw\n    forall jw\n"
            "      w(jw,kw) += B(kw,jw)\n");
}

TEST(Precompute, KeepsTheTypeOfWhatIsConvertedWhereLoopsOutsideAreOnlyInThePart) {
  // An integer workspace would hold -300, and uint16 of that wraps; uint16(-300.0) is 0.
  const Subject saturating("y(j) = uint16(-300 * B(j,i) * c)", {{"B", "csr"}, {"c", "dense"}});
  const std::string schedule = "precompute(uint16(-300 * B(j,i) * c),{i},{v}), precompute(-300 * B(j,v) * c,{v},{u})";
  std::vector<Type> types;
  for (const concrete::Tensor& t : saturating.finished(schedule).program.tensors)
    if (t.role == concrete::Role::Workspace) types.push_back(t.type);
  EXPECT_EQ(types, (std::vector<Type>{Type::Int32, Type::Float64}));
}

TEST(Precompute, TakesAnyPartOfATerm) {
  EXPECT_EQ(product().loops("precompute(A(i,k),k,kw)"),
            "forall i\n  forall k\n    forall j\n      C(i,j) += w(k) * B(k,j)\n  where\n    forall kw\n"
            "      w(kw) += A(i,kw)\n");
  EXPECT_EQ(matrix_vector().loops("precompute(x(j),j,jw)"),
            "forall i\n  forall j\n    y(i) += A(i,j) * w(j)\nwhere\n  forall jw\n    w(jw) += x(jw)\n");
  const Subject indexed("y(i) = A(i,j) * (x(j) + j) * c", {{"A", "csr"}, {"x", "dense"}, {"c", "dense"}});
  EXPECT_EQ(indexed.loops("precompute(x(j) + j,j,jw)"),
            "forall i\n  forall j\n    y(i) += A(i,j) * w(j) * c\nwhere\n  forall jw\n    w(jw) += x(jw) + jw\n");
}

TEST(Precompute, BringsFactorsTogetherThatStandApart) {
  const Subject mttkrp("A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", {{"B", "csf"}, {"C", "dense"}, {"D", "dense"}}, "dense");
  EXPECT_EQ(mttkrp.loops("reorder(i,j,k,l), precompute(B(i,j,k)*D(k,l),{l},{lw})"),
            "forall i\n  forall j\n    forall l\n      A(i,l) += w(l) * C(j,l)\n    where\n      forall k\n"
            "        forall lw\n          w(lw) += B(i,j,k) * D(k,lw)\n");
  EXPECT_EQ(mttkrp.loops("precompute(D(k,l)*B(i,j,k),{j,l},{jw,lw})"),
            mttkrp.loops("precompute(B(i,j,k)*D(k,l),{j,l},{jw,lw})"));
  const Subject among("y(i) = b(i) - 2 * A(i,j) / c(i) * x(j) * d(j)",
                      {{"A", "csr"}, {"b", "dense"}, {"c", "dense"}, {"d", "sparse"}, {"x", "dense"}}, "dense");
  EXPECT_EQ(among.difference("precompute(x(j)*A(i,j),{j},{jw})"), "");
  EXPECT_EQ(among.difference("precompute(2*d(j),{j},{jw})"), "");
}

TEST(Precompute, BringsNoFactorsTogetherThatAreNotOfOneProduct) {
  const Subject s("y(i) = A(i,j) * x(j) / c(i) + b(i)", {{"A", "csr"}, {"b", "dense"}, {"c", "dense"}, {"x", "dense"}},
                  "dense");
  for (const char* part : {"x(j)*b(i)", "A(i,j)*c(i)", "A(i,j)*A(i,j)"})
    EXPECT_THAT(s.refusal(std::string("precompute(") + part + ",{i},{iw})"),
                HasSubstr("is no part of what is computed"))
        << part;
}

TEST(Precompute, KnowsIndicesThatThePartUsesAsNumbers) {
  const Subject indexed("y(i) = A(i,j) * (x(i) * j)", {{"A", "csr"}, {"x", "dense"}});
  EXPECT_EQ(indexed.loops("precompute(x(i)*j,j,jw)"),
            "forall i\n  forall j\n    y(i) += A(i,j) * w(j)\n  where\n    forall jw\n      w(jw) += x(i) * jw\n");
}

TEST(Precompute, WorksInsideWhatWasPrecomputed) {
  EXPECT_EQ(product().loops("precompute(A(i,k)*B(k,j),j,jw), precompute(A(i,k),k,kw)"),
            "forall i\n  forall j\n    C(i,j) += w(j)\n  where\n    forall k\n      forall jw\n"
            "        w(jw) += w_2(k) * B(k,jw)\n    where\n      forall kw\n        w_2(kw) += A(i,kw)\n");
}

TEST(Precompute, WorksOnOneTermOfASum) {
  const Subject terms("y(i) = A(i,j) * x(j) + b(i)", {{"A", "csr"}, {"x", "dense"}, {"b", "dense"}});
  EXPECT_EQ(terms.loops("precompute(A(i,j)*x(j),j,jw)"),
            "forall i\n  y(i) += b(i)\n  ;\n  forall j\n    y(i) += w(j)\n  where\n    forall jw\n"
            "      w(jw) += A(i,jw) * x(jw)\n");
}

TEST(Precompute, AddsUpInTheTypeOfTheSumThatItIsAPartOf) {
  const Subject cast("y = int32(sum(i, 2.5 * A(i,k)))", {{"A", "dense"}});
  const Scheduled scheduled = cast.finished("precompute(2.5 * A(i,k),i,iw)");
  int workspaces = 0;
  for (const concrete::Tensor& t : scheduled.program.tensors) {
    if (t.role != concrete::Role::Workspace) continue;
    EXPECT_EQ(t.type, Type::Float64) << t.var.name();
    ++workspaces;
  }
  EXPECT_GE(workspaces, 1);
}

TEST(Precompute, IsScheduledFurtherOnBothSides) {
  EXPECT_EQ(product().loops("precompute(A(i,k)*B(k,j),j,jw), split(jw,a,b,4), unroll(b,2), fuse(k,a,f)"),
            "forall i\n  forall j\n    C(i,j) += w(j)\n  where\n    forall f\n      forall b  (unroll 2)\n"
            "        w(jw) += A(i,k) * B(k,jw)\n");
  EXPECT_EQ(matrix_vector().loops("precompute(x(j),j,jw), pos(j,jp,A), split(jp,a,b,3), bound(jw,c,10,exact)"),
            "forall i\n  forall a\n    forall b\n      y(i) += A(i,j) * w(j)\nwhere\n  forall c\n    w(jw) += x(jw)\n");
  EXPECT_EQ(matrix_vector().difference("precompute(A(i,j),j,jw), pos(jw,jp,A), split(jp,a,b,3)"), "");
}

TEST(Precompute, CallsTheWorkspaceAsAsked) {
  EXPECT_THAT(product().loops("precompute(A(i,k)*B(k,j),j,jw,row)"), HasSubstr("C(i,j) += row(j)"));
  EXPECT_EQ(product().refusal("precompute(A(i,k)*B(k,j),j,jw,A)"),
            "precompute: there is a tensor A already; choose another name for the workspace");
}

TEST(Precompute, ListsCoordinatesInAsFewBytesAsTheyNeed) {
  EXPECT_THAT(product().c_code("precompute(A(i,k)*B(k,j),j,jw)"), HasSubstr("int32_t *restrict w_list"));
}

TEST(Precompute, RefusesWhatIsNotComputed) {
  EXPECT_EQ(product().refusal("precompute(A(i,k)*A(k,j),j,jw)"),
            "precompute: A(i,k) * A(k,j) is no part of what is computed; the terms are those of the statement, written "
            "alike");
  const Subject twice("s = A(i,j) * x(j) + A(i,j) * z(k)", {{"A", "csr"}, {"x", "dense"}, {"z", "dense"}});
  EXPECT_EQ(twice.refusal("precompute(A(i,j),j,jw)"),
            "precompute: A(i,j) stands in several places; name a larger part");
  EXPECT_EQ(twice.difference("precompute(A(i,j)*x(j),j,jw)"), "");
}

TEST(Precompute, RefusesVariablesThatThePartLacks) {
  EXPECT_EQ(product().refusal("precompute(A(i,k),j,jw)"), "precompute: A(i,k) does not use j");
  EXPECT_EQ(product().refusal("precompute(A(i,k),l,lw)"), "precompute: there is no loop over l; the loops are i, k, j");
  EXPECT_EQ(product().refusal("precompute(A(i,k),k,j)"),
            "precompute: there is a variable j already; choose another name for the new one");
}

TEST(Precompute, RefusesDerivedVariables) {
  EXPECT_EQ(
      product().refusal("split(j,jo,ji,4), precompute(A(i,k)*B(k,j),ji,jw)"),
      "precompute: ji was made from j; precompute over the variables of the statement, and split or fuse their loops "
      "after that");
  EXPECT_EQ(product().refusal("split(j,jo,ji,4), precompute(A(i,k)*B(k,j),j,jw)"),
            "precompute: j has no loop any more; the loops that replaced it are jo, ji");
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,A), precompute(x(j),j,jw)"),
            "precompute: jp runs over positions, which belong to one nest; precompute before pos");
}

TEST(Precompute, RefusesToKeepWhatOuterLoopsMake) {
  const char* reason =
      " is outside loops that what is precomputed shares with other statements or with what reads it, so there is "
      "nothing "
      "to keep; reorder it inside these, or precompute over other variables";
  EXPECT_EQ(product().refusal("precompute(A(i,k)*B(k,j),i,iw)"), std::string("precompute: the loop over i") + reason);
  const Subject terms("y(i) = A(i,j) * x(j) + b(i)", {{"A", "csr"}, {"x", "dense"}, {"b", "dense"}});
  EXPECT_EQ(terms.refusal("precompute(b(i),i,iw)"), std::string("precompute: the loop over i") + reason);
}

TEST(Precompute, RefusesToSumBeforeAFunctionThatIsNotLinear) {
  const Subject root("y(i) = sqrt(A(i,j) * x(j))", {{"A", "csr"}, {"x", "dense"}});
  EXPECT_EQ(root.refusal("precompute(A(i,j)*x(j),i,iw)"),
            "precompute: A(i,j) * x(j) is summed over j, which cannot be done before the rest of sqrt(A(i,j) * x(j))");
  const Subject quotient("y(i) = x(i) / A(i,j)", {{"x", "dense"}, {"A", "dense"}});
  EXPECT_EQ(quotient.refusal("precompute(A(i,j),i,iw)"),
            "precompute: A(i,j) is summed over j, which cannot be done before the rest of x(i) / A(i,j)");
}

TEST(Precompute, RefusesFormats) {
  EXPECT_EQ(product().refusal("precompute(A(i,k)*B(k,j),{i,j},{iw,jw},csr)"),
            "precompute: a workspace in csr is not available; there are dense, bitmap and hashed ones");
  EXPECT_EQ(product().refusal_of(
                directive::Precompute{parse_expression("B(k,j)", {0, 6}), {"j"}, {"jw"}, dense_format(2), ""}),
            "precompute: the workspace is over 1 variables, but its format dense has 2 levels");
}

TEST(Precompute, ChecksValuesThatNoTextWentThrough) {
  const Expr part = parse_expression("B(k,j)", {0, 6});
  EXPECT_EQ(product().refusal_of(directive::Precompute{part, {"k", "j"}, {"jw"}, {}, ""}),
            "precompute: 2 variables of the expression, but 1 for the loops that compute it: give as many");
  EXPECT_EQ(product().refusal_of(directive::Precompute{part, {}, {}, {}, ""}),
            "precompute: 0 variables of the expression, but 0 for the loops that compute it: give as many");
  EXPECT_EQ(product().refusal_of(directive::Precompute{part, {"j", "j"}, {"a", "b"}, {}, ""}),
            "precompute: j is named twice");
}

}  // namespace
}  // namespace lacuna::precompute_test
