#include "golden/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lacuna::golden {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Tokens, WordsNumbersAndOperatorsAreOneEach) {
  EXPECT_THAT(tokens("t_2 += A->vals[p++]*0.5;"),
              ElementsAre("t_2", "+=", "A", "->", "vals", "[", "p", "++", "]", "*", "0.5", ";"));
}

TEST(Tokens, CommentsAndPreprocessorLinesAreLeftOut) {
  EXPECT_THAT(tokens("#include <a.h>\n/* b\n c */ x // d\n y"), ElementsAre("x", "y"));
  EXPECT_THAT(tokens("// only this"), IsEmpty());
}

}  // namespace
}  // namespace lacuna::golden
