// Nodes written into memory by hand, read by what walks them.

#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/nodes/element_walk.h"
#include "lacuna/dynamic/schema/head.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/nodes.h"
#include "unit/tensor/samples.h"

namespace lacuna::nodes_test {
namespace {

using ::testing::ElementsAre;
using testing::entries_of;
using testing::Entry;
using ::testing::HasSubstr;

/// A level whose file is `text`; the functions do not matter.
LevelFormat level_of(const std::string& name, const std::string& text) {
  auto file = std::make_shared<schema::LevelFile>();
  file->name = name;
  file->text = text;
  file->definition = schema::parse_level(text, name);
  file->nodes = schema::stored_nodes(file->definition.nodes);
  return dynamic_level(file);
}

constexpr const char* tree_text =
    "def root { r : node }\ndef node { e : elem nonempty  l : node  r : node  p : parent  seq = l, e, r }\n";
constexpr const char* blocks_text =
    "def head { h : block }\n"
    "def block { e : elem[B] nonempty  n : block  B : size in [1, 4]  seq = {e}, n }\n";
constexpr const char* pairs_text =
    "def supertype t\ndef top { r : t }\ndef one : t { e : elem  n : t  seq = e, n }\n"
    "def many : t { e : elem[N]  n : t  N : size  seq = {e}, n }\n";

/// Memory of one dynamic level, written field by field.
class Memory {
 public:
  Memory(Storage& tensor, int level, std::int64_t nodes, std::int64_t slots = 0)
      : layout_(nodes::layout_of(tensor, level)), arrays_(tensor.levels[static_cast<std::size_t>(level)].nodes) {
    for (std::size_t k = 0; k < layout_.arrays; ++k) {
      const bool pool = k > layout_.nodes.size();
      const std::int64_t count = k == 0 ? 1 : pool ? slots : nodes;
      const std::int64_t each = pool ? 1 : layout_.element_size(k);
      arrays_.push_back(Array::allocate(layout_.array_type(k), count * each, true));
    }
    for (const schema::NodeLayout& each : layout_.nodes) in_use(each.in_use, nodes);
    for (const schema::PoolLayout& each : layout_.pools) in_use(each.in_use, slots);
    for (const schema::NodeLayout& each : layout_.nodes)
      for (const schema::MemoryField& field : each.record.fields)
        for (std::int64_t n = 0; n < nodes && !field.slot.target.empty(); ++n)
          set(each.node->name.text, n, field.name, 0xffffffff);
  }
  void set(const std::string& node, std::int64_t index, const std::string& field, double value, std::int64_t slot = 0) {
    const schema::NodeLayout& of = layout_.node(node);
    const schema::MemoryField& at = of.record.at(field);
    Scalar(value)
        .convert(at.slot.type)
        .store(bytes(of.array) + index * of.record.size + at.offset + slot * size_of(at.slot.type));
  }
  void set_slot(const std::string& node, const std::string& size, const std::string& member, std::int64_t at,
                double value) {
    const schema::PoolLayout::Member& array = layout_.pool(node, size).members.at(member);
    Scalar(value).convert(array.slot.type).store(bytes(array.array) + at * size_of(array.slot.type));
  }
  void in_use(const schema::InUse& fields, std::int64_t count) {
    for (const std::string& each : {fields.next, fields.limit}) set_memory(each, static_cast<double>(count));
  }
  void set_memory(const std::string& field, double value, std::int64_t slot = 0) {
    const schema::MemoryField& at = layout_.memory.at(field);
    Scalar(value).convert(at.slot.type).store(bytes(0) + at.offset + slot * size_of(at.slot.type));
  }
  const schema::MemoryLayout& layout() const { return layout_; }

 private:
  char* bytes(std::size_t array) { return static_cast<char*>(arrays_[array].mutable_data()); }

  schema::MemoryLayout layout_;
  std::vector<Array>& arrays_;
};

Storage vector_of(const LevelFormat& level, std::int64_t extent, std::int64_t elements) {
  Storage t;
  t.format = Format({level});
  t.dimensions = {extent};
  t.levels.resize(1);
  t.levels[0].extent = extent;
  t.levels[0].positions = elements;
  t.values = Array::allocate(Type::Float64, 0, false);
  return t;
}

std::string damage(const Storage& tensor) {
  try {
    validate(tensor, "A");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Node k has coordinate and value k; `below` says which of its references leads to node k + 1.
Storage chain(std::int64_t length, const std::string& below, bool ascending) {
  Storage t = vector_of(level_of("tree", tree_text), length, length);
  Memory memory(t, 0, length);
  memory.set("root", 0, "r", 0);
  for (std::int64_t n = 0; n < length; ++n) {
    const auto c = static_cast<double>(ascending ? n : length - 1 - n);
    memory.set("node", n, "ec", c);
    memory.set("node", n, "ev", c);
    if (n + 1 < length) memory.set("node", n, below, static_cast<double>(n + 1));
  }
  return t;
}

TEST(Nodes, AreWalkedInTheOrderOfTheSchema) {
  Storage t = vector_of(level_of("tree", tree_text), 10, 3);
  Memory memory(t, 0, 3);
  memory.set("root", 0, "r", 1);
  const double coordinates[] = {2, 4, 7};
  for (int n = 0; n < 3; ++n) {
    memory.set("node", n, "ec", coordinates[n]);
    memory.set("node", n, "ev", 10 * coordinates[n]);
  }
  memory.set("node", 1, "l", 0);
  memory.set("node", 1, "r", 2);
  EXPECT_EQ(damage(t), "");
  EXPECT_THAT(entries_of(t), ElementsAre(Entry{{2}, 20}, Entry{{4}, 40}, Entry{{7}, 70}));
  const std::vector<std::int64_t> at = {7}, not_there = {3};
  EXPECT_EQ(value_at(t, at).as<double>(), 70);
  EXPECT_EQ(value_at(t, not_there).as<double>(), 0);
  EXPECT_EQ(t.stored(), 3);
  EXPECT_EQ(t.places(), 3);
}

TEST(Nodes, OfAnyDepthNeedNoStack) {
  constexpr std::int64_t length = 1'000'000;
  for (const bool ascending : {true, false}) {
    const Storage t = chain(length, ascending ? "r" : "l", ascending);
    EXPECT_EQ(damage(t), "");
    const CoordinateList list = coordinates_of(t, true);
    ASSERT_EQ(list.size(), length);
    for (std::int64_t n = 0; n < length; n += 99'999) {
      EXPECT_EQ(list.coordinates[0].integer(n), n);
      EXPECT_EQ(list.values.view<double>()[static_cast<std::size_t>(n)], static_cast<double>(n));
    }
  }
}

TEST(Nodes, HoldBlocksAndPoolsAndSeveralKinds) {
  Storage t = vector_of(level_of("pairs", pairs_text), 100, 4);
  Memory memory(t, 0, 2, 8);
  memory.set("top", 0, "r", (1 << 2) | 1);  // the second of many
  memory.set("many", 1, "N", 3);
  memory.set("many", 1, memory.layout().pool("many", "N").position, 5);
  const double coordinates[] = {3, -1, 8};  // one slot is empty
  for (int k = 0; k < 3; ++k) {
    memory.set_slot("many", "N", "ec", 5 + k, coordinates[k]);
    memory.set_slot("many", "N", "ev", 5 + k, k);
  }
  memory.set("many", 1, "n", (0 << 2) | 0);  // the first of one
  memory.set("one", 0, "ec", 9);
  memory.set("one", 0, "ev", 3);
  memory.set("one", 0, "n", (1 << 2) | 0);
  memory.set("one", 1, "ec", 12);
  memory.set("one", 1, "ev", 4);
  EXPECT_EQ(damage(t), "");
  EXPECT_THAT(entries_of(t), ElementsAre(Entry{{3}, 0}, Entry{{8}, 2}, Entry{{9}, 3}, Entry{{12}, 4}));
  const std::vector<nodes::Usage> usage = nodes::usage_of(t, 0);
  ASSERT_EQ(usage.size(), 4U);
  EXPECT_EQ(usage[3].name, "many.N");
  EXPECT_EQ(usage[3].reserved, 8);
  EXPECT_EQ(usage[3].bytes_each, 12);
  EXPECT_EQ(t.bytes(), memory.layout().memory.size +
                           2 * (usage[0].bytes_each + usage[1].bytes_each + usage[2].bytes_each) + 8 * 12);
}

TEST(Nodes, ThatWereGivenBackAreFree) {
  Storage t = vector_of(level_of("tree", tree_text), 10, 1);
  Memory memory(t, 0, 4);
  // Nodes 2 and 0: the coordinate is the first field that can say which is the next, and -1 that there is none.
  memory.set_memory("node_free", 2 + 1);
  memory.set("node", 2, "ec", 0);
  memory.set("node", 0, "ec", -1);
  nodes::Usage usage = nodes::usage_of(t, 0)[1];
  EXPECT_EQ(usage.taken, 4);
  EXPECT_EQ(usage.given_back, 2);
  EXPECT_EQ(usage.in_use(), 2);
  EXPECT_EQ(usage.free(), 2);
  memory.set("node", 0, "ec", 2);  // a circle
  EXPECT_THROW(nodes::usage_of(t, 0), InternalError);
  memory.set("node", 0, "ec", 77);
  EXPECT_THROW(nodes::usage_of(t, 0), InternalError);
}

TEST(Nodes, SlotsThatWereGivenBackAreFree) {
  Storage t = vector_of(level_of("pairs", pairs_text), 100, 1);
  Memory memory(t, 0, 1, 16);
  const std::string free = memory.layout().pool("many", "N").in_use.free;
  memory.set_memory(free, 4 + 1, 3);  // of 4 slots: from 4 on, then from 8 on
  memory.set_slot("many", "N", "ec", 4, 8 + 1);
  memory.set_slot("many", "N", "ec", 8, 0);
  memory.set_memory(free, 0 + 1, 1);  // of 1 slot: the first
  memory.set_slot("many", "N", "ec", 0, 0);
  const nodes::Usage usage = nodes::usage_of(t, 0)[3];
  EXPECT_TRUE(usage.pool);
  EXPECT_EQ(usage.given_back, 9);
  EXPECT_EQ(usage.in_use(), 7);
}

TEST(Nodes, AreConvertedToArrays) {
  const Storage t = chain(50, "r", true);
  const Storage arrays = convert(t, csf_format(1));
  EXPECT_EQ(arrays.levels[0].positions, 50);
  EXPECT_EQ(difference(t, arrays).value_or(""), "");
  EXPECT_THROW(convert(arrays, t.format), Error);
  EXPECT_THROW(convert_type(t, Type::Float32), Error);
  EXPECT_EQ(convert(t, t.format).levels[0].nodes[1].data(), t.levels[0].nodes[1].data());
}

struct Damaged {
  const char* what;
  std::function<void(Storage&, Memory&)> spoil;
  const char* message;
};

TEST(Nodes, DamageIsNamed) {
  const std::vector<Damaged> cases = {
      {"cycle", [](Storage&, Memory& m) { m.set("block", 1, "n", 0); }, "block 0 is reached twice"},
      {"far", [](Storage&, Memory& m) { m.set("block", 1, "n", 77); }, "leads to block 77, but only 3 are in use"},
      {"size", [](Storage&, Memory& m) { m.set("block", 1, "B", 5); }, "B of block 1 is 5, which is out of its bounds"},
      {"negative", [](Storage&, Memory& m) { m.set("block", 1, "B", -1); }, "is -1, which is out of its bounds"},
      {"order", [](Storage&, Memory& m) { m.set("block", 1, "ec", 0); }, "coordinate 0 comes behind 1"},
      {"twice", [](Storage&, Memory& m) { m.set("block", 1, "ec", 1); }, "coordinate 1 comes behind 1"},
      {"range", [](Storage&, Memory& m) { m.set("block", 1, "ec", 9, 1); }, "coordinate 9 is outside [0, 9)"},
      {"empty", [](Storage&, Memory& m) { m.set("block", 0, "ec", -1); }, "coordinate -1 is outside"},
      {"count", [](Storage& t, Memory&) { t.levels[0].positions = 5; },
       "5 elements were put in, but 4 are reached from the roots"},
      {"huge", [](Storage& t, Memory&) { t.levels[0].positions = std::numeric_limits<std::int64_t>::max(); },
       "elements, in"},
      {"full", [](Storage&, Memory& m) { m.set_memory("full", 1); }, "it ran out of memory while it was filled"},
      {"limit", [](Storage&, Memory& m) { m.set_memory("block_limit", 2); }, "3 of 2 block nodes are in use"},
      {"room", [](Storage&, Memory& m) { m.set_memory("block_limit", 4); }, "but there is room for 3"},
      {"arrays", [](Storage& t, Memory&) { t.levels[0].nodes.pop_back(); }, "has 2 arrays of nodes instead of 3"},
      {"record", [](Storage& t, Memory&) { t.levels[0].nodes[0] = Array::allocate(Type::UInt8, 3, true); },
       "the record of its memory has 3 bytes"},
      {"type", [](Storage& t, Memory&) { t.levels[0].nodes[1] = Array::allocate(Type::Int64, 3, true); },
       "array 1 of nodes holds int64, not uint8"},
      {"values", [](Storage& t, Memory&) { t.values = Array::allocate(Type::Float64, 1, true); },
       "1 values beside those in its nodes"},
  };
  for (const Damaged& each : cases) {
    Storage t = vector_of(level_of("blocks", blocks_text), 9, 4);
    Memory memory(t, 0, 3);
    memory.set("head", 0, "h", 0);
    for (int n = 0; n < 2; ++n) {
      memory.set("block", n, "B", 2);
      memory.set("block", n, "ec", 2 * n, 0);
      memory.set("block", n, "ec", 2 * n + 1, 1);
    }
    memory.set("block", 0, "n", 1);
    EXPECT_EQ(damage(t), "") << each.what;
    each.spoil(t, memory);
    EXPECT_THAT(damage(t), HasSubstr(each.message)) << each.what;
  }
}

TEST(Nodes, ElementsLeadToPositionsOfTheirOwn) {
  Storage t;
  t.format = Format({level_of("tree", tree_text), LevelFormat{LevelKind::Dense, true, true}});
  t.dimensions = {5, 2};
  t.levels.resize(2);
  t.levels[0].extent = 5;
  t.levels[0].positions = 2;
  t.levels[1].extent = 2;
  t.levels[1].positions = 4;
  t.values = testing::array_of<double>({1, 2, 3, 4});
  Memory memory(t, 0, 2);
  memory.set("root", 0, "r", 0);
  memory.set("node", 0, "r", 1);
  memory.set("node", 0, "ec", 1);
  memory.set("node", 1, "ec", 3);
  memory.set("node", 0, "ev", 1);  // the first element has the second block
  EXPECT_EQ(damage(t), "");
  EXPECT_THAT(entries_of(t), ElementsAre(Entry{{1, 0}, 3}, Entry{{1, 1}, 4}, Entry{{3, 0}, 1}, Entry{{3, 1}, 2}));
  memory.set("node", 1, "ev", 1);
  EXPECT_THAT(damage(t), HasSubstr("two elements lead to position 1"));
  memory.set("node", 1, "ev", 2);
  EXPECT_THAT(damage(t), HasSubstr("an element leads to position 2, but there are 2"));
}

TEST(Nodes, WalkingWhatIsDamagedTouchesNothingElse) {
  Storage t = chain(5, "r", true);
  t.levels[0].nodes[2] = Array::allocate(Type::UInt8, 8, true);
  EXPECT_THROW(coordinates_of(t), InternalError);
}

}  // namespace
}  // namespace lacuna::nodes_test
