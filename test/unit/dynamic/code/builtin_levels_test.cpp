#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/schema/layout.h"
#include "lacuna/dynamic/schema/properties.h"
#include "unit/dynamic/schema/figures.h"

namespace lacuna::schema::builtin_levels_test {
namespace {

const std::vector<LevelFile>& levels() {
  static const std::vector<LevelFile> all = load_levels(LACUNA_LEVELS_FOLDER);
  return all;
}

const NodeSchema& level(const std::string& name) {
  for (const LevelFile& each : levels()) {
    if (each.name == name) return each.definition.nodes;
  }
  throw InternalError("internal error: there is no level " + name);
}

TEST(BuiltInLevels, AreAllThere) {
  std::vector<std::string> names;
  for (const LevelFile& each : levels()) names.push_back(each.name);
  EXPECT_THAT(names, ::testing::ElementsAre("blist", "blist_gaps", "blist_marked", "blist_unsorted", "bst", "btree",
                                            "ctree", "ctree_diff", "llist", "rbtree", "ttree", "vblist"));
}

TEST(BuiltInLevels, PrintAndReadBackEqual) {
  for (const LevelFile& each : levels()) {
    EXPECT_EQ(parse_level(to_string(each.definition), "again"), each.definition) << each.name;
  }
}

/// The T-tree of the paper does not say how it is balanced; ours keeps heights.
bool is_height(const Field& field) {
  const auto* metadata = std::get_if<MetadataField>(&field.type);
  return metadata != nullptr && metadata->type == Type::UInt8;
}

/// A schema without what the paper's figures cannot agree with: capacities, heights, and names of nodes.
std::vector<std::string> shape_of(const NodeSchema& schema, const std::string& node_name) {
  NodeSchema shape;
  shape.nodes.push_back(*find_node(schema, node_name));
  for (Field& field : shape.nodes[0].fields) {
    if (auto* child = std::get_if<ChildField>(&field.type)) child->type.text = "node";
    if (auto* element = std::get_if<ElementField>(&field.type)) {
      if (element->array && std::holds_alternative<Number>(*element->array)) element->array = Number{1, {}, {}};
    }
    auto* const size = std::get_if<SizeField>(&field.type);
    if (size != nullptr && size->range && size->range->most) size->range->most = Number{1, {}, {}};
  }
  for (SequenceEntry& entry : shape.nodes[0].sequence) {
    const Field* const only = find_field(shape.nodes[0], entry.fields.front().text);
    if (entry.fields.size() == 1 && !array_of(*only)) entry.braces = false;
  }
  shape.nodes[0].name.text = "node";
  std::erase_if(shape.nodes[0].fields, is_height);
  return {to_string(shape)};
}

TEST(BuiltInLevels, AreThoseOfThePaper) {
  const std::vector<std::vector<std::string>> pairs = {
      {figures::linked_list, "list", "llist", "llist"},
      {figures::block_list, "blist", "blist", "blist"},
      {figures::block_list_gaps, "blist", "blist_gaps", "blist_gaps"},
      {figures::block_list_marked, "blist", "blist_marked", "blist_marked"},
      {figures::block_list_unsorted, "blist", "blist_unsorted", "blist_unsorted"},
      {figures::variable_block_list, "vblist", "vblist", "vblist"},
      {figures::bst, "bst", "bst", "bst"},
      {figures::rbtree, "rbtree", "rbtree", "rbtree"},
      {figures::ttree, "ttree", "ttree", "ttree"},
      {figures::btree, "btree_internal", "btree", "btree_internal"},
      {figures::btree, "btree_leaf", "btree", "btree_leaf"},
      {figures::ctree, "ctree", "ctree", "ctree"},
      {figures::ctree, "prefix", "ctree", "prefix"},
  };
  for (const auto& pair : pairs) {
    EXPECT_EQ(shape_of(parse_level(pair[0], "figure").nodes, pair[1]), shape_of(level(pair[2]), pair[3])) << pair[2];
  }
}

TEST(BuiltInLevels, OnlyTheUnsortedOneHasNoOrder) {
  for (const LevelFile& each : levels()) {
    EXPECT_EQ(is_ordered(each.definition.nodes), each.name != "blist_unsorted") << each.name;
  }
}

TEST(BuiltInLevels, ListsAreWalkedByLoops) {
  for (const LevelFile& each : levels()) {
    const bool list = each.name.find("list") != std::string::npos;
    EXPECT_EQ(recursion_of(each.definition.nodes), list ? Recursion::OneChild : Recursion::SeveralChildren)
        << each.name;
  }
}

TEST(BuiltInLevels, HaveALayout) {
  for (const LevelFile& each : levels()) {
    const NodeSchema& nodes = each.definition.nodes;
    EXPECT_EQ(layout_of(nodes).size(), nodes.supertypes.size() + nodes.nodes.size()) << each.name;
  }
}

struct Block {
  std::string kind;
  std::string text;
};

/// The fenced blocks of a document that name a kind.
std::vector<Block> blocks_of(const std::string& document) {
  std::vector<Block> blocks;
  std::ifstream stream(document);
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), ""});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

TEST(LevelsDocument, ExamplesAreLevelsAndMistakesAreRefusedInItsWords) {
  int examples = 0;
  int mistakes = 0;
  for (const auto& [kind, text] : blocks_of(LACUNA_LEVELS_DOCUMENT)) {
    if (kind == "level") {
      ++examples;
      const LevelDefinition level = parse_level(text, "document");
      EXPECT_TRUE(is_ordered(level.nodes)) << text;
      EXPECT_NO_THROW(read_program(level, {"document", text})) << text;
    } else if (kind == "refused") {
      ++mistakes;
      const std::string message = text.substr(3, text.find('\n') - 3);
      EXPECT_THAT(([&text = text] {
                    read_program(parse_level(text, "document"), {"document", text});
                  }),
                  ::testing::ThrowsMessage<Error>(::testing::HasSubstr(message)));
    }
  }
  EXPECT_GE(examples, 3);
  EXPECT_GE(mistakes, 15);
}

}  // namespace
}  // namespace lacuna::schema::builtin_levels_test
