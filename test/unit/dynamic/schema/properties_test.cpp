#include "lacuna/dynamic/schema/properties.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/dynamic/schema/level.h"
#include "unit/dynamic/schema/figures.h"

namespace lacuna::schema::properties_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

NodeSchema schema_of(const std::string& text) { return parse_level(text, "t.level").nodes; }

std::vector<std::string> names(const std::vector<const Field*>& fields) {
  std::vector<std::string> texts;
  for (const Field* field : fields) texts.push_back(field->name.text);
  return texts;
}

TEST(SchemaProperties, TheRootIsTheNodeThatNoOtherRefersTo) {
  EXPECT_EQ(root_of(schema_of(figures::bst)).name.text, "bst_root");
  EXPECT_EQ(root_of(schema_of(figures::btree)).name.text, "btree_root");
  EXPECT_EQ(root_of(schema_of(figures::ctree)).name.text, "prefix");
  EXPECT_EQ(root_of(schema_of(figures::block_list_gaps)).name.text, "blist");
}

TEST(SchemaProperties, OrderNeedsASeqOrASingleField) {
  for (const char* text : figures::all) {
    EXPECT_EQ(is_ordered(schema_of(text)), text != std::string(figures::block_list_unsorted)) << text;
  }
  EXPECT_TRUE(is_ordered(schema_of("def a { e : elem  N : int8  p : bool }")));
  EXPECT_FALSE(is_ordered(schema_of("def a { e : elem[2] }")));
  EXPECT_FALSE(is_ordered(schema_of("def a { e : elem[4] n : a seq = e, n }")));
  EXPECT_FALSE(is_ordered(schema_of("def root { r : a } def a { e : elem n : a }")));
}

TEST(SchemaProperties, AGapInTheOrderSaysWhatItIs) {
  EXPECT_EQ(find_order_gap(schema_of("def root { r : a }\ndef a { e : elem n : a }")),
            "a has no seq that says in which order its elements and children are");
  EXPECT_EQ(find_order_gap(schema_of("def a { e : elem[4] n : a seq = e, n }")),
            "the seq of a says where e stands, but not that its slots are in order: that is {e}");
}

TEST(SchemaProperties, FieldsAreVisitedInGroups) {
  const auto groups = [](const char* text, const char* node) {
    static NodeSchema schema;
    schema = schema_of(text);
    std::vector<std::vector<std::string>> all;
    for (const auto& group : field_groups(*find_node(schema, node))) all.push_back(names(group));
    return all;
  };
  EXPECT_THAT(groups(figures::btree, "btree_internal"), ElementsAre(ElementsAre("c", "e"), ElementsAre("cl")));
  EXPECT_THAT(groups(figures::ttree, "ttree"), ElementsAre(ElementsAre("l"), ElementsAre("e"), ElementsAre("r")));
  EXPECT_THAT(groups(figures::ttree, "ttree_root"), ElementsAre(ElementsAre("r")));
  EXPECT_THAT(groups(figures::block_list_unsorted, "blist"), ElementsAre(ElementsAre("e"), ElementsAre("n")));
}

TEST(SchemaProperties, ASingleFieldIsItsOwnSequence) {
  const NodeSchema schema = schema_of(figures::ttree);
  EXPECT_EQ(sequence_of(root_of(schema)), (std::vector<SequenceEntry>{{{{"r", {}}}, false}}));
  EXPECT_EQ(sequence_of(*find_node(schema, "ttree")), find_node(schema, "ttree")->sequence);
  EXPECT_THAT(sequence_of(schema_of("def a { e : elem[2] }").nodes[0]), IsEmpty());
}

TEST(SchemaProperties, FieldsHoldElementsOrChildren) {
  const NodeSchema schema = schema_of(figures::ctree);
  EXPECT_THAT(names(element_fields(*find_node(schema, "ctree"))), ElementsAre("h", "t"));
  EXPECT_THAT(names(child_fields(*find_node(schema, "ctree"))), ElementsAre("l", "r"));
  EXPECT_THAT(names(child_fields(*find_node(schema, "prefix"))), ElementsAre("r"));
}

Bounds elements_of(const char* text, const char* node) {
  const NodeSchema schema = schema_of(text);
  return elements_of(*find_node(schema, node));
}

TEST(SchemaProperties, ElementsOfANodeAreCounted) {
  EXPECT_EQ(elements_of(figures::bst, "bst_root"), (Bounds{0, 0}));
  EXPECT_EQ(elements_of(figures::bst, "bst"), (Bounds{1, 1}));
  EXPECT_EQ(elements_of(figures::ttree, "ttree"), (Bounds{1, 4}));
  EXPECT_EQ(elements_of(figures::block_list, "blist"), (Bounds{0, 3}));
  EXPECT_EQ(elements_of(figures::block_list_gaps, "blist"), (Bounds{0, 3}));
  EXPECT_EQ(elements_of(figures::ctree, "ctree"), (Bounds{1, std::nullopt}));
  EXPECT_EQ(elements_of("def root { r : a } def a { e : elem[B] nonempty B : size in [2, *] }", "a"),
            (Bounds{2, std::nullopt}));
}

TEST(SchemaProperties, SlotsWithoutNonemptyMayBeEmpty) {
  EXPECT_FALSE(has_empty_slots(schema_of(figures::block_list)));
  EXPECT_TRUE(has_empty_slots(schema_of(figures::block_list_gaps)));
  EXPECT_TRUE(has_empty_slots(schema_of(figures::block_list_marked)));
  EXPECT_FALSE(has_empty_slots(schema_of(figures::bst)));
}

TEST(SchemaProperties, RecursionThroughOneChildIsALoop) {
  EXPECT_EQ(recursion_of(schema_of(figures::linked_list)), Recursion::OneChild);
  EXPECT_EQ(recursion_of(schema_of(figures::block_list_gaps)), Recursion::OneChild);
  EXPECT_EQ(recursion_of(schema_of(figures::bst)), Recursion::SeveralChildren);
  EXPECT_EQ(recursion_of(schema_of("def a { e : elem }")), Recursion::None);

  const NodeSchema btree = schema_of(figures::btree);
  EXPECT_EQ(recursion_of(btree, *find_node(btree, "btree_internal")), Recursion::SeveralChildren);
  EXPECT_EQ(recursion_of(btree, *find_node(btree, "btree_leaf")), Recursion::None);
  EXPECT_EQ(recursion_of(btree, root_of(btree)), Recursion::None);
  EXPECT_THAT(names(recursive_fields(btree, *find_node(btree, "btree_internal"))), ElementsAre("c", "cl"));
}

TEST(SchemaProperties, OtherChildrenDoNotMakeAListATree) {
  const NodeSchema schema =
      schema_of("def root { h : a } def a { e : elem n : a t : b } def b { e : elem l : b r : b }");
  EXPECT_EQ(recursion_of(schema, *find_node(schema, "a")), Recursion::OneChild);
  EXPECT_EQ(recursion_of(schema), Recursion::SeveralChildren);
}

TEST(SchemaProperties, AnArrayOfChildrenIsSeveral) {
  EXPECT_EQ(recursion_of(schema_of("def root { h : a } def a { e : elem c : a[2] }")), Recursion::SeveralChildren);
}

TEST(SchemaProperties, RecursionMayGoThroughOtherNodes) {
  const NodeSchema schema = schema_of("def root { h : a } def a { e : elem n : b } def b { e : elem n : a }");
  EXPECT_EQ(recursion_of(schema, *find_node(schema, "a")), Recursion::OneChild);
  EXPECT_EQ(recursion_of(schema, *find_node(schema, "b")), Recursion::OneChild);
}

TEST(SchemaProperties, TheLargestSchemaTakesNoTime) {
  std::string text = "def supertype s def root { r : s }";
  for (int node = 0; node < 62; ++node) {
    text += fmt::format(" def n{} : s {{ e : elem", node);
    for (int child = 1; child < 64; ++child) text += fmt::format(" c{} : s", child);
    text += " }";
  }
  EXPECT_EQ(recursion_of(schema_of(text)), Recursion::SeveralChildren);
}

}  // namespace
}  // namespace lacuna::schema::properties_test
