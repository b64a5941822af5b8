// The table of what levels take.

#include "tools/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/engine/engine.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"
#include "lacuna/tensor/nodes.h"
#include "tools/summary.h"

namespace lacuna::tool::memory_test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

Storage stored(const std::string& format) {
  const Format wanted = parse_format(format, 2);
  const Storage arrays = build(generate_uniform({20, 40}, 150, 1), array_format_of(wanted));
  if (!wanted.has_nodes()) return arrays;
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  return stored_as(engine, arrays, wanted, options);
}

TEST(MemoryReport, HasALineForEachLevelTypeOfNodesAndPool) {
  EXPECT_THAT(
      memory_report(stored("dense,ctree")),
      AllOf(HasSubstr("level 1, dense "), HasSubstr("level 2, ctree: 150 elements "),
            ContainsRegex("  prefix: 20 nodes of [0-9]+ B "), HasSubstr("  ctree.N: "), HasSubstr("  prefix.N: ")));
  EXPECT_THAT(memory_report(stored("bst,compressed")),
              AllOf(HasSubstr("  bst_root: 1 nodes of 4 B "), HasSubstr("level 2, compressed "),
                    ContainsRegex("values +1.20 kB +0 B +1.20 kB +8 B\n")));
}

TEST(MemoryReport, DifferencesTakeLessThanCoordinates) {
  // Rows of 20 elements: their coordinates are 14 apart, so that 19 of them take a byte instead of four.
  const Storage arrays = build(generate_uniform({100, 280}, 2000, 1), csr_format());
  std::map<std::string, std::int64_t> bytes;
  for (const char* level : {"ctree", "ctree_diff"}) {
    Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
    Options options;
    options.target.backend = Target::Backend::Interpreter;
    const Storage tensor = stored_as(engine, arrays, parse_format(std::string("dense,") + level, 2), options);
    for (const nodes::Usage& each : nodes::usage_of(tensor, 1)) bytes[level] += each.in_use() * each.bytes_each;
  }
  EXPECT_LT(bytes.at("ctree_diff"), bytes.at("ctree") * 9 / 10);
}

TEST(MemoryReport, AddsUpToWhatTheTensorTakes) {
  for (const char* format :
       {"csr", "dense,blist", "dense,vblist", "dense,ctree_diff", "ctree,btree", "compressed,rbtree"}) {
    const Storage tensor = stored(format);
    EXPECT_THAT(memory_report(tensor), ContainsRegex("in all .* " + bytes_text(tensor.bytes()) + " +[0-9.]+ B\n"))
        << format;
  }
}

}  // namespace
}  // namespace lacuna::tool::memory_test
