#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/explain/picture/layout.h"
#include "unit/explain/explained.h"

namespace lacuna::picture_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const RandomOperand dense{"dense"}, csr{"csr", 500};

Explanation product() { return explained("C(i,k) = A(i,j) * B(j,k)", {{"A", csr}, {"B", csr}}, "csr"); }

int count(const std::string& text, const std::string& piece) {
  int found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

TEST(Picture, HasABoxForEachLoopAndALineForEachTensor) {
  const Explanation e = product();

  const picture::Layout layout = picture::lay_out(e, 100, 700);

  EXPECT_EQ(layout.boxes.size(), 4U);    // i, j, k, and k again to drain the workspace
  EXPECT_EQ(layout.columns.size(), 4U);  // A, B, w, C
  EXPECT_EQ(layout.rows.size(), 6U);     // those loops, and two assignments
}

TEST(Picture, BoxesLieInsideThoseOfTheLoopsAroundThem) {
  const Explanation e = product();
  const picture::Layout layout = picture::lay_out(e, 100, 700);
  const picture::Box &i = layout.boxes[0], &j = layout.boxes[1], &k = layout.boxes[2], &drain = layout.boxes[3];
  for (const auto& [outer, inner] : {std::pair(i, j), std::pair(j, k), std::pair(i, drain)}) {
    EXPECT_LT(outer.left, inner.left);
    EXPECT_GT(outer.left + outer.width, inner.left + inner.width);
    EXPECT_LT(outer.top, inner.top);
    EXPECT_GT(outer.top + outer.height, inner.top + inner.height);
  }
  EXPECT_GT(drain.top, j.top + j.height);
}

TEST(Picture, LinesReachFromTheFirstStopToTheLast) {
  const Explanation e = product();
  const picture::Layout layout = picture::lay_out(e, 100, 700);
  const picture::Column& w = layout.columns[2];
  EXPECT_DOUBLE_EQ(w.first, layout.rows[3].axis);  // w(k) += …
  EXPECT_DOUBLE_EQ(w.last, layout.rows[5].axis);   // C(i,k) = w(k)
}

TEST(Picture, IsOneDocumentThatNeedsNothing) {
  const std::string svg = to_svg(product());
  EXPECT_THAT(svg, AllOf(StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""), HasSubstr(">A(i,j)</text>"),
                         HasSubstr("w(k) += A(i,j) * B(j,k)"), HasSubstr("drained")));
  EXPECT_EQ(count(svg, "http"), 1);
  EXPECT_EQ(count(svg, "<svg"), 1);
}

TEST(Picture, WritesLatticePointsBesideTheMergingLoop) {
  const std::string svg = to_svg(explained("A(i,j) = B(i,j) + C(i,j)", {{"B", csr}, {"C", csr}}, "csr"));
  EXPECT_THAT(svg, AllOf(HasSubstr(">B2 C2</text>"), HasSubstr(">B2</text>"), HasSubstr(">C2</text>")));
}

TEST(Picture, EscapesWhatUsersWrite) {
  Explanation e = product();
  e.statement = "y = a < b";
  EXPECT_THAT(to_svg(e), HasSubstr("y = a &lt; b"));
}

}  // namespace
}  // namespace lacuna::picture_test
