// Files that are no files: pipes, standard input and output, and what comes compressed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error/command.h"

namespace lacuna::test::pipe_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string matrix = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 2\n2 3 4\n";

class PipeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("A.mtx", matrix);
    folder_.write("x.tns", "1 1\n2 1\n3 2\n");
  }
  Ended shell(const std::string& line) { return run_shell(line, folder_.path()); }
  TemporaryFolder folder_;
};

TEST_F(PipeTest, OperandsComeFromStandardInputAndFromPipes) {
  const Ended ended = shell("cat A.mtx | $L run 'y(i) = A(i,j) * x(j)' -i A=/dev/stdin -i x=<(cat x.tns) -o y=y.tns");
  EXPECT_EQ(ended.code, 0) << ended.error;
  EXPECT_EQ(folder_.read("y.tns"), "1 2\n2 8\n");
}

TEST_F(PipeTest, OperandsFromPipesMayBeCompressedAndEnlarged) {
  const Ended ended = shell(
      "$L run 'y(i) = A(i,j) * x(j)' -i A=<(printf '1 1 2\\n2 3 4\\n' | gzip) -f A:csr -d i=4,j=3 "
      "-i x=<(gzip < x.tns) -o y=y.tns");
  EXPECT_EQ(ended.code, 0) << ended.error;
  EXPECT_EQ(folder_.read("y.tns"), "1 2\n2 8\n3 0\n4 0\n");
}

TEST_F(PipeTest, InfoAndConvertReadPipes) {
  EXPECT_THAT(shell("cat A.mtx | $L info /dev/stdin").output, HasSubstr("dimensions: 2 x 3"));
  const Ended ended = shell("gzip < A.mtx | $L convert /dev/stdin B.tns");
  EXPECT_EQ(ended.code, 0) << ended.error;
  EXPECT_EQ(folder_.read("B.tns"), "1 1 2\n2 3 4\n");
}

TEST_F(PipeTest, UpdatesComeFromPipesAndCompressed) {
  const std::string stream =
      "$L stream 'y(i) = A(i,j) * x(j)' -f A:dense,btree -i A=A.mtx -i x=x.tns -f x:dense -o y=y.tns -u ";
  const std::string updates = "printf '+ 1 3 5\\n= 2 3 1'";
  for (const std::string& line :
       {updates + " | " + stream + "/dev/stdin", stream + "<(" + updates + ")",
        updates + " | gzip > u.gz; " + stream + "u.gz", updates + " | gzip | " + stream + "/dev/stdin"}) {
    const Ended ended = shell(line);
    EXPECT_EQ(ended.code, 0) << line << ended.error;
    EXPECT_EQ(folder_.read("y.tns"), "1 12\n2 2\n") << line;
  }
  const Ended damaged = shell(updates + " | gzip | head -c 25 > u.gz; " + stream + "u.gz");
  EXPECT_EQ(damaged.code, 2);
  EXPECT_THAT(damaged.error, HasSubstr("u.gz: the compressed data are damaged"));
}

TEST_F(PipeTest, ResultsGoToStandardOutputAndNothingElseDoes) {
  const Ended vector = shell("$L run 'y(i) = A(i,j) * x(j)' -i A=A.mtx -i x=x.tns -o y=-");
  EXPECT_EQ(vector.code, 0) << vector.error;
  EXPECT_EQ(vector.output, "%%MatrixMarket matrix array real general\n2 1\n2\n8\n");
  EXPECT_EQ(shell("$L convert A.mtx - | cat").output, matrix);
  EXPECT_EQ(shell("$L run 's = A(i,j)' -i A=A.mtx -o s=-").output, "6\n");
  EXPECT_THAT(shell("$L generate uniform 2x2x2 --nnz 1 -o -").output, HasSubstr("%%MatrixMarket tensor coordinate"));
  EXPECT_EQ(shell("$L convert A.mtx - > B.mtx; cat B.mtx").output, matrix);
}

TEST_F(PipeTest, ResultsOfStreamsGoToStandardOutputAndNothingElseDoes) {
  const std::string stream =
      "printf '+ 1 3 5\\n= 2 3 1' | $L stream 'y(i) = A(i,j) * x(j)' -f A:dense,btree -i A=A.mtx -i x=x.tns -f x:dense "
      "-u /dev/stdin --every 1 ";
  const Ended vector = shell(stream + "-o y=-");
  EXPECT_EQ(vector.code, 0) << vector.error;
  EXPECT_EQ(vector.output, "%%MatrixMarket matrix array real general\n2 1\n12\n2\n");
  const Ended both = shell(stream + "-o A=- -o y=y.tns --incremental");
  EXPECT_EQ(both.code, 0) << both.error;
  EXPECT_THAT(both.output, StartsWith("%%MatrixMarket matrix coordinate real general\n2 3 3\n"));
  EXPECT_EQ(folder_.read("y.tns"), "1 12\n2 2\n");
}

TEST_F(PipeTest, WhatElseGoesToStandardOutputIsRefusedBesideAResult) {
  const Ended json = shell("$L run 's = A(i,j)' -i A=A.mtx -o s=- --json -");
  EXPECT_EQ(json.code, 2);
  EXPECT_THAT(json.error, HasSubstr("--json - prints on standard output"));
}

TEST_F(PipeTest, ResultsGoIntoPipes) {
  EXPECT_EQ(shell("$L run 'B(i,j) = A(i,j)' -i A=A.mtx -f B:csr -o B=>(cat > B.mtx); sleep 0.2").code, 0);
  EXPECT_EQ(folder_.read("B.mtx"), matrix);
}

TEST_F(PipeTest, EmptyFilesAreReadWhereSizesAreGiven) {
  folder_.write("E.tns", "");
  const Ended given = shell("$L run 'y(i) = E(i,j) * x(j)' -i E=E.tns -f E:csr -d i=4,j=3 -i x=x.tns -o y=y.tns");
  EXPECT_EQ(given.code, 0) << given.error;
  EXPECT_EQ(folder_.read("y.tns"), "1 0\n2 0\n3 0\n4 0\n");
  const Ended unknown = shell("$L run 'y(i) = E(i,j) * x(j)' -i E=E.tns -f E:csr -i x=x.tns");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.error, HasSubstr("E.tns"));
}

TEST_F(PipeTest, EmptyResultsAreReadBack) {
  const Ended made = shell(
      "printf '%%%%MatrixMarket matrix coordinate real general\\n2 3 1\\n1 2 7\\n' > B.mtx; "
      "$L run 'C(i,j) = A(i,j) * B(i,j)' -i A=A.mtx -i B=B.mtx -f C:csr -o C=C.tns");
  EXPECT_EQ(made.code, 0) << made.error;
  const Ended read = shell("$L run 'y(i) = C(i,j) * x(j)' -i C=C.tns -f C:csr -i x=x.tns -o y=y.tns");
  EXPECT_EQ(read.code, 0) << read.error;
  EXPECT_EQ(folder_.read("y.tns"), "1 0\n2 0\n");
}

TEST_F(PipeTest, VectorsAreWrittenAsMatrixMarketAndReadBack) {
  const Ended made = shell("$L run 'y(i) = A(i,j) * x(j)' -i A=A.mtx -i x=x.tns -o y=y.mtx");
  EXPECT_EQ(made.code, 0) << made.error;
  EXPECT_EQ(shell("$L run 's = y(i)' -i y=y.mtx -o s=-").output, "10\n");
}

}  // namespace
}  // namespace lacuna::test::pipe_test
