// Dense levels under sparse ones that a machine cuts: parts store the zeros that they would have of the whole.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/parts/local_part.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/distribute/tensors/contribute.h"
#include "lacuna/distribute/tensors/generator_share.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/generate.h"
#include "support/message_of.h"

namespace lacuna::padding_test {
namespace {

using testing::HasSubstr;

/// A tensor's entries, about one in ten, so that most rows have some in few parts.
struct Case {
  std::vector<std::int64_t> dimensions;
  const char* format;
  const char* placed;
  const char* machine;
};
const std::vector<Case> cases = {
    {{9, 8}, "compressed,dense", "xy -> y", "Grid(3)"},
    {{9, 8}, "compressed,dense", "xy -> y%1", "Grid(2)"},
    {{9, 8}, "compressed,dense", "xy -> xy", "Grid(2,3)"},
    {{9, 8}, "compressed,dense", "xy -> y*", "Grid(3,2)"},
    {{9, 8}, "compressed,dense", "xy -> y1", "Grid(3,2)"},
    {{9, 8}, "compressed,dense", "xy -> ~(xy)", "Grid(3)"},
    {{9, 8}, "compressed,dense", "xy -> y; xy -> x", "Grid(2),Grid(2)"},
    {{9, 8}, "compressed,dense", "xy -> y", "Grid(11)"},  // some parts have no columns
    {{9, 8}, "compressed,dense:1,0", "xy -> x", "Grid(3)"},
    {{9, 8}, "hashed,dense", "xy -> y", "Grid(3)"},
    {{9, 8}, "btree,dense", "xy -> y", "Grid(3)"},
    {{5, 6, 4}, "compressed,dense,dense", "xyz -> zy", "Grid(2,2)"},
    {{5, 6, 4}, "dense,compressed,dense", "xyz -> z", "Grid(3)"},
    {{5, 6, 4}, "compressed,dense,compressed", "xyz -> y", "Grid(3)"},  // nothing is padded
};

Distribution distribution_of(const Case& c) {
  return parse_distribution(c.placed, parse_machine(c.machine)).distribution;
}

CoordinateList some_entries(const Case& c, const GeneratorShare& share = {}) {
  std::int64_t all = 1;
  for (const std::int64_t n : c.dimensions) all *= n;
  return generate_uniform(c.dimensions, all / 10, 3, Type::Float64, share);
}

Storage in_whole(const Case& c) {
  const Format format = parse_format(c.format, static_cast<int>(c.dimensions.size()));
  return build(some_entries(c), array_format_of(format));
}

/// Every part of this rank stores what it would of the whole.
void expect_parts_of(const Storage& whole, const DistributedTensor& tensor) {
  EXPECT_EQ(tensor.stored(), whole.stored());
  CompareOptions exactly;
  exactly.same_pattern = true;
  for (const auto& [number, part] : tensor.parts()) {
    const LocalPart expected = local_part(whole, tensor.placement().parts[static_cast<std::size_t>(number)].what);
    EXPECT_EQ(difference(part.storage, expected.storage, exactly).value_or(""), "") << number;
  }
}

TEST(Padding, IsInPartsOfWhatRanksContribute) {
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.format) + ", " + c.placed);
    const Format format = parse_format(c.format, static_cast<int>(c.dimensions.size()));
    const DistributedTensor tensor =
        contributed(some_entries(c, share_of(*test_ranks())), format, distribution_of(c), "A", *test_ranks());
    expect_parts_of(in_whole(c), tensor);
  }
}

TEST(Padding, IsInPartsOfResults) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.format) + ", " + c.placed);
    const int order = static_cast<int>(c.dimensions.size());
    const Storage entries = build(some_entries(c), csf_format(order));
    const std::string text = order == 2 ? "C(i,j) = A(i,j)" : "C(i,j,k) = A(i,j,k)";
    DistributedRequest request{{parse_statement(text), {{"A", entries}}, parse_format(c.format, order), {}, {}, {}},
                               parse_machine(c.machine),
                               {{"C", distribution_of(c)}}};
    PreparedOnMachine prepared;
    for (int run = 0; run < 4; ++run)
      expect_parts_of(in_whole(c), prepared.run(engine, request, *test_ranks(), options));
  }
}

TEST(Padding, IsAskedForInPartsThatAreGiven) {
  const Machine machine = parse_machine("Grid(2)");
  const Format format = parse_format("compressed,dense", 2);
  const Distribution columns = parse_distribution("xy -> y", machine).distribution;
  const auto given = [&](bool with_zeros) {
    std::vector<Storage> parts;
    for (const std::vector<IndexSet>& sets : parts_on(*test_ranks(), {4, 4}, format, columns, "A")) {
      const std::vector<std::int32_t> i(sets[1].contains(0) || with_zeros ? 1 : 0, 2), j(i.size(), 1);
      const std::vector<double> values(i.size(), sets[1].contains(0) ? 3 : 0);
      const CoordinateList entries{
          {4, 2}, {Array::of<std::int32_t>(i), Array::of<std::int32_t>(j)}, Array::of<double>(values)};
      parts.push_back(build(entries, format));
    }
    return message_of([&] { adopted({4, 4}, format, Type::Float64, columns, parts, "A", *test_ranks()); });
  };
  EXPECT_THAT(given(false), HasSubstr("A: part 1 stores nothing at (2) in the levels above its dense ones"));
  EXPECT_EQ(given(true), "no error");
}

}  // namespace
}  // namespace lacuna::padding_test
