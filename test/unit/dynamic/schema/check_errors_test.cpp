#include "lacuna/dynamic/schema/check.h"
#include "unit/dynamic/schema/refused.h"

namespace lacuna::schema::check_errors_test {
namespace {

const std::string root = "def root { r : a }\n";

TEST(SchemaCheck, ANameMeansOneThing) {
  EXPECT_EQ(
      refused(root + "def a { e : elem }\ndef a { e : elem }", "3:5", "a is defined twice, the first time on line 2"),
      "a");
  EXPECT_EQ(refused("def supertype a\ndef a : a { e : elem }", "2:5", "a is defined twice, the first time on line 1"),
            "a");
  EXPECT_EQ(refused("const a = 1\n" + root + "def a { e : elem }", "3:5", "defined twice"), "a");
  EXPECT_EQ(refused("const a = 1\nconst a = 1\n" + root, "2:7", "defined twice"), "a");
  EXPECT_EQ(refused(root + "def a {\n e : elem\n e : bool }", "4:2", "a has a field e already on line 3"), "e");
  EXPECT_EQ(refused("const e = 1\ndef a { e : elem }", "2:9", "e is a constant on line 1"), "e");
}

TEST(SchemaCheck, SupertypesAreDefinedAndUsed) {
  EXPECT_EQ(refused("def a : b { e : elem }", "1:9", "there is no supertype b; write 'def supertype b'"), "b");
  EXPECT_EQ(refused("def supertype tree\ndef a : teee { e : elem }", "2:9", "did you mean tree?"), "teee");
  EXPECT_EQ(refused("def a : a { e : elem }", "1:9", "a cannot be its own supertype"), "a");
  EXPECT_EQ(
      refused("def a : b { e : elem }\ndef b : a { e : elem }", "1:9", "b is a node, and nodes extend supertypes"),
      "b");
  EXPECT_EQ(refused("def supertype s\ndef a { e : elem }", "1:15", "no node is of the supertype s"), "s");
}

TEST(SchemaCheck, ChildrenAreOfKnownTypes) {
  EXPECT_EQ(refused("def root { r : tre }\ndef tree { e : elem }", "1:16", "tre is no type"), "tre");
  EXPECT_EQ(refused("def root { r : tre }\ndef tree { e : elem }", "1:16", "did you mean tree?"), "tre");
  EXPECT_EQ(refused("def a { e : element }", "1:13", "the type of e is elem, size, parent"), "element");
  EXPECT_EQ(refused("def a { e : elme }", "1:13", "did you mean elem?"), "elme");
  EXPECT_EQ(refused("def a { e : elem c : boool }", "1:22", "did you mean bool?"), "boool");
  EXPECT_EQ(refused("const N = 1\ndef a { e : N }", "2:13", "N is a constant, not a type"), "N");
}

TEST(SchemaCheck, SizesOfArraysAreSizesOfTheSameNode) {
  EXPECT_EQ(refused("def a { e : elem[B] }", "1:18",
                    "a has neither a size nor a constant B in sight; add the field B : size"),
            "B");
  EXPECT_EQ(refused("def a { e : elem[CAPACITY] }\nconst CAPACITY = 3", "1:18", "did you mean CAPACITY?"), "CAPACITY");
  EXPECT_EQ(refused("def a { e : elem[BB] f : elem[B] B : size }", "1:18", "did you mean B?"), "BB");
  EXPECT_EQ(refused("def a { e : elem[B] B : int32 }", "1:18", "B is metadata (int32), and only a size counts"), "B");
  EXPECT_EQ(refused("def a { e : elem[e] }", "1:18", "e holds elements, and only a size counts"), "e");
  EXPECT_EQ(refused("def a { e : elem n : a m : a[n] }", "1:30", "n holds children"), "n");
  EXPECT_EQ(refused("def a { e : elem n : a p : parent m : a[p] }", "1:41", "p is a parent"), "p");
  EXPECT_EQ(refused(root + "def a { e : elem[B] b : b }\ndef b { e : elem[B] B : size }", "2:18",
                    "the size B is a field of b, but e needs one in its own node"),
            "B");
  EXPECT_EQ(refused("def a { e : elem B : size }", "1:18", "B is the size of no array"), "B");
}

TEST(SchemaCheck, DifferencesCountFromAnElementRightBeforeThem) {
  const std::string fields = root + "def a { f : elem nonempty g : elem[2] nonempty n : a\n B : size\n ";
  EXPECT_EQ(refused(fields + "e : elem[B] nonempty diff uint8\n seq = {e}, f, {g}, n }", "5:9", "nothing is before it"),
            "e");
  EXPECT_EQ(
      refused(fields + "e : elem[B] nonempty diff uint8\n seq = f, {g}, {e}, n }", "5:17",
              "g is no single element that is nonempty; add one, as in first : elem nonempty and seq = first, {e}"),
      "e");
  EXPECT_EQ(refused(fields + "e : elem[B] nonempty diff uint8\n seq = f, n, {e}, {g} }", "5:15", "n is no single"),
            "e");
  EXPECT_EQ(
      refused(fields + "e : elem[B] nonempty diff uint8\n seq = f, e, {g}, n }", "5:11", "in braces of their own"),
      "e");
  EXPECT_EQ(refused(fields + "e : elem[B] nonempty diff uint8 }", "4:23", "a has no seq"), "diff uint8");
  EXPECT_EQ(refused(fields + "e : elem[B] diff uint8\n seq = f, {e}, {g}, n }", "4:14", "a slot of e may be empty"),
            "diff uint8");
  EXPECT_EQ(refused(root + "def a { f : elem nonempty e : elem nonempty diff uint8 n : a seq = f, e, n }", "2:45",
                    "e is a single element"),
            "diff uint8");
  EXPECT_EQ(refused(fields + "e : elem[B] nonempty diff uint8 ed : bool\n seq = f, {e}, {g}, n }", "4:34",
                    "would both be stored as ed"),
            "ed");
}

TEST(SchemaCheck, CapacitiesMakeSense) {
  EXPECT_EQ(refused("def a { e : elem[0] }", "1:18", "e has 0 slots, so it never holds anything"), "0");
  EXPECT_EQ(refused("const N = 0\ndef a { e : elem[N] }", "2:18", "e has 0 slots"), "N");
  EXPECT_EQ(refused("def a { e : elem[1048577] }", "1:18", "1048576 are the most"), "1048577");
  EXPECT_EQ(refused("def a { e : elem[B] B : size in [3, 1] }", "1:37", "the range [3, 1] of B is empty"), "1");
  EXPECT_EQ(refused("const N = 2\ndef a { e : elem[B] B : size in [3, N] }", "2:37", "the range [3, 2] of B is empty"),
            "N");
  EXPECT_EQ(refused("def a { e : elem[B] nonempty B : size in [0, 0] }", "1:46", "B can only be 0"), "0");
  EXPECT_EQ(refused("def a { e : elem[B] B : size in [0, 1048577] }", "1:37", "With '*' as upper bound"), "1048577");
  EXPECT_EQ(refused("def a { e : elem[1048570] c : bool n : a[7] }", "1:36",
                    "with n, the arrays in a a have 1048577 slots; 1048576 are the most"),
            "n");
  EXPECT_NO_THROW(parse_level("def a { e : elem[1048570] n : a[6] f : elem[B] B : size }", "t.level"));
}

TEST(SchemaCheck, ANodeHasOneParentThatCanBe) {
  EXPECT_EQ(refused(root + "def a { e : elem n : a p : parent q : parent }", "2:35", "a has its parent in p already"),
            "q");
  EXPECT_EQ(refused(root + "def a { e : elem p : parent }", "2:18", "p would always be null"), "p");
  EXPECT_EQ(refused("def root { r : a p : parent }\ndef a { e : elem }", "1:18",
                    "the parent of root is a node of type root that refers to it"),
            "p");
  EXPECT_EQ(refused("def root { r : s }\ndef supertype s\ndef a : s { e : elem p : parent }", "3:22",
                    "is a node of type s that refers to it"),
            "p");
  EXPECT_NO_THROW(
      parse_level("def root { r : s }\ndef supertype s\ndef a : s { e : elem p : parent }\n"
                  "def b : s { e : elem c : s[2] }",
                  "t.level"));
}

TEST(SchemaCheck, MembersOfStructsHaveNamesOfTheirOwn) {
  EXPECT_EQ(refused("def a { e : elem ec : bool }", "1:18", "the fields e and ec would both be stored as ec"), "ec");
  EXPECT_EQ(refused("def a { ev : bool e : elem }", "1:19", "the fields ev and e would both be stored as ev"), "e");
  EXPECT_EQ(refused(root + "def supertype s\ndef a : s { e : elem tp : int8 }", "3:22", "tells the nodes of s apart"),
            "tp");
  EXPECT_NO_THROW(parse_level("def a { e : elem tp : int8 }", "t.level"));
}

TEST(SchemaCheck, SequencesNameEachOrderedFieldOnce) {
  EXPECT_EQ(refused("def a { e : elem n : a seq = e, m }", "1:33", "a has no field m; seq orders e, n"), "m");
  EXPECT_EQ(refused("def a { left : a e : elem seq = lfet, e }", "1:33", "did you mean left?"), "lfet");
  EXPECT_EQ(refused("def a { e : elem n : a seq = n }", "1:30", "the seq of a leaves out e"), "n");
  EXPECT_EQ(refused("def a { e : elem n : a seq = e, n, e }", "1:36", "e is in the seq twice"), "e");
  EXPECT_EQ(refused("def a { e : elem c : bool seq = e, c }", "1:36", "c holds neither elements nor children"), "c");
  EXPECT_EQ(refused("def a { e : elem[B] B : size seq = {e, B} }", "1:40", "B holds neither"), "B");
}

TEST(SchemaCheck, ArraysThatTakeTurnsHaveTheSameSize) {
  EXPECT_EQ(refused("def a { e : elem[4] c : a[5] seq = {c, e} }", "1:40", "c and e alternate"), "e");
  EXPECT_EQ(refused("def a { e : elem[B] c : a[4] B : size in [0, 4] seq = {c, e} }", "1:59", "different sizes"), "e");
  EXPECT_EQ(refused("def a { e : elem[B] c : a[N] B : size N : size seq = {c, e} }", "1:58", "different sizes"), "e");
  EXPECT_EQ(refused("def a { e : elem[4] c : a seq = {e, c} }", "1:37", "put c outside the braces"), "c");
  EXPECT_NO_THROW(parse_level("def a { e : elem l : a seq = {l, e} }", "t.level"));
}

TEST(SchemaCheck, NodesLeadToElements) {
  EXPECT_EQ(refused("def root { r : a }\ndef a { c : bool }", "2:5", "a holds no elements and refers to no children"),
            "a");
  EXPECT_EQ(refused("def a { n : a }", "1:5", "a leads to no elements"), "a");
  EXPECT_EQ(refused("def root { e : elem r : a }\ndef a { n : a }", "2:5", "a leads to no elements"), "a");
}

TEST(SchemaCheck, NonemptyChildrenComeToAnEnd) {
  EXPECT_EQ(refused(root + "def a { e : elem n : a nonempty seq = e, n }", "2:18",
                    "n is nonempty, so each a needs another a without end"),
            "n");
  EXPECT_EQ(refused(root + "def a { e : elem c : a[B] nonempty B : size in [1, 4] }", "2:18", "or let the size be 0"),
            "c");
  EXPECT_EQ(refused(root + "def supertype s\ndef a : s { e : elem c : s nonempty }", "3:22", "without end"), "c");
  EXPECT_NO_THROW(parse_level(root + "def a { e : elem c : a[B] nonempty B : size in [0, 4] }", "t.level"));
  EXPECT_NO_THROW(parse_level(root + "def a { e : elem c : b nonempty } def b { e : elem n : a }", "t.level"));
}

TEST(SchemaCheck, OneNodeStandsForTheWholeLevel) {
  EXPECT_EQ(refused("def a { e : elem }\ndef b { e : elem }", "2:5", "no other node refers to a or to b, but"), "b");
  EXPECT_EQ(refused("def a { e : elem }\ndef b { e : elem }\ndef c { e : elem }", "2:5", "(nor to 1 more)"), "b");
  EXPECT_EQ(
      refused("def a { e : elem n : b }\ndef b { e : elem n : a }", "1:5", "every node is referred to by another"),
      "a");
  EXPECT_EQ(refused("def x { e : elem }\ndef a { e : elem n : b }\ndef b { e : elem n : a }", "2:5",
                    "a cannot be reached from x"),
            "a");
}

TEST(SchemaCheck, ALevelMayBeEmpty) {
  EXPECT_EQ(refused("def a { e : elem nonempty n : a }", "1:9", "e is nonempty, but a stands for the whole level"),
            "e");
  EXPECT_EQ(refused("def a { e : elem[B] nonempty B : size in [1, 4] }", "1:9", "let the size be 0"), "e");
  EXPECT_EQ(refused("def root { r : a nonempty }\ndef a { e : elem nonempty }", "1:12", "r is nonempty"), "r");
  EXPECT_NO_THROW(parse_level("def root { r : a nonempty }\ndef a { e : elem[B] nonempty B : size }", "t.level"));
  EXPECT_NO_THROW(parse_level("def a { e : elem[B] nonempty B : size in [0, 4] }", "t.level"));
}

TEST(SchemaCheck, FunctionsAreDefinedOnceAndWithWhatTheyNeed) {
  const std::string a = "def a { e : elem }\n";
  EXPECT_EQ(refused(a + "fn f() {}\nfn f(x) {}", "3:4", "the function f is defined twice, the first time on line 2"),
            "f");
  EXPECT_EQ(refused(a + "fn a() {}", "2:4", "a is defined in the schema already"), "a");
  EXPECT_EQ(refused(a + "fn append_first(elem, st, ret) {}", "2:4", "append_first needs append_rest"), "append_first");
  EXPECT_EQ(refused(a + "fn append_rest(elem, st) {}", "2:4", "append_rest needs append_first"), "append_rest");
  EXPECT_NO_THROW(parse_level(a + "fn append_rest(e, s) {} fn append_first(e, s, r) {} fn helper() {}", "t.level"));
}

TEST(SchemaCheck, ASchemaThatAProgramMadeIsRefusedWithoutAPlace) {
  NodeSchema schema;
  schema.nodes.push_back({{"a", {}}, std::nullopt, {{{"e", {}}, ElementField{Name{"B", {}}, true}}}, {}});
  try {
    check_schema(schema);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith("a has neither a size nor a constant B"));
    EXPECT_FALSE(error.where().known());
  }
  EXPECT_THROW(check_schema(NodeSchema()), Error);
}

}  // namespace
}  // namespace lacuna::schema::check_errors_test
