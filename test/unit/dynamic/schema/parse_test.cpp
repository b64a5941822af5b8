#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/dynamic/schema/level.h"
#include "lacuna/dynamic/schema/source.h"
#include "unit/dynamic/schema/figures.h"

namespace lacuna::schema::parse_test {
namespace {

NodeSchema schema_of(const std::string& text) { return parse_level(text, "t.level").nodes; }

Name name(const char* text) { return {text, {}}; }
Number number(std::int64_t value, const char* constant = "") { return {value, constant, {}}; }

TEST(ParseLevel, ReadsEveryKindOfField) {
  const NodeSchema schema = schema_of(R"(
    const FOUR = 4
    const SIZE = FOUR
    def supertype any
    def root { r : any }
    def inner : any {
      one : elem nonempty  a : elem[3] nonempty  b : elem[B]  d : elem[SIZE] nonempty
      s : elem[B] nonempty diff uint16
      x : leaf nonempty  y : any[B] nonempty  z : any[FOUR]
      B : size in [0, SIZE]  N : size  M : size in [2, *]  n : elem[N] m : elem[M]
      p : parent  c : bool  i : int8  u : uint64
      seq = one, {s}, {a}, x, {b, y}, {d, z}, n, m
    }
    def leaf : any { e : elem }
  )");
  EXPECT_EQ(schema.constants, (std::vector<Constant>{{name("FOUR"), number(4)}, {name("SIZE"), number(4, "FOUR")}}));
  EXPECT_EQ(schema.supertypes, std::vector<Name>{name("any")});
  ASSERT_EQ(schema.nodes.size(), 3U);
  const NodeType& inner = schema.nodes[1];
  EXPECT_EQ(inner.supertype, name("any"));
  const std::vector<Field> expected = {
      {name("one"), ElementField{std::nullopt, true}},
      {name("a"), ElementField{number(3), true}},
      {name("b"), ElementField{name("B"), false}},
      {name("d"), ElementField{number(4, "SIZE"), true}},
      {name("s"), ElementField{name("B"), true, Differences{Type::UInt16, {}}}},
      {name("x"), ChildField{name("leaf"), std::nullopt, true}},
      {name("y"), ChildField{name("any"), name("B"), true}},
      {name("z"), ChildField{name("any"), number(4, "FOUR"), false}},
      {name("B"), SizeField{SizeRange{number(0), number(4, "SIZE")}}},
      {name("N"), SizeField{}},
      {name("M"), SizeField{SizeRange{number(2), std::nullopt}}},
      {name("n"), ElementField{name("N"), false}},
      {name("m"), ElementField{name("M"), false}},
      {name("p"), ParentField{}},
      {name("c"), MetadataField{Type::Bool}},
      {name("i"), MetadataField{Type::Int8}},
      {name("u"), MetadataField{Type::UInt64}},
  };
  EXPECT_EQ(inner.fields, expected);
  const std::vector<SequenceEntry> sequence = {
      {{name("one")}, false},
      {{name("s")}, true},
      {{name("a")}, true},
      {{name("x")}, false},
      {{name("b"), name("y")}, true},
      {{name("d"), name("z")}, true},
      {{name("n")}, false},
      {{name("m")}, false},
  };
  EXPECT_EQ(inner.sequence, sequence);
}

TEST(ParseLevel, ReadsTheFiguresOfThePaper) {
  for (const char* text : figures::all) EXPECT_NO_THROW(schema_of(text)) << text;
}

TEST(ParseLevel, SpacesLinesAndCommentsMakeNoDifference) {
  EXPECT_EQ(
      schema_of("def a{e:elem[B]nonempty B:size in[0,3]n:a seq={e},n}"),
      schema_of("// \xC3\xA9\n def a {\r\n e : elem [ B ] /* { */ nonempty\n\n B : size in [ 0 , 3 ] // }\n n : a\t"
                "seq = { e } , n }\n//"));
}

TEST(ParseLevel, PlacesPointToWhereNamesStand) {
  const std::string text = "def root {\n  r : leaf\n}\ndef leaf { e : elem }";
  const NodeSchema schema = schema_of(text);
  const SourceRange where = schema.nodes[1].name.where.range;
  EXPECT_EQ(text.substr(where.begin, where.end - where.begin), "leaf");
  EXPECT_EQ(position_of(text, where.begin).line, 4U);
  EXPECT_EQ(position_of(text, where.begin).column, 5U);
}

TEST(ParseLevel, FunctionsAndStateAreKeptAsTheyStand) {
  const std::string text =
      "def a { e : elem }\n"
      "state { node : a }\n"
      "fn build(elems, sz, ret) { if (sz > 0) { x[\"}\"] = '}'; } // }\n /* } */ }\n"
      "fn find(c) {}\n";
  const LevelDefinition level = parse_level(text, "t.level");
  EXPECT_EQ(level.state->text, " node : a ");
  ASSERT_EQ(level.functions.size(), 2U);
  EXPECT_EQ(find_function(level, "find"), &level.functions[1]);
  EXPECT_EQ(find_function(level, "erase"), nullptr);
  const Function& build = *find_function(level, "build");
  EXPECT_EQ(build.parameters.text, "elems, sz, ret");
  EXPECT_EQ(build.body.text, " if (sz > 0) { x[\"}\"] = '}'; } // }\n /* } */ ");
  const SourceRange body = build.body.where.range;
  EXPECT_EQ(text.substr(body.begin, body.end - body.begin), build.body.text);
  EXPECT_EQ(find_function(level, "find")->body.text, "");
}

TEST(ParseLevel, FunctionsMayStandBetweenNodes) {
  const LevelDefinition level = parse_level("fn f() { a; }\ndef a { e : elem }\nfn g() {}\ndef b { r : a }", "t.level");
  EXPECT_EQ(level.functions.size(), 2U);
  EXPECT_EQ(level.nodes.nodes.size(), 2U);
}

TEST(PrintLevel, LooksAsOneWouldWriteIt) {
  const LevelDefinition level = parse_level(
      "const N = 4 def supertype t def l : t { e : elem[B] nonempty B : size in [0,N] p : bool seq={e} }\n"
      "def root { c : t[2] nonempty x : elem seq = {c}, x } state {s : l} fn f(a) {b;}",
      "t.level");
  EXPECT_EQ(to_string(level), R"(const N = 4

def supertype t

def l : t {
  e : elem[B] nonempty
  B : size in [0, N]
  p : bool
  seq = {e}
}

def root {
  c : t[2] nonempty
  x : elem
  seq = {c}, x
}

state {s : l}

fn f(a) {b;}
)");
}

TEST(PrintLevel, ReadsBackEqual) {
  for (const char* text : figures::all) {
    const LevelDefinition level = parse_level(text, "t.level");
    EXPECT_EQ(parse_level(to_string(level), "again"), level) << text;
    EXPECT_EQ(schema_of(to_string(level.nodes)), level.nodes) << text;
  }
}

}  // namespace
}  // namespace lacuna::schema::parse_test
