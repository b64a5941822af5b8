// Tensors of nodes, of every level file, are cut as their entries in arrays are.

#include <algorithm>

#include <gtest/gtest.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/parts/partition.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "unit/tensor/samples.h"

namespace lacuna::dynamic_test {
namespace {

Partition cut(const Storage& tensor, const std::string& text, const std::string& machine) {
  return partition(tensor, parse_distribution(text, parse_machine(machine)).distribution);
}

TEST(DynamicLevels, AreCutInTheOrderOfTheirCoordinates) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  const CoordinateList entries = testing::random_list({9, 11}, 40, 7);
  int formats = 0;
  for (const std::string& name : schema::names_of_levels(schema::level_folders(Environment{}))) {
    for (const std::string& text : {"d," + name, name + "," + name}) {
      const Format format = parse_format(text, 2);
      const Storage arrays = build(entries, array_format_of(format));
      const Storage nodes = stored_as(engine, arrays, format, options);
      ASSERT_TRUE(nodes.format.has_nodes());
      ++formats;
      for (const char* distribution : {"xy -> x", "xy -> ~(xy)", "xy -> y"}) {
        SCOPED_TRACE(text + " by " + distribution);
        const Partition parts = cut(nodes, distribution, "Grid(3)"), expected = cut(arrays, distribution, "Grid(3)");
        std::int64_t most = 0;
        for (std::int64_t c = 0; c < 3; ++c) {
          EXPECT_EQ(difference(parts.piece(c), expected.piece(c), {.same_pattern = true}), std::nullopt);
          EXPECT_NO_THROW(validate(parts.piece(c), "piece"));
          most = std::max(most, parts.size_of(c).entries);
        }
        const bool counts = std::string(distribution) == "xy -> ~(xy)";
        EXPECT_TRUE(!counts || most == (arrays.stored() + 2) / 3) << most;
      }
    }
  }
  EXPECT_GE(formats, 8);
}

}  // namespace
}  // namespace lacuna::dynamic_test
