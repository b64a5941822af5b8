#include "unit/dynamic/schema/refused.h"

#include <fmt/core.h>

namespace lacuna::schema::parse_errors_test {
namespace {

/// A field in a level that is right but for it.
std::string field(const std::string& text) { return "def a {\n  " + text + "\n}"; }

TEST(LevelParseErrors, StrangeCharactersAreNamed) {
  EXPECT_EQ(refused("def a { e : elem; }", "1:17", "nothing in a schema ends with ';'"), ";");
  EXPECT_EQ(refused("# a\n", "1:1", "comments begin with //"), "#");
  EXPECT_EQ(refused("def a-b { }", "1:6", "'_' joins words"), "-");
  EXPECT_EQ(refused("def a { e.x : elem }", "1:10", "names have no '.'"), ".");
  EXPECT_EQ(refused("def a { n : &a }", "1:13", "a child is always a reference"), "&");
  EXPECT_EQ(refused("\n  @", "2:3", "'@' means nothing in a schema"), "@");
  EXPECT_EQ(refused("def \xC3\xA9 { }", "1:5", "byte 0xC3"), "\xC3");
  EXPECT_EQ(refused(std::string("def\0a", 5), "1:4", "control character 0x00"), std::string(1, '\0'));
  EXPECT_EQ(refused("// fine\n// \x1B", "2:4", "control character 0x1B"), "\x1B");
  EXPECT_EQ(refused("def a { e : elem /* x }\n}", "1:18", "the comment that begins here is not closed"), "/*");
}

TEST(LevelParseErrors, NumbersAreWholeAndFit) {
  EXPECT_EQ(refused(field("e : elem[3x]"), "2:12", "'3x' is neither a number nor a name"), "3x");
  EXPECT_EQ(refused(field("e : elem[1.5]"), "2:12", "numbers are whole"), "1.5");
  EXPECT_EQ(refused(field("e : elem[0x10]"), "2:12", "decimal"), "0x10");
  EXPECT_EQ(refused(field("e : elem[-1]"), "2:12", "sizes are not negative"), "-");
  EXPECT_EQ(refused("const N = 2147483648\n", "1:11", "at most 2147483647"), "2147483648");
  EXPECT_EQ(refused("const N = 99999999999999999999999\n", "1:11", "too large"), "99999999999999999999999");
  EXPECT_EQ(refused("const N = seven\n", "1:11", "there is no constant seven; write a number"), "seven");
  EXPECT_EQ(refused("const N = ,\n", "1:11", "expected a number, not ','"), ",");
  EXPECT_EQ(refused("const N 4\n", "1:9", "expected '=' after the name of a constant, not '4'"), "4");
}

TEST(LevelParseErrors, ATextIsAListOfDefinitions) {
  refused("", "1:1", "the text defines no node");
  refused("// nothing\n", "2:1", "the text defines no node");
  refused("const N = 1", "1:12", "the text defines no node");
  EXPECT_EQ(refused("dfe a { e : elem }", "1:1", "expected const, def, state or fn, not 'dfe'; did you mean def?"),
            "dfe");
  EXPECT_EQ(refused("struct a { e : elem }", "1:1", "not 'struct'"), "struct");
  EXPECT_EQ(refused("def a { e : elem } }", "1:20", "this '}' closes nothing"), "}");
  EXPECT_EQ(refused("def elem { e : elem }", "1:5", "'elem' is a word of the language and cannot name a node"), "elem");
  EXPECT_EQ(refused("def int32 { e : elem }", "1:5", "such as int32_"), "int32");
  for (const std::string word : {"int", "coord", "value", "place", "elements", "null", "nothing", "true", "let", "is",
                                 "new", "for", "void", "min", "found", "hash"}) {
    EXPECT_EQ(refused("def " + word + " { e : elem }", "1:5",
                      "'" + word + "' is a word of the language and cannot name a node; take another, such as " + word),
              word);
    EXPECT_EQ(refused("def supertype " + word, "1:15", "cannot name a supertype"), word);
    EXPECT_EQ(refused("const " + word + " = 1", "1:7", "cannot name a constant"), word);
    EXPECT_EQ(refused("def a { e : elem }\nfn " + word + "() {}", "2:4", "cannot name a function"), word);
    EXPECT_NO_THROW(parse_level("def a { " + word + " : elem }", "t.level")) << "n." << word << " means one thing";
  }
  EXPECT_EQ(refused("def 3 { e : elem }", "1:5", "expected the name of a node, not '3'"), "3");
  EXPECT_EQ(refused("def a e : elem }", "1:7", "expected '{' before the fields of a node, not 'e'"), "e");
  EXPECT_EQ(refused("def a { }", "1:9", "a has no fields"), "}");
  refused("def", "1:4", "expected the name of a node, not the end of the file");
  const std::string longest(64, 'a');
  EXPECT_NO_THROW(parse_level("def " + longest + " { e : elem }", "t.level"));
  EXPECT_EQ(refused("def " + longest + "a { e : elem }", "1:5", "a name of 65 characters; 64"), longest + "a");
}

TEST(LevelParseErrors, SupertypesHaveNeitherFieldsNorSupertypes) {
  EXPECT_EQ(refused("def supertype a { }", "1:17", "a supertype has no fields"), "{");
  EXPECT_EQ(refused("def supertype a : b", "1:17", "no supertype of its own"), ":");
  EXPECT_EQ(refused("def supertype size", "1:15", "cannot name a supertype"), "size");
}

TEST(LevelParseErrors, BracesOfNodesAreClosed) {
  EXPECT_EQ(refused("def a {\n  e : elem\n\ndef b { r : a }", "1:7", "the '}' of a is missing"), "{");
  EXPECT_EQ(refused("def a { e : elem", "1:7", "the '}' of a is missing"), "{");
  EXPECT_EQ(refused("def a { e : elem\nfn f() {}", "1:7", "the '}' of a is missing"), "{");
}

TEST(LevelParseErrors, FieldsHaveANameAndAType) {
  EXPECT_EQ(refused(field("e elem"), "2:5", "expected ':' after the name of the field e, not 'elem'"), "elem");
  EXPECT_EQ(refused(field("e = elem"), "2:5", "expected ':' after the name of a field, not '='"), "=");
  EXPECT_EQ(refused(field("e : elem, n : a"), "2:11", "nothing stands between fields"), ",");
  EXPECT_EQ(refused(field("e : "), "3:1", "expected the name of a type, not '}'"), "}");
  EXPECT_EQ(refused(field("elem : elem"), "2:3", "cannot name a field"), "elem");
  EXPECT_EQ(refused(field("e : elem nonemtpy"), "2:12", "did you mean nonempty?"), "nonemtpy");
  EXPECT_EQ(refused(field("e : elem[B] B : size im [1, 2]"), "2:24", "did you mean in?"), "im");
  EXPECT_EQ(refused(field("e : elem sq = e"), "2:15", "did you mean seq?"), "=");
  EXPECT_EQ(refused(field("n : *a"), "2:7", "a child is always a reference; leave out the '*'"), "*");
  EXPECT_EQ(refused(field("n : a*"), "2:8", "a child is always a reference; leave out the '*'"), "*");
}

TEST(LevelParseErrors, TypesOfOtherLanguagesAreTranslated) {
  EXPECT_EQ(refused(field("c : int"), "2:7", "int is not a type of fields; write int32"), "int");
  EXPECT_EQ(refused(field("c : uint16_t"), "2:7", "write uint16"), "uint16_t");
  EXPECT_EQ(refused(field("c : double"), "2:7", "metadata is bool or an integer"), "double");
}

TEST(LevelParseErrors, ArraysHaveASize) {
  EXPECT_EQ(refused(field("e : elem[] nonempty"), "2:12", "an array needs a size: elem[4]"), "]");
  EXPECT_EQ(refused(field("e : elem n : a[]"), "2:18", "a[B] with a field 'B : size'"), "]");
  EXPECT_EQ(refused(field("e : elem[*]"), "2:12", "'*' is no size"), "*");
  EXPECT_EQ(refused(field("e : elem[4"), "3:1", "expected ']' after the size of an array"), "}");
  EXPECT_EQ(refused(field("e : elem[4, 5]"), "2:13", "expected ']'"), ",");
  EXPECT_EQ(refused(field("e : elem[4][4]"), "2:14", "an array has one size"), "[");
  EXPECT_EQ(refused(field("e : elem nonempty[4]"), "2:20", "comes before 'nonempty'"), "[");
  EXPECT_EQ(refused(field("e : elem[size]"), "2:12", "'size' is a word of the language"), "size");
}

TEST(LevelParseErrors, SuffixesGoWhereTheyMeanSomething) {
  EXPECT_EQ(refused(field("e : elem[4] diff uint8 nonempty"), "2:26", "'nonempty' comes before 'diff'"), "nonempty");
  EXPECT_EQ(refused(field("e : elem[4] nonempty diff int8"), "2:29", "uint8, uint16 or uint32"), "int8");
  EXPECT_EQ(refused(field("e : elem[4] nonempty diff"), "3:1", "uint8, uint16 or uint32"), "}");
  EXPECT_EQ(refused(field("n : a[4] nonempty diff uint8"), "2:21", "'diff' is said of arrays of elements"), "diff");
  EXPECT_EQ(refused(field("B : size diff uint8"), "2:12", "leave it out after a size"), "diff");
  EXPECT_EQ(refused(field("e : elem nonempty nonempty"), "2:21", "said twice"), "nonempty");
  EXPECT_EQ(refused(field("B : size nonempty"), "2:12", "said of elements and children"), "nonempty");
  EXPECT_EQ(refused(field("c : bool nonempty"), "2:12", "leave it out after metadata"), "nonempty");
  EXPECT_EQ(refused(field("p : parent nonempty"), "2:14", "leave it out after a parent"), "nonempty");
  EXPECT_EQ(refused(field("B : size[3]"), "2:11", "a size is no array"), "[");
  EXPECT_EQ(refused(field("c : int8[3]"), "2:11", "metadata is no array"), "[");
  EXPECT_EQ(refused(field("p : parent[3]"), "2:13", "a parent is no array"), "[");
  EXPECT_EQ(refused(field("e : elem[B] in [1, 4]"), "2:15", "write it at the size field"), "in");
}

TEST(LevelParseErrors, RangesHaveTwoBounds) {
  EXPECT_EQ(refused(field("B : size in 4"), "2:15", "a range such as [1, 4], not '4'"), "4");
  EXPECT_EQ(refused(field("B : size in [4]"), "2:17", "expected ',' between the bounds"), "]");
  EXPECT_EQ(refused(field("B : size in [*, 4]"), "2:16", "expected a number, not '*'"), "*");
  EXPECT_EQ(refused(field("B : size in [1, 4)"), "2:20", "which includes both"), ")");
  EXPECT_EQ(refused(field("B : size in [1, MAX]"), "2:19", "there is no constant MAX; write a number, or define it"),
            "MAX");
  EXPECT_EQ(refused("const MAXIMUM = 4\n" + field("B : size in [1, MAXIMUN]"), "3:19", "did you mean MAXIMUM?"),
            "MAXIMUN");
  EXPECT_EQ(refused(field("B : size in [1, MAX]") + "\nconst MAX = 4", "2:19", "define it further up"), "MAX");
}

TEST(LevelParseErrors, SequencesAreListsOfFields) {
  EXPECT_EQ(refused(field("e : elem seq : e"), "2:16", "expected '=' after 'seq'"), ":");
  EXPECT_EQ(refused(field("e : elem seq = "), "3:1", "expected the name of a field, not '}'"), "}");
  EXPECT_EQ(refused(field("e : elem seq = e,"), "3:1", "expected the name of a field, not '}'"), "}");
  EXPECT_EQ(refused(field("e : elem seq = {}"), "2:19", "empty braces"), "}");
  EXPECT_EQ(refused(field("e : elem seq = {{e}}"), "2:19", "braces inside braces"), "{");
  EXPECT_EQ(refused("def a { e : elem seq = {e", "1:26", "expected '}' after the fields in braces, not the end"), "");
  EXPECT_EQ(refused(field("e : elem seq = e seq = e"), "2:20", "a has a seq already"), "seq");
  EXPECT_EQ(refused(field("seq = e e : elem"), "2:3", "behind its fields"), "seq");
  EXPECT_EQ(refused(field("e : elem seq = e n : a"), "2:20", "seq comes last in a node"), "n");
}

TEST(LevelParseErrors, BracketsOfFunctionsMatch) {
  const std::string node = "def a { e : elem }\n";
  EXPECT_EQ(refused(node + "fn f { }", "2:6", "expected '(' after the name of a function, not '{'"), "{");
  EXPECT_EQ(refused(node + "fn f()", "2:7", "expected '{' before the body of a function, not the end"), "");
  EXPECT_EQ(refused(node + "fn f() {", "2:8", "this '{' is not closed; its '}' is missing"), "{");
  EXPECT_EQ(refused(node + "fn f() { if (x { }", "2:13", "this '(' is not closed"), "(");
  EXPECT_EQ(refused(node + "fn f() {\n  a[1)\n}", "3:6", "')' does not close the '[' of line 3"), ")");
  EXPECT_EQ(refused(node + "fn f() { x = \"a\n\"; }", "2:14", "the string that begins here is not closed"), "\"");
  EXPECT_EQ(refused(node + "fn f() { x = '\\'; }", "2:14", "the character that begins here is not closed"), "'");
  EXPECT_EQ(refused(node + "fn f() { /* }", "2:10", "the comment that begins here"), "/*");
  EXPECT_EQ(refused(node + "fn seq() { }", "2:4", "cannot name a function"), "seq");
  EXPECT_EQ(refused(node + "state ( )", "2:7", "expected '{' after 'state', not '('"), "(");
  EXPECT_EQ(refused(node + "state { }\nstate { }", "3:1", "a level has one state"), "state");
}

TEST(LevelParseErrors, DeepNestingIsRefusedAndDoesNotOverflow) {
  const std::string node = "def a { e : elem }\nfn f() ";
  for (const std::size_t n : {std::size_t{201}, std::size_t{500000}}) {
    refused(node + std::string(n, '{'), "2:208", "more than 200 brackets inside each other");
    refused(node + "{" + std::string(n, '('), "2:208", "more than 200 brackets inside each other");
  }
  EXPECT_NO_THROW(parse_level(node + std::string(200, '{') + std::string(200, '}'), "t.level"));
}

TEST(LevelParseErrors, HugeSchemasAreRefused) {
  std::string fields = "def a {\n";
  for (int k = 0; k < 65; ++k) fields += fmt::format("e{} : elem\n", k);
  refused(fields + "}", "66:1", "more than 64 fields in a node");
  std::string nodes;
  for (int k = 0; k < 65; ++k) nodes += fmt::format("def a{} {{ e : elem }}\n", k);
  refused(nodes, "66:1", "more than 64 definitions");
}

TEST(LevelParseErrors, CaretsStandUnderTheMistake) {
  try {
    parse_level("def a {\n  e : elem nonemtpy\n}", "levels/a.level");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(describe_with_caret(error),
              "levels/a.level:2:12: expected a field such as 'nonemtpy : elem'; did you mean nonempty?\n"
              "    e : elem nonemtpy\n"
              "             ^^^^^^^^");
  }
}

}  // namespace
}  // namespace lacuna::schema::parse_errors_test
