#include "lacuna/support/text_table.h"

#include <gtest/gtest.h>

namespace lacuna::text_table_test {
namespace {

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell) {
  TextTable table("lr");
  table.add({"time", "1.00 µs"});
  table.add({"a longer name", "10.0 µs"});
  EXPECT_EQ(table.text(), "  time           1.00 µs\n  a longer name  10.0 µs\n");
}

TEST(TextTable, LettersOfSeveralBytesCountOnce) {
  TextTable table("lr", 0);
  table.add({"a", "1 µs"});
  table.add({"b", "1 ms"});
  EXPECT_EQ(table.text(), "a  1 µs\nb  1 ms\n");
}

TEST(TextTable, EmptyColumnsAndShortRowsTakeNoRoom) {
  TextTable table("llr", 0);
  table.add({"a", "", "1"});
  table.add({"b"});
  EXPECT_EQ(table.text(), "a  1\nb\n");
}

}  // namespace
}  // namespace lacuna::text_table_test
