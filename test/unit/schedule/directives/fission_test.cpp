#include "lacuna/schedule/directives/fission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lacuna::directives::fission_test {
namespace {

using concrete::Stmt;
using testing::HasSubstr;
using testing::IsEmpty;

/// Statements over i that add to y and read the temporaries s and t.
class FissionTest : public testing::Test {
 protected:
  Stmt adds(const Expr& e) const { return concrete::assign(Access{y_, {i_}}, e, true); }
  Stmt assigns(const Expr& e) const { return concrete::assign(Access{y_, {i_}}, e); }
  Stmt makes(const TensorVar& temporary) const {
    return concrete::forall(k_, concrete::assign(Access{temporary, {}}, make_expr(Access{b_, {k_}}), true));
  }
  static Expr value(const TensorVar& scalar) { return make_expr(Access{scalar, {}}); }
  Expr b() const { return make_expr(Access{b_, {i_}}); }
  /// Why the loop over i, or another one, cannot be split between all statements inside.
  std::string obstacle(const Stmt& inside, const IndexVar& loop) const {
    const Fission fission(inside);
    std::vector<Stmt> parts;
    for (std::size_t k = 0; k < fission.size(); ++k) parts.push_back(fission.part(k, k + 1));
    return Fission::obstacle({}, {loop}, parts);
  }

  const IndexVar i_{"i"}, j_{"j"}, k_{"k"};
  const TensorVar y_{"y", 1}, b_{"b", 1}, s_{"s", 0}, t_{"t", 0};
};

TEST_F(FissionTest, FindsOneStatementWhereThereIsNothingToSplit) {
  EXPECT_EQ(Fission(adds(b())).size(), 1U);
  EXPECT_EQ(Fission(concrete::where(adds(value(s_)), makes(s_))).size(), 1U);
}

TEST_F(FissionTest, GivesEachStatementTheProducersOfWhatItReads) {
  const Stmt both = concrete::sequence({adds(value(s_)), adds(value(t_)), adds(b())});
  const Fission fission(concrete::where(both, concrete::sequence({makes(s_), makes(t_)})));
  ASSERT_EQ(fission.size(), 3U);
  EXPECT_EQ(to_string(fission.part(0, 1)), "y(i) += s\nwhere\n  forall k\n    s += b(k)\n");
  EXPECT_EQ(to_string(fission.part(1, 2)), "y(i) += t\nwhere\n  forall k\n    t += b(k)\n");
  EXPECT_EQ(to_string(fission.part(1, 3)), "y(i) += t\n;\ny(i) += b(i)\nwhere\n  forall k\n    t += b(k)\n");
  EXPECT_EQ(to_string(fission.part(2, 3)), "y(i) += b(i)\n");
}

TEST_F(FissionTest, TakesAlongWhatAProducerReads) {
  const Stmt t_of_s = concrete::assign(Access{t_, {}}, value(s_), true);
  const Stmt both = concrete::sequence({adds(b()), adds(value(t_))});
  const Fission fission(concrete::where(concrete::where(both, t_of_s), makes(s_)));
  EXPECT_EQ(to_string(fission.part(1, 2)), "y(i) += t\nwhere\n  t += s\nwhere\n  forall k\n    s += b(k)\n");
}

TEST_F(FissionTest, SplitsWhatOnlyAdds) {
  EXPECT_THAT(obstacle(concrete::sequence({adds(b()), adds(b())}), i_), IsEmpty());
  EXPECT_THAT(obstacle(concrete::sequence({adds(b()), adds(b())}), j_), IsEmpty());
}

TEST_F(FissionTest, SplitsWhereTheFirstStatementAssignsEachCoordinateInOneTurn) {
  EXPECT_THAT(obstacle(concrete::sequence({assigns(b()), adds(b())}), i_), IsEmpty());
  EXPECT_THAT(obstacle(concrete::sequence({assigns(b()), adds(b())}), j_), HasSubstr("y is assigned"));
  EXPECT_THAT(obstacle(concrete::sequence({adds(b()), assigns(b())}), i_), HasSubstr("y is assigned"));
}

TEST_F(FissionTest, RefusesToMakeATemporaryTwice) {
  const Stmt both = concrete::sequence({adds(value(s_)), adds(value(s_))});
  EXPECT_EQ(obstacle(concrete::where(both, makes(s_)), i_),
            "s is made in the loop over i and read by several of the terms there, so that the loop cannot be split "
            "between these");
}

}  // namespace
}  // namespace lacuna::directives::fission_test
