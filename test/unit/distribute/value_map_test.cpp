#include "lacuna/distribute/parts/value_map.h"

#include <gtest/gtest.h>

#include "lacuna/tensor/build.h"

namespace lacuna::value_map_test {
namespace {

/// A vector of six numbers, of which those at some places are stored.
LocalPart stored_at(const std::vector<std::int64_t>& places, const std::vector<double>& values) {
  CoordinateList list{{6}, {Array::allocate(coordinate_type(6), std::ssize(places), false)}, Array::of<double>(values)};
  for (std::size_t k = 0; k < places.size(); ++k)
    list.coordinates[0].mutable_view<std::int32_t>()[k] = static_cast<std::int32_t>(places[k]);
  return whole_part(build(list, parse_format("compressed", 1)));
}

std::vector<double> values_of(const Array& array) {
  const auto all = array.view<double>();
  return {all.begin(), all.end()};
}

TEST(ValueMap, FollowsWhatIsCut) {
  const LocalPart all = stored_at({0, 2, 3, 5}, {1, 2, 3, 4});
  const std::vector<IndexSet> some = {IndexSet::of_coordinates({0, 3, 4, 5})};
  LocalPart part = cut(all, some);
  const std::optional<ValueMap> map = ValueMap::between(part.storage, cut(numbered(all), some).storage);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->size(), 3);
  EXPECT_EQ(map->stretch_from(), std::nullopt);
  take_own_values(part);
  const std::vector<double> other = {10, 20, 30, 40};
  map->copy(other.data(), part.storage.values.mutable_data());
  EXPECT_EQ(values_of(part.storage.values), (std::vector<double>{10, 30, 40}));
}

TEST(ValueMap, TellsWhatLiesAsItIsWanted) {
  const LocalPart all = stored_at({0, 2, 3, 5}, {1, 2, 3, 4});
  const std::vector<IndexSet> last = {IndexSet::range(2, 6)};
  const std::optional<ValueMap> map = ValueMap::between(cut(all, last).storage, cut(numbered(all), last).storage);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->stretch_from(), 8);
  EXPECT_EQ(map->stretch_to(), std::nullopt);  // the first of what it comes from goes nowhere
}

/// What has no order may be stored in another one than what is put together of it (found by fuzzing).
TEST(ValueMap, IsForOneOrder) {
  LocalPart made = stored_at({2, 5}, {1, 2});
  const LocalPart in_order = made;
  made.storage.format = parse_format("compressed(unordered)", 1);
  EXPECT_TRUE(ValueMap::into(made, numbered(made)));
  const std::vector<std::int32_t> backwards = {5, 2};
  made.storage.levels[0].crd = Array::of<std::int32_t>(backwards);
  EXPECT_FALSE(ValueMap::into(made, numbered(made)));
  EXPECT_TRUE(ValueMap::into(in_order, numbered(in_order)));
}

TEST(ValueMap, PutsPartsTogetherAndAddsThemUp) {
  const LocalPart a = stored_at({0, 2, 5}, {1, 2, 3}), b = stored_at({2, 3, 5}, {4, 5, 6});
  const PartShape shape = shape_of(a.storage);
  LocalPart sum = add_up({a, b}, a.sets, shape);
  ASSERT_EQ(values_of(sum.storage.values), (std::vector<double>{1, 6, 5, 9}));
  const std::optional<ValueMap> from_a = ValueMap::into(sum, numbered(a)), from_b = ValueMap::into(sum, numbered(b));
  ASSERT_TRUE(from_a && from_b);
  EXPECT_EQ(from_a->moved(), 3);
  EXPECT_EQ(from_b->stretch_to(), 8);
  take_own_values(sum);
  void* to = sum.storage.values.mutable_data();
  const std::vector<double> of_a = {10, 20, 30}, of_b = {1, 2, 3};
  from_a->put(of_a.data(), to);
  from_b->add(of_b.data(), to);
  EXPECT_EQ(values_of(sum.storage.values), (std::vector<double>{10, 21, 7, 33}));
}

/// Entries at one coordinate would be added up on the way.
TEST(ValueMap, CannotTellEntriesApartThatMayBeStoredTwice) {
  const Storage twice = build(
      {{6}, {Array::of<std::int32_t>(std::vector<std::int32_t>{1, 4})}, Array::of<double>(std::vector<double>{1, 2})},
      parse_format("compressed(nonunique)", 1));
  EXPECT_FALSE(ValueMap::between(twice, numbered(twice)));
}

}  // namespace
}  // namespace lacuna::value_map_test
