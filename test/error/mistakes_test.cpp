// One row a mistake a user can make of the command: what is typed, and a piece of the message that answers it.

#include <algorithm>
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error/command.h"

namespace lacuna::test::mistakes_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Mistake {
  const char* name;
  std::vector<std::string> arguments;
  std::string piece;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class MistakeTest : public ::testing::TestWithParam<Mistake> {
 protected:
  void SetUp() override {
    folder_.write("A.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 2.5\n");
    folder_.write("B.tns", "1 1 1 2.0\n2 3 4 1.0\n");
    folder_.write("order4.tns", "1 1 1 1 2.0\n");
    folder_.write("notes.txt", "hello\n");
  }
  TemporaryFolder folder_;
};

std::size_t count(const std::string& text, const std::string& piece) {
  std::size_t found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

TEST_P(MistakeTest, GetsOneMessageThatSaysWhatIsWrong) {
  std::vector<std::string> arguments = {LACUNA_BINARY};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());

  const Ended ended = run_program(arguments, folder_.path(), {{"LACUNA_CACHE", "0"}});

  EXPECT_EQ(ended.code, 2) << ended.error;
  EXPECT_THAT(ended.error, StartsWith("lacuna: error: "));
  EXPECT_THAT(ended.error, HasSubstr(GetParam().piece));
  EXPECT_EQ(count(ended.error, "lacuna: error:"), 1U) << ended.error;
  EXPECT_EQ(ended.output, "");
}

const std::string spmv = "y(i) = A(i,j) * x(j)";

const std::vector<Mistake> mistakes = {
    // The command line itself.
    {"UnknownSubcommand", {"rnu"}, "'rnu' is no command; did you mean run?"},
    {"UnknownSubcommandLikeNone", {"frobnicate"}, "'frobnicate' is no command; 'lacuna --help' lists them"},
    {"StatementWithoutCommand", {spmv}, "write lacuna run 'y(i) = A(i,j) * x(j)'"},
    {"UnknownOptionOfTheProgram", {"--vers"}, "lacuna has no option --vers; did you mean --version?"},
    {"OptionBeforeTheCommand", {"--threads", "4", "run", spmv}, "--threads stands before the command"},
    {"UnknownOption", {"run", spmv, "--fast"}, "'lacuna run' has no option --fast; 'lacuna run --help' lists its"},
    {"MisspeltOption", {"run", spmv, "--thraeds", "4"}, "has no option --thraeds; did you mean --threads?"},
    {"UnknownLetter", {"run", spmv, "-z"}, "'lacuna run' has no option -z"},
    {"OneDashForTwo", {"run", spmv, "-threads", "4"}, "has no option -threads; did you mean --threads?"},
    {"OptionOfAnotherCommand", {"explain", spmv, "--verify"}, "has no option --verify, but 'lacuna run' has"},
    {"MissingStatement", {"run"}, "'lacuna run' needs EXPR: the statement, as 'y(i) = A(i,j) * x(j)'"},
    {"SecondStatement", {"run", spmv, spmv}, "is one argument too many: 'lacuna run' takes EXPR"},
    {"SecondTopic", {"help", "formats", "extra"}, "'extra' is one argument too many: 'lacuna help' takes TOPIC"},
    {"InputInTwoWords", {"run", spmv, "-i", "A", "A.mtx"}, "-i takes NAME=SOURCE as one word; write -i A=A.mtx"},
    {"FormatInTwoWords", {"run", spmv, "-f", "A", "csr"}, "write -f A:csr"},
    {"SizeInTwoWords", {"run", spmv, "-d", "i", "5"}, "write -d i=5"},
    {"MissingValue", {"run", spmv, "--threads"}, "--threads needs a value: --threads N (threads of a kernel"},
    {"OptionForAValue", {"run", spmv, "-i", "--verify"}, "-i needs a value: -i NAME=SOURCE"},
    {"TwoThreads", {"run", spmv, "--threads", "2", "--threads", "4"}, "--threads is given twice; give it once"},
    {"UnknownStage", {"show", "--stage", "loop", spmv}, "--stage must be one of notation, "},
    {"PtxOfAProcessor", {"show", "--stage", "ptx", spmv}, "there is PTX of programs for CUDA: add --target cuda"},
    {"MisspeltStage", {"show", "--stage", "loop", spmv}, "not 'loop'; did you mean loops?"},
    {"ANumberForAVector",
     {"run", spmv, "-i", "A=A.mtx", "-i", "x=2.5"},
     "'2.5' is one number, and the tensor has indices"},
    {"ATensorWithoutIndices", {"run", "y = A * x", "-i", "A=A.mtx"}, "write its indices, as in A(i,j)"},
    {"NoThreads", {"run", spmv, "--threads", "0"}, "--threads must be a whole number from 1 to 1024, not '0'"},
    {"TimeIsNoNumber", {"run", spmv, "--time", "often"}, "--time must be a whole number from 1 to 1000000"},
    {"SeedIsNoNumber", {"run", spmv, "--seed", "x"}, "--seed must be a whole number of at least 0, not 'x'"},
    {"HalfAStep", {"simulate", spmv, "--machine", "Grid(2)", "--steps", "1.5"}, "--steps must be a whole number"},
    {"UnknownTopic", {"help", "formulas"}, "there is no help on 'formulas'; 'lacuna help' lists the topics"},
    {"MisspeltTopic", {"help", "functons"}, "did you mean functions?"},
    {"HelpOnMisspeltCommand", {"help", "generat"}, "did you mean generate?"},
    {"HelpOnNoDirective", {"help", "splt"}, "did you mean split?"},
    {"ExplainWithoutStatement", {"explain"}, "'lacuna explain' needs EXPR"},
    {"ExplainDrawsWhereItMayNot", {"explain", spmv, "--svg", "nowhere/picture.svg"}, "nowhere/picture.svg"},
    {"ExplainsNoStage", {"explain", spmv, "--stage", "c"}, "--stage"},
    {"ExportWithoutName", {"export", spmv}, "'lacuna export' needs -o NAME|DIR: a name for NAME.c and NAME.h"},
    {"ExportUnderANameOfC",
     {"export", spmv, "-o", "square"},
     "the kernel cannot be called 'square', since C or the header of kernels has that name already; write it under "
     "another one, as -o my_square"},
    {"ExportIntoAFolderUnderANameOfC", {"export", "main(i) = x(i)", "-o", "there/"}, "as -o there/my_main"},
    {"ExportUnderANameOfTheHeader", {"export", spmv, "-o", "lacuna_kernel"}, "cannot be called 'lacuna_kernel'"},

    // Statements.
    {"EmptyStatement", {"run", ""}, "an empty statement"},
    {"StatementEndsEarly", {"run", "y(i) = A(i,j) *"}, "^"},
    {"UnclosedParenthesis", {"run", "y(i) = A(i,j * x(j)"}, "^"},
    {"NoAssignment", {"run", "A(i,j) * x(j)"}, "^"},
    {"StrayCharacter", {"run", "y(i) = A(i,j) $ x(j)"}, "^"},
    {"SeveralWhereOneIsExpected", {"explain", "a(i) = b(i); c(i) = b(i)"}, "one statement is expected here"},
    {"SecondOfSeveralEndsEarly", {"run", "a(i) = b(i); c(i) ="}, "^"},
    {"NothingBetweenSemicolons", {"run", "a(i) = b(i); ; c(i) = b(i)"}, "an empty statement"},
    {"ReadsWhatTheSameKernelMakes", {"run", "a(i) = b(i); c(i) = a(i)"}, "reads a, which the same kernel makes"},
    {"MakesOneTensorTwice",
     {"run", "a(i) = b(i); a(i) = c(i)", "-i", "b=dense", "-i", "c=dense", "-d", "i=4"},
     "two names"},
    {"UnknownFunction", {"run", "y(i) = sqroot(x(i))"}, "sqroot is not a function"},
    {"TwoOrdersOfOneTensor", {"run", "y(i) = A(i,j) * A(j)"}, "one name is one tensor"},
    {"IndexWhereAReductionHasOne",
     {"run", "y(i) = max(j, A(i,j) * x(j))"},
     "write max(A(i,j) * x(j), j); reductions by max do not exist yet"},
    {"QuotientOfIntegersInASum",
     {"run", "t = A(i,j) * x(j) / 6", "-t", "A:int64", "-t", "x:int64", "-i", "A=dense", "-i", "x=dense", "-d",
      "i=2,j=3"},
     "write sum(i, j, A(i,j) * x(j)) / 6 to divide the sum, or sum(i, j, A(i,j) * x(j) / 6) to sum the quotients"},
    {"AmbiguousSum", {"run", "y(i) = b(i) * (A(i,j) + c(i))"}, "sum(j"},
    {"ResultReadElsewhere", {"run", "y(i) = y(j) * A(i,j)"}, "only where it is written"},

    // Names and values in options.
    {"FormatOfUnknownTensor", {"run", spmv, "-f", "Q:csr"}, "it has y, A and x"},
    {"FormatWithoutName", {"run", spmv, "-f", "csr"}, "-f A:csr"},
    {"NoCommand", {""}, "'' is no command; 'lacuna --help' lists them"},
    {"UnknownFormat", {"run", spmv, "-f", "A:crs"}, "unknown format or level \"crs\"; did you mean csr?\n"},
    {"FormatLikeNone", {"run", spmv, "-f", "A:xyzzy"}, "'lacuna help formats' lists formats and levels"},
    {"FormatOfAnotherOrder", {"run", spmv, "-f", "x:csr"}, "csr is a format of order 2"},
    {"FormatThatCannotNest", {"run", spmv, "-f", "A:singleton,dense"}, "singleton"},
    {"TwoFormats", {"run", spmv, "-f", "A:csr", "-f", "A:csc"}, "two -f for 'A'"},
    {"UnknownLevel", {"run", spmv, "-f", "A:d,blits"}, "unknown format or level \"blits\"; did you mean blist?"},
    {"PropertiesOfDynamicLevel", {"run", spmv, "-f", "A:d,blist(unordered)"}, "the level file of blist says what"},
    {"DynamicBesideHashed", {"run", spmv, "-f", "A:blist,h"}, "beside a dynamic level, here blist, only dense"},
    {"PositionsOfNodes",
     {"run", spmv, "-i", "A=A.mtx", "-i", "x=dense", "-f", "A:d,blist", "-s", "pos(j,jp,A)"},
     "pos: j is a blist level of A, whose positions are not those of its entries; split j itself"},
    {"UnrolledNodes",
     {"run", spmv, "-i", "A=A.mtx", "-i", "x=dense", "-f", "A:d,blist", "-s", "unroll(j,4)"},
     "the loop over j moves on by what it finds"},
    {"ThreadsOnNodesBelow",
     {"run", "B(i,j) = A(i,j)", "-i", "A=A.mtx", "-f", "B:d,blist", "-s", "parallelize(j,CPUThread,NoRaces)"},
     "B(i,j) is put together entry by entry in the order of the loops, so threads can share out only the outermost"},
    {"LanesOnNodes", {"run", "B(i,j) = A(i,j)", "-i", "A=A.mtx", "-f", "B:d,blist", "-s", "vectorize(j)"}, "vectorize"},
    {"DynamicWorkspace",
     {"run", "y(i) = A(i,j) * x(j)", "-i", "A=A.mtx", "-i", "x=dense", "-s",
      "precompute(A(i,j) * x(j),{j},{j},w,blist)"},
     "blist"},
    {"InsertIntoNodes",
     {"run", "B(i,j) = A(i,j)", "-i", "A=A.mtx", "-f", "B:d,blist", "-s", "assemble(B,Insert)"},
     "can be inserted into"},
    {"TypeOfUnknownTensor", {"run", spmv, "-t", "Q:float32"}, "it has y, A and x"},
    {"UnknownType", {"run", spmv, "-t", "A:float16"}, "is no element type; did you mean float32?"},
    {"InputOfATensorInTheWrongCase", {"run", spmv, "-i", "a=A.mtx"}, "is no tensor of the statement; did you mean A?"},
    {"InputOfNothingInTheWrongCase", {"run", spmv, "-i", "a="}, "is no tensor of the statement; did you mean A?"},
    {"SizeInTheWrongCase", {"run", spmv, "-d", "I=3"}, "did you mean i?"},
    {"MisspeltFile", {"run", spmv, "-i", "A=A.mxt", "-i", "x=dense"}, "there is no file A.mxt; did you mean A.mtx?"},
    {"MisspeltGenerator", {"run", spmv, "-i", "A=rmta:10x10,nnz=4"}, "did you mean rmat:10x10,nnz=4?"},
    {"SourceLikeNone", {"run", spmv, "-i", "A=thing"}, "('lacuna help generators' lists them)"},
    {"ScalarThatDoesNotFit",
     {"run", "y(i) = b * x(i)", "-i", "b=300", "-t", "b:int8", "-i", "x=dense", "-d", "i=3"},
     "the value '300' of 'b' does not fit int8"},
    {"ComplexScalarForARealOne",
     {"run", "y(i) = b * x(i)", "-i", "b=1-2i", "-t", "b:float64", "-i", "x=dense", "-d", "i=3"},
     "the value '1-2i' of 'b' has an imaginary part"},
    {"PlacedAlongALetterInTheWrongCase",
     {"run", spmv, "--machine", "Grid(2)", "--place", "A: xy -> X", "-i", "A=A.mtx", "-i", "x=dense"},
     "the tensor has no dimension X; did you mean x? For copies, write '*'"},
    {"TwoTypes", {"run", spmv, "-t", "A:float32", "-t", "A:float64"}, "two -t for 'A'"},
    {"InputOfUnknownTensor", {"run", spmv, "-i", "Q=A.mtx"}, "it has y, A and x"},
    {"InputWithoutName", {"run", spmv, "-i", "A.mtx"}, "-i A=matrix.mtx"},
    {"InputForTheResult", {"run", spmv, "-i", "y=dense"}, "+="},
    {"TwoInputs", {"run", spmv, "-i", "A=A.mtx", "-i", "A=dense"}, "two -i for 'A'"},
    {"NoInput", {"run", spmv, "-i", "A=A.mtx"}, "no entries for 'x'; give -i x=FILE"},
    {"NoOldResult", {"run", "y(i) += A(i,j) * x(j)", "-i", "A=A.mtx", "-i", "x=dense"}, "old 'y'"},
    {"InputIsNeitherFileNorGenerator", {"run", spmv, "-i", "A=nowhere.mtx"}, "nowhere.mtx"},
    {"OutputOfUnknownTensor", {"run", spmv, "-i", "A=A.mtx", "-i", "x=dense", "-o", "Q=q.tns"}, "it has y, A and x"},
    {"OutputWithoutName", {"run", spmv, "-o", "y.tns"}, "-o y=result.tns"},
    {"SizeOfUnknownVariable", {"run", spmv, "-d", "k=3"}, "it has i and j"},
    {"SizeIsNoNumber", {"run", spmv, "-d", "i=many"}, "whole number"},
    {"NegativeSize", {"run", spmv, "-d", "i=-3"}, "at least 0"},
    {"TwoSizes", {"run", spmv, "-d", "i=3,i=4"}, "two -d for 'i'"},
    {"SizeUnknown", {"run", spmv, "-i", "A=random:0.1", "-i", "x=dense"}, "give -d"},
    {"SizeAgainstFile", {"run", spmv, "-i", "A=A.mtx", "-i", "x=dense", "-d", "i=5"}, "i has size 2"},
    {"ScalarFromText", {"run", "y(i) = alpha * x(i)", "-i", "alpha=two", "-i", "x=dense", "-d", "i=3"}, "two"},
    {"DensityAboveOne", {"run", spmv, "-i", "A=random:1.5", "-d", "i=3,j=3"}, "between 0 and 1"},
    {"UnknownGeneratorSetting", {"run", spmv, "-i", "A=rmat:10x10,edges=5"}, "edges"},
    {"GeneratorOfAnotherOrder", {"run", spmv, "-i", "A=A.mtx", "-i", "x=rmat:3x3,nnz=2"}, "order 2"},
    {"Schedule", {"run", spmv, "-i", "A=A.mtx", "-i", "x=dense", "-s", "reorder(j,i)"}, "transpose(A, 1, 0)"},
    {"ExplainedScheduleIsRefused", {"explain", spmv, "-f", "A:csr", "-s", "reorder(j,i)"}, "transpose(A, 1, 0)"},
    {"UnknownDirective", {"run", spmv, "-s", "splt(i,io,ii,4)"}, "did you mean split?"},
    {"DirectiveCutShort", {"show", spmv, "-s", "unroll(i,4)", "-s", "split(i,io,ii"}, "  split(i,io,ii\n  ^^^^^^\n"},
    {"RaceHasThePlaceOfItsDirective",
     {"show", "s = x(i) * y(i)", "-s", "split(i,io,ii,4), parallelize(io,CPUThread)"},
     "  split(i,io,ii,4), parallelize(io,CPUThread)\n                    ^^^^^^^^^^^^^^^^^^^^^^^^^\n"},
    {"VectorizedLoopIsUnrolled",
     {"show", spmv, "-s", "unroll(i,4), vectorize(i)"},
     "error: vectorize: the loop over i"},
    {"PositionsOfWhatIsNotRead",
     {"show", "s = A(i,j) * A(j,i)", "-f", "A:csr", "-s", "pos(j,jp,A(i,i))"},
     "A(i,i) is not an operand that the loops read; they read A(i,j), A(j,i)"},
    {"SizeOfSplitIsZero", {"run", spmv, "-s", "split(i,io,ii,0)"}, "split(i,io,ii,n) is a whole number of at least 1"},

    // Dimensions that disagree.
    {"FileOfAnotherOrder", {"run", spmv, "-i", "A=B.tns", "-i", "x=dense"}, "order 3"},
    {"DimensionsDisagree", {"run", spmv, "-i", "A=A.mtx", "-i", "x=uniform:7,nnz=3"}, "j has size 3"},
    {"TnsLargerThanGiven", {"run", "s = B(i,j,k)", "-i", "B=B.tns", "-d", "k=3"}, "too small"},

    // Files.
    {"InfoOfMissingFile", {"info", "nowhere.mtx"}, "there is no file nowhere.mtx"},
    {"InfoOfMisspeltFile", {"info", "A.mxt"}, "there is no file A.mxt; did you mean A.mtx?"},
    {"InfoOfAFolder", {"info", "."}, ". is a folder, where a file is expected"},
    {"UpdatesFromNowhere",
     {"stream", spmv, "-i", "A=A.mtx", "-i", "x=dense", "-f", "A:dense,btree", "-u", "nowhere.txt"},
     "there is no file nowhere.txt"},
    {"InfoInUnknownLevel", {"info", "A.mtx", "-f", "d,btre"}, "did you mean btree?"},
    {"PictureOfNothing", {"info", "A.mtx", "--draw", "A.svg", "--most-boxes", "0"}, "--most-boxes"},
    {"LevelThatIsNotThere", {"levels", "btre"}, "did you mean btree?"},
    {"InfoOfUnknownKind", {"info", "notes.txt"}, "notes.txt"},
    {"PlacedOnNoMachine", {"info", "A.mtx", "--place", "xy -> x"}, "give both, or neither"},
    {"MachineIsNoGrid", {"info", "A.mtx", "--machine", "4", "--place", "xy -> x"}, "expected a grid"},
    {"PlacedOnTooFewDimensions", {"info", "A.mtx", "--machine", "Grid(2,2)", "--place", "xy -> x"}, "Grid(2,2) has 2"},
    {"PlacedWithTooManyNames", {"info", "A.mtx", "--machine", "Grid(2)", "--place", "B: xyz -> x"}, "the tensor has 2"},
    {"CountsAnInnerLevel", {"info", "A.mtx", "--machine", "Grid(2)", "--place", "xy -> ~y"}, "write ~(xy)"},
    {"ScalesNoMachine",
     {"simulate", "y(i) = A(i,j) * x(j)", "-i", "A=A.mtx", "--scaling", "strong"},
     "add --machine 'Grid(1,1)'"},
    {"GrowsAFile",
     {"simulate", "y(i) = A(i,j) * x(j)", "-i", "A=A.mtx", "-d", "j=3", "--machine", "Grid(1)", "--scaling", "weak"},
     "'A.mtx' says how large it is"},
    {"GrowsNothing",
     {"simulate", "y(i) = A(i,j) * x(j)", "-i", "A=random:0.1", "--machine", "Grid(1)", "--scaling", "weak"},
     "give them, as in -d"},
    {"ScalesSomehow", {"simulate", "y(i) = A(i,j) * x(j)", "--machine", "Grid(1)", "--scaling", "both"}, "--scaling"},
    {"PrintsTwoThings",
     {"simulate", "y(i) = A(i,j) * x(j)", "--machine", "Grid(1)", "--json", "-", "--draw", "-"},
     "--json - prints on standard output, and so does --draw -"},
    {"SimulatesNoMachine", {"simulate", "y(i) = A(i,j) * x(j)", "-i", "A=A.mtx"}, "add --machine 'Grid(4)'"},
    {"SimulatesNoEntries",
     {"simulate", "y(i) = A(i,j) * x(j)", "-f", "A:csr", "--machine", "Grid(2)"},
     "give it some, as in -i A=random:0.01"},
    {"NetworkWithoutUnit",
     {"simulate", "y(i) = A(i,j) * x(j)", "-i", "A=A.mtx", "--machine", "Grid(2)", "--network", "alpha=2"},
     "write a positive number and one of ns, us, ms, s"},
    {"NetworkOfSomethingElse",
     {"simulate", "y(i) = A(i,j) * x(j)", "-i", "A=A.mtx", "--machine", "Grid(2)", "--network", "gamma=2us"},
     "there is no 'gamma'"},
    {"ConvertToUnknownKind", {"convert", "A.mtx", "A.xyz"}, ".mtx"},
    {"ConvertToMatrixFileOfOrder3", {"convert", "B.tns", "B.mtx"}, ".tns can hold it"},
    {"GenerateUnknownKind", {"generate", "fractal", "10x10", "-o", "F.mtx"}, "rmat"},
    {"GenerateBadSize", {"generate", "rmat", "10by10", "--nnz", "5", "-o", "F.mtx"}, "1000x2000"},
    {"GenerateWithoutCount", {"generate", "uniform", "10x10", "-o", "F.mtx"}, "nnz"},
    {"GenerateMisspeltKind", {"generate", "unifrom", "10x10", "-o", "F.mtx"}, "did you mean uniform?"},
    {"GenerateCountInWords",
     {"generate", "uniform", "10x10", "--nnz", "many", "-o", "F.mtx"},
     "--nnz must be a whole number of at least 0, not 'many'"},
    {"GenerateMoreThanAll",
     {"generate", "uniform", "10x10", "--density", "2", "-o", "F.mtx"},
     "--density must be a number from 0 to 1, not '2'"},
    {"GenerateByTwoCounts",
     {"generate", "uniform", "10x10", "--density", "0.2", "--nnz", "4", "-o", "F.mtx"},
     "nnz and density both say how many entries the generator uniform makes; give one of them"},
    {"GenerateBandsOfAGraph",
     {"generate", "rmat", "10x10", "--nnz", "4", "--band", "2", "-o", "F.mtx"},
     "the generator rmat has no setting band; leave it out"},
    {"GenerateSomeOfABand", {"generate", "banded", "9x9", "--nnz", "4", "-o", "F.mtx"}, "banded has no setting nnz"},
    {"OperandOfASkewedGraph", {"run", spmv, "-i", "A=rmat:9x9,nnz=4,skew=2"}, "rmat has no setting skew"},
    {"GenerateFlat",
     {"generate", "skewed", "10x10", "--nnz", "3", "--skew", "0", "-o", "F.mtx"},
     "--skew must be a number above 0, not '0'"},
    {"GenerateTooMany", {"generate", "uniform", "10x10", "--nnz", "101", "-o", "F.mtx"}, "101"},
    {"GenerateWithoutOutput", {"generate", "uniform", "10x10", "--nnz", "5"}, "needs -o FILE: the file: .mtx"},
    {"GenerateWithoutSize", {"generate", "uniform"}, "'lacuna generate' needs SIZE: dimensions, as 1000x2000"},
    {"ConvertToNothing", {"convert", "A.mtx"}, "'lacuna convert' needs OUT: the file to write"},
    {"GenerateBadType", {"generate", "dense", "10x10", "-t", "real", "-o", "F.mtx"}, "real"},
    {"DemoOfAnotherOrder", {"demo", "order4.tns"}, "has order 4"},
};

INSTANTIATE_TEST_SUITE_P(Command, MistakeTest, ::testing::ValuesIn(mistakes),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace lacuna::test::mistakes_test
