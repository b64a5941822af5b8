#include "lacuna/dynamic/update/middle_first.h"
#include "lacuna/engine/engine.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/dynamic/update/updated_tensor.h"
#include "lacuna/tensor/nodes.h"
#include "support/instrumented_jit.h"

namespace lacuna::middle_first_test {
namespace {

using testing::ElementsAre;

std::vector<std::uint64_t> order_of(const std::string& format, const std::vector<std::vector<std::int32_t>>& columns) {
  std::vector<Array> arrays;
  for (const auto& each : columns) arrays.push_back(Array::of(std::span<const std::int32_t>(each)));
  const Array order = middle_first(arrays, parse_format(format, static_cast<int>(columns.size())));
  const auto view = order.view<std::uint64_t>();
  return {view.begin(), view.end()};
}

TEST(MiddleFirst, HalvesWhatIsLeft) {
  EXPECT_THAT(order_of("bst", {{1, 2, 3, 4, 5, 6, 7}}), ElementsAre(3, 1, 0, 2, 5, 4, 6));
  EXPECT_THAT(order_of("bst", {{}}), ElementsAre());
  EXPECT_THAT(order_of("bst", {{4}}), ElementsAre(0));
}

TEST(MiddleFirst, KeepsTheOrderOfUpdatesOfOneEntry) {
  EXPECT_THAT(order_of("bst", {{1, 1, 2, 2, 3, 3}}), ElementsAre(2, 3, 0, 1, 4, 5));
}

TEST(MiddleFirst, KeepsEntriesOfALevelAboveTogether) {
  EXPECT_THAT(order_of("dense,bst", {{0, 0, 0, 1, 1, 1}, {1, 2, 3, 4, 5, 6}}), ElementsAre(1, 0, 2, 4, 3, 5));
  EXPECT_THAT(order_of("bst,bst", {{0, 0, 1, 1, 2, 2}, {1, 2, 3, 4, 5, 6}}), ElementsAre(3, 2, 1, 0, 5, 4));
  EXPECT_THAT(order_of("bst,dense", {{0, 0, 1, 1, 2}, {1, 2, 3, 4, 5}}), ElementsAre(2, 3, 0, 1, 4));
}

/// How many nodes lie between a root and the farthest of those below it.
std::int64_t height(const nodes::LevelNodes& level, std::uint32_t root) {
  std::vector<std::pair<std::uint32_t, std::int64_t>> waiting{{root, 0}};
  std::vector<std::size_t> types{level.root_type()};
  std::int64_t highest = 0;
  while (!waiting.empty()) {
    const auto [node, depth] = waiting.back();
    const std::size_t type = types.back();
    waiting.pop_back();
    types.pop_back();
    highest = std::max(highest, depth);
    for (const nodes::GroupPlan& group : level.plans()[type].groups)
      for (const nodes::FieldPlan& field : group.fields) {
        if (field.element || level.reference(field, node, 0) == schema::null_reference) continue;
        waiting.emplace_back(level.reference(field, node, 0), depth + 1);
        types.push_back(field.targets.front());
      }
  }
  return highest;
}

CoordinateList sorted_batch(std::int64_t rows, std::int64_t size) {
  std::vector<std::int32_t> i, j;
  std::vector<double> values(static_cast<std::size_t>(rows * size), 1.0);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < size; ++c) {
      i.push_back(static_cast<std::int32_t>(r));
      j.push_back(static_cast<std::int32_t>(c));
    }
  return {{rows, size},
          {Array::of(std::span<const std::int32_t>(i)), Array::of(std::span<const std::int32_t>(j))},
          Array::of(std::span<const double>(values))};
}

TEST(MiddleFirst, LeavesASearchTreeFlatThatGetsASortedBatch) {
  Engine engine{instrumented_jit()};
  for (const char* format : {"dense,bst", "bst,bst"}) {
    SCOPED_TRACE(format);
    const Format wanted = parse_format(format, 2);
    const Storage empty = stored_as(engine, empty_tensor(Type::Float64, {500, 1000}, array_format_of(wanted)), wanted);
    UpdatedTensor tensor(engine, empty);
    CoordinateList batch = sorted_batch(500, 1000);
    EXPECT_EQ(tensor.update(UpdateOperation::Add, batch), 500'000);
    const Storage made = tensor.storage();
    const nodes::LevelNodes last(nodes::arrays_of(made, 1));
    const nodes::LevelNodes first(nodes::arrays_of(made, wanted.level(0).is_dynamic() ? 0 : 1));
    EXPECT_LE(height(last, 17), 10);
    EXPECT_LE(height(first, 0), 10);
  }
}

}  // namespace
}  // namespace lacuna::middle_first_test
