#include "lacuna/dynamic/schema/memory_layout.h"

#include <cstddef>

#include <gtest/gtest.h>

#include "lacuna/dynamic/schema/level.h"

namespace lacuna::schema::memory_layout_test {
namespace {

LevelDefinition two_kinds() {
  return parse_level(R"(
def supertype tree
def top { r : tree }
def inner : tree { e : elem[B] nonempty  c : tree[B] nonempty  last : tree nonempty  B : size in [1, 3]  seq = {c, e}, last }
def leaf : tree { e : elem[N] nonempty  N : size  red : bool  seq = {e} }
)",
                     "two.level");
}

/// What a C compiler makes of `inner` with 32-bit coordinates and float64 values, arrays last.
struct Inner {
  std::uint32_t last;
  std::int32_t B;
  std::int32_t ec[3];
  double ev[3];
  std::uint32_t c[3];
};

TEST(MemoryLayout, PutsFieldsWhereCDoes) {
  const LevelDefinition level = two_kinds();
  const MemoryLayout layout(level.nodes, {Type::Int32, Type::Float64});
  const MemoryRecord& inner = layout.node("inner").record;
  EXPECT_EQ(inner.size, static_cast<std::int64_t>(sizeof(Inner)));
  EXPECT_EQ(inner.at("ev").offset, static_cast<std::int64_t>(offsetof(Inner, ev)));
  EXPECT_EQ(inner.at("c").offset, static_cast<std::int64_t>(offsetof(Inner, c)));
  EXPECT_EQ(inner.at("c").count, 3);
  EXPECT_EQ(inner.at("c").slot.target, "tree");
  EXPECT_EQ(inner.at("B").offset, static_cast<std::int64_t>(offsetof(Inner, B)));
  EXPECT_TRUE(inner.at("ev").slot.is_value);
}

TEST(MemoryLayout, ArraysWithoutBoundLieInPools) {
  const LevelDefinition level = two_kinds();
  const MemoryLayout layout(level.nodes, {Type::Int64, Type::Float32});
  const PoolLayout& pool = layout.pool("leaf", "N");
  EXPECT_EQ(layout.node("leaf").record.find("ec"), nullptr);
  EXPECT_EQ(layout.node("leaf").record.at(pool.position).slot.type, Type::UInt32);
  EXPECT_EQ(layout.node("leaf").sizes.at("ev"), "N");
  EXPECT_EQ(pool.members.at("ec").slot.type, Type::Int64);
  EXPECT_EQ(layout.array_type(pool.members.at("ev").array), Type::Float32);
  EXPECT_EQ(layout.element_size(pool.members.at("ev").array), 4);
}

TEST(MemoryLayout, CountsTheArraysOfALevel) {
  const LevelDefinition level = two_kinds();
  const MemoryLayout layout(level.nodes, {});
  EXPECT_EQ(layout.arrays, 1 + 3 + 2U);  // the record, three arenas, coordinates and values of leaves
  EXPECT_EQ(layout.root().node->name.text, "top");
  EXPECT_EQ(layout.element_size(0), layout.memory.size);
  EXPECT_EQ(layout.element_size(layout.node("inner").array), layout.node("inner").record.size);
  EXPECT_EQ(layout.array_type(layout.node("top").array), Type::UInt8);
}

TEST(MemoryLayout, TagsTellTheKindsOfASupertypeAndNull) {
  const LevelDefinition level = two_kinds();
  const MemoryLayout layout(level.nodes, {});
  EXPECT_EQ(tag_bits(level.nodes, "tree"), 2);
  EXPECT_EQ(layout.node("inner").tag, 0U);
  EXPECT_EQ(layout.node("leaf").tag, 1U);
}

TEST(MemoryLayout, NamesOfFieldsNeverMeet) {
  // The position of a pool's segment and the counts of the memory record would be called like these.
  const LevelDefinition level = parse_level(
      "def a { e : elem[B] nonempty  B : size  B_at : int32  n : a_B  seq = {e}, n }\ndef a_B { e : elem }\n",
      "a.level");
  const MemoryLayout layout(level.nodes, {});
  EXPECT_NE(layout.pool("a", "B").position, "B_at");
  EXPECT_NE(layout.pool("a", "B").in_use.next, layout.node("a_B").in_use.next);
  EXPECT_NE(layout.memory.at(layout.pool("a", "B").in_use.free).offset,
            layout.memory.at(layout.node("a_B").in_use.free).offset);
}

TEST(MemoryLayout, NarrowSlotsLinkSegmentsTogether) {
  const LevelDefinition level = parse_level(
      "def top { p : a q : b }\n"
      "def a { f : elem nonempty  e : elem[N] nonempty diff uint8  N : size  seq = f, {e} }\n"
      "def b { f : elem nonempty  e : elem[N] nonempty diff uint16  N : size  seq = f, {e} }\n",
      "a.level");
  const MemoryLayout real(level.nodes, {Type::Int32, Type::Float64});
  EXPECT_EQ(real.array_type(real.pool("a", "N").members.at("ed").array), Type::UInt8);
  EXPECT_EQ(real.pool("a", "N").link_slots(), 4);
  EXPECT_EQ(real.pool("b", "N").link_slots(), 2);
  // Values that are wide enough link by themselves.
  const MemoryLayout whole(level.nodes, {Type::Int32, Type::UInt32});
  EXPECT_EQ(whole.pool("a", "N").link().array, whole.pool("a", "N").members.at("ev").array);
  EXPECT_EQ(whole.pool("a", "N").link_slots(), 1);
}

}  // namespace
}  // namespace lacuna::schema::memory_layout_test
