// Values that the declared type of a tensor cannot hold are refused wherever they come in.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error/command.h"

namespace lacuna::test::narrowing_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class NarrowingTest : public ::testing::Test {
 protected:
  std::string refusal(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), LACUNA_BINARY);
    const Ended ended = run_program(arguments, folder_.path());
    EXPECT_EQ(ended.code, 2) << ended.output;
    EXPECT_THAT(ended.error, StartsWith("lacuna: error: "));
    return ended.error;
  }
  std::string scalar_refusal(const std::string& value, const std::string& type) {
    return refusal({"run", "a = b", "-i", "b=" + value, "-t", "b:" + type});
  }
  std::string scalar(const std::string& value, const std::string& type) {
    return run_program({LACUNA_BINARY, "run", "a = b", "-i", "b=" + value, "-t", "b:" + type, "-o", "a=-"},
                       folder_.path())
        .output;
  }
  TemporaryFolder folder_;
};

TEST_F(NarrowingTest, ScalarsOutOfRangeAreRefused) {
  EXPECT_THAT(scalar_refusal("300", "int8"), HasSubstr("the value '300' of 'b' does not fit int8"));
  EXPECT_THAT(scalar_refusal("-1", "uint16"), HasSubstr("the value '-1' of 'b' does not fit uint16"));
  EXPECT_THAT(scalar_refusal("2.5", "int32"), HasSubstr("the value '2.5' of 'b' is not an integer"));
  EXPECT_THAT(scalar_refusal("1e300", "float32"), HasSubstr("does not fit float32"));
  EXPECT_THAT(scalar_refusal("1e10", "int32"), HasSubstr("does not fit int32"));
}

TEST_F(NarrowingTest, ScalarsThatFitAreExact) {
  EXPECT_EQ(scalar("127", "int8"), "127\n");
  EXPECT_EQ(scalar("3e2", "int16"), "300\n");
  EXPECT_EQ(scalar("9007199254740992", "int64"), "9007199254740992\n");
}

TEST_F(NarrowingTest, FilesOutOfRangeAreRefusedWithTheOptionThatReadsThem) {
  folder_.write("A.mtx", "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 300\n");
  EXPECT_THAT(refusal({"run", "s = A(i,j)", "-i", "A=A.mtx", "-t", "A:int8"}),
              HasSubstr("A.mtx:3: the value '300' does not fit int8; give -t A:int64"));
  folder_.write("C.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 3 4\n");
  EXPECT_THAT(refusal({"run", "s = A(i,j)", "-i", "A=C.mtx", "-t", "A:float64"}),
              HasSubstr("has an imaginary part, which float64 cannot hold; give -t A:complex128"));
  EXPECT_THAT(refusal({"convert", "A.mtx", "B.mtx", "-t", "uint8"}), HasSubstr("does not fit uint8; give -t int64"));
}

TEST_F(NarrowingTest, UpdatesOutOfRangeAreRefused) {
  folder_.write("A.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 3\n");
  const auto stream = [&](const std::string& update, const std::string& type) {
    folder_.write("u.txt", update);
    return refusal({"stream", "y(i) = A(i,j) * x(j)", "-f", "A:dense,btree", "-i", "A=A.mtx", "-t", "A:" + type, "-i",
                    "x=dense", "-u", "u.txt"});
  };
  EXPECT_THAT(stream("+ 1 1 300\n", "int8"), HasSubstr("u.txt:1: value '300' does not fit int8"));
  EXPECT_THAT(stream("+ 1 1 2.5\n", "int32"), HasSubstr("value '2.5' is not an integer"));
  EXPECT_THAT(stream("+ 1 1 -1\n", "uint64"), HasSubstr("value '-1' does not fit uint64"));
}

}  // namespace
}  // namespace lacuna::test::narrowing_test
