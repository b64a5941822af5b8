#include "lacuna/support/xml.h"

#include <gtest/gtest.h>

namespace lacuna::xml_test {
namespace {

TEST(Xml, MarkupIsEscaped) {
  EXPECT_EQ(xml_escaped("a < b & c > \"d\""), "a &lt; b &amp; c &gt; &quot;d&quot;");
  EXPECT_EQ(xml_escaped("A(i,j) → Ω"), "A(i,j) → Ω");
}

TEST(Xml, CharactersThatXmlLacksBecomeSpaces) { EXPECT_EQ(xml_escaped(std::string("a\0b\x1bz", 5)), "a b z"); }

}  // namespace
}  // namespace lacuna::xml_test
