#include "lacuna/format/distribution/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/message_of.h"

namespace lacuna::machine_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Machine, IsAGridOfAnyDimensions) {
  const Machine M(Grid(4, 3));
  EXPECT_EQ(M.levels(), 1);
  EXPECT_EQ(M.processors(), 12);
  EXPECT_EQ(M.x, 4);
  EXPECT_EQ(M.y, 3);
  EXPECT_EQ(M.to_string(), "Grid(4,3)");
  EXPECT_THAT(M.point(7), ElementsAre(2, 1));
  EXPECT_EQ(M.number({2, 1}), 7);
}

TEST(Machine, SizesAreValues) {
  const std::int64_t pieces = 5;
  const Machine M{Grid(pieces)};
  EXPECT_EQ(M.x.size(), 5);
}

TEST(Machine, NestsGrids) {
  const Machine M(Grid(2, 2), Grid(3));
  EXPECT_EQ(M.processors(), 12);
  EXPECT_EQ(M.dimensions(), 3);
  EXPECT_THAT(M.point(7), ElementsAre(1, 0, 1));
  EXPECT_EQ(M.dimension(1, 0), 3);
  EXPECT_EQ(M.level(0).kind(), ProcessorKind::Process);
  EXPECT_EQ(M.level(1).kind(), ProcessorKind::Thread);
  EXPECT_EQ(memory_of(ProcessorKind::Thread), MemoryKind::Process);
  EXPECT_EQ(memory_of(ProcessorKind::Socket), MemoryKind::Socket);
}

TEST(Machine, IsReadBackAsItIsPrinted) {
  for (const std::string text : {"Grid(4)", "Grid(4,4)", "Grid(2,2),Grid(2)", "Grid(2),Grid(2) of sockets,Grid(8)",
                                 "Grid(3,1,2) of sockets,Grid(2) of sockets"}) {
    const Machine M = parse_machine(text);
    EXPECT_EQ(M.to_string(), text);
    EXPECT_EQ(parse_machine(M.to_string()), M);
  }
  EXPECT_EQ(parse_machine(" grid( 2 , 3 ) , Grid(4) of threads "), Machine(Grid(2, 3), Grid(4)));
  EXPECT_FALSE(parse_machine("Grid(2),Grid(2)") == parse_machine("Grid(2),Grid(2) of sockets"));
}

TEST(Machine, RefusesWhatCannotBe) {
  EXPECT_THAT(message_of([] { Grid(4, 0); }), HasSubstr("a grid cannot have 0 processors along a dimension"));
  EXPECT_THAT(message_of([] { Grid(std::vector<std::int64_t>{}); }), HasSubstr("needs the size"));
  EXPECT_THAT(message_of([] { Grid(1 << 20, 1 << 20); }), HasSubstr("is too large"));
  EXPECT_THAT(message_of([] { Machine(Grid(1 << 20), Grid(1 << 20)); }), HasSubstr("is too large"));
  EXPECT_THAT(message_of([] { Machine(Grid(2).of(ProcessorKind::Thread), Grid(2).of(ProcessorKind::Process)); }),
              HasSubstr("a grid of processes cannot be within one of threads"));
  EXPECT_THAT(message_of([] { Machine(Grid(4)).y.size(); }), HasSubstr("the machine has no dimension 2"));
}

}  // namespace
}  // namespace lacuna::machine_test
