#include "lacuna/dynamic/schema/layout.h"

#include <gtest/gtest.h>

#include "lacuna/dynamic/schema/level.h"
#include "unit/dynamic/schema/figures.h"

namespace lacuna::schema::layout_test {
namespace {

std::vector<Struct> layout_of(const char* text) { return layout_of(parse_level(text, "t.level").nodes); }

Member single(const char* name, MemberType type, const char* field) {
  return {name, std::move(type), field, Storage::Single, 1, ""};
}
Member in_node(const char* name, MemberType type, const char* field, std::int64_t capacity, const char* size = "") {
  return {name, std::move(type), field, Storage::InNode, capacity, size};
}
Member elsewhere(const char* name, MemberType type, const char* field, const char* size) {
  return {name, std::move(type), field, Storage::Elsewhere, 1, size};
}

// The structs are those of Figure 9, with the capacities of Figure 6 and the members in the order of the fields.

TEST(SchemaLayout, ATreeNodeHasACoordinateAValueAndReferences) {
  const std::vector<Struct> expected = {
      {"bst_root", "", {}, {single("r", NodeReference{"bst"}, "r")}},
      {"bst",
       "",
       {},
       {single("ec", CoordinateType(), "e"), single("ev", ValueType(), "e"), single("l", NodeReference{"bst"}, "l"),
        single("r", NodeReference{"bst"}, "r")}}};
  EXPECT_EQ(layout_of(figures::bst), expected);
}

TEST(SchemaLayout, BoundedArraysLieInTheNode) {
  const std::vector<Member> expected = {in_node("ec", CoordinateType(), "e", 3, "B"),
                                        in_node("ev", ValueType(), "e", 3, "B"),
                                        single("n", NodeReference{"blist"}, "n"), single("B", Type::Int32, "B")};
  EXPECT_EQ(layout_of(figures::block_list)[0].members, expected);
}

TEST(SchemaLayout, FixedArraysHaveNoSize) {
  const std::vector<Member> expected = {in_node("ec", CoordinateType(), "e", 3), in_node("ev", ValueType(), "e", 3),
                                        single("n", NodeReference{"blist"}, "n")};
  EXPECT_EQ(layout_of(figures::block_list_gaps)[0].members, expected);
}

TEST(SchemaLayout, UnboundedArraysLieElsewhere) {
  const std::vector<Member> expected = {elsewhere("ec", CoordinateType(), "e", "B"),
                                        elsewhere("ev", ValueType(), "e", "B"),
                                        single("n", NodeReference{"vblist"}, "n"), single("B", Type::Int32, "B")};
  EXPECT_EQ(layout_of(figures::variable_block_list)[0].members, expected);
  const auto open = layout_of("def root { r : a } def a { e : elem[B] B : size in [1, *] }");
  EXPECT_EQ(open[1].members[0], elsewhere("ec", CoordinateType(), "e", "B"));
}

TEST(SchemaLayout, NodesExtendTheStructOfTheirSupertype) {
  const std::vector<Struct> structs = layout_of(figures::btree);
  ASSERT_EQ(structs.size(), 4U);
  EXPECT_EQ(structs[0], (Struct{"btree", "", {"btree_internal", "btree_leaf"}, {single("tp", NodeTag(), "")}}));
  const Struct internal = {"btree_internal",
                           "btree",
                           {},
                           {in_node("ec", CoordinateType(), "e", 3, "B"), in_node("ev", ValueType(), "e", 3, "B"),
                            in_node("c", NodeReference{"btree"}, "c", 3, "B"),
                            single("cl", NodeReference{"btree"}, "cl"), single("B", Type::Int32, "B")}};
  EXPECT_EQ(structs[1], internal);
  EXPECT_EQ(structs[2].base, "btree");
  EXPECT_EQ(structs[3], (Struct{"btree_root", "", {}, {single("r", NodeReference{"btree"}, "r")}}));
}

TEST(SchemaLayout, ParentsAreOfTheNodesTypeOrItsSupertype) {
  const auto rbtree = layout_of(figures::rbtree);
  EXPECT_EQ(rbtree[0].members[4], single("p", NodeReference{"rbtree"}, "p"));
  EXPECT_EQ(rbtree[0].members[5], single("c", Type::Bool, "c"));
  const auto extended = layout_of("def supertype s def root { r : s } def a : s { e : elem n : s p : parent }");
  EXPECT_EQ(extended[2].members[3], single("p", NodeReference{"s"}, "p"));
}

TEST(SchemaLayout, MetadataKeepsItsType) {
  const auto structs = layout_of("def a { e : elem i : int16 u : uint64 }");
  EXPECT_EQ(structs[0].members[2], single("i", Type::Int16, "i"));
  EXPECT_EQ(structs[0].members[3], single("u", Type::UInt64, "u"));
}

}  // namespace
}  // namespace lacuna::schema::layout_test
