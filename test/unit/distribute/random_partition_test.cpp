// Random tensors of all formats under random distributions on random machines, compared with the definition.

#include <algorithm>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "fuzz/statement/draw.h"
#include "lacuna/distribute/parts/partition.h"
#include "lacuna/tensor/build.h"
#include "unit/distribute/definition.h"
#include "unit/tensor/samples.h"

namespace lacuna::random_partition_test {
namespace {

using fuzz::Random;
using testing::Entry;
using testing::StoredEntry;

Machine draw_machine(Random& random) {
  std::vector<Grid> grids;
  std::int64_t left = 64;
  const int levels = random.weighted({0, 60, 30, 10});
  for (int k = 0; k < levels; ++k) {
    std::vector<std::int64_t> sizes;
    const int dimensions = random.weighted({0, 50, 35, 15});
    for (int d = 0; d < dimensions; ++d) {
      sizes.push_back(1 + random.below(static_cast<int>(std::min<std::int64_t>(left, k == 0 && d == 0 ? 64 : 5))));
      left /= sizes.back();
    }
    grids.emplace_back(sizes);
  }
  return Machine(std::move(grids));
}

std::vector<std::int64_t> draw_begins(Random& random, std::int64_t pieces) {
  std::vector<std::int64_t> begins;
  for (std::int64_t p = 1; p < pieces; ++p) begins.push_back(random.below(24));
  std::sort(begins.begin(), begins.end());
  return begins;
}

std::vector<DistTarget> draw_targets(Random& random, const std::vector<DistVar>& names, const Format& format,
                                     const Grid& grid) {
  std::vector<int> free(names.size());
  std::iota(free.begin(), free.end(), 0);
  random.shuffle(free);
  bool counted = false;
  std::vector<DistTarget> targets;
  for (int d = 0; d < grid.dimensions(); ++d) {
    const int what = random.weighted({free.empty() ? 0 : 40, free.empty() ? 0 : 15, counted ? 0 : 25, 8, 12});
    if (what == 0 || what == 1) {
      const DistVar& name = names[static_cast<std::size_t>(free.back())];
      free.pop_back();
      if (what == 0) targets.emplace_back(name);
      else if (random.percent(50)) targets.push_back(cyclic(name, 1 + random.below(3)));
      else targets.push_back(blocks(name, draw_begins(random, grid.size(d))));
    } else if (what == 2 && free.size() == names.size() && !names.empty()) {
      // As many of the outermost levels as drawn.
      std::vector<DistVar> fused;
      const int depth = 1 + random.below(format.order());
      for (int k = 0; k < depth; ++k) {
        const int mode = format.map().mode_of(k);
        fused.push_back(names[static_cast<std::size_t>(mode)]);
        free.erase(std::find(free.begin(), free.end(), mode));
      }
      targets.push_back(nonzeros(fused));
      counted = true;
    } else if (what == 3) {
      targets.emplace_back(random.below(static_cast<int>(grid.size(d))));
    } else {
      targets.push_back(broadcast());
    }
  }
  return targets;
}

Distribution draw_distribution(Random& random, const Format& format, const Machine& machine) {
  std::vector<DistVar> names(static_cast<std::size_t>(format.order()));  // each made by itself, and so distinct
  Distribution distribution(names, machine, draw_targets(random, names, format, machine.level(0)));
  for (int k = 1; k < machine.levels() && !random.percent(20); ++k)
    distribution = distribution.then(names, draw_targets(random, names, format, machine.level(k)));
  return distribution;
}

/// A tensor of some format; none where the format cannot hold the entries drawn.
std::optional<Storage> draw_tensor(Random& random) {
  const int order = random.weighted({2, 20, 35, 25, 18});
  const Format format = fuzz::draw_format(random, order);
  if (format.has_nodes()) return std::nullopt;
  std::vector<std::int64_t> dimensions;
  std::int64_t cells = 1;
  for (int m = 0; m < order; ++m) {
    dimensions.push_back(random.percent(3) ? 0 : 1 + random.below(order < 3 ? 20 : 6));
    cells *= dimensions.back();
  }
  const int entries = order == 0 ? 1 : random.below(static_cast<int>(std::min<std::int64_t>(cells + 1, 90)));
  try {
    return build(testing::random_list(dimensions, entries, random.next()), format);
  } catch (const Error&) {
    return std::nullopt;  // two entries under one parent of a singleton
  }
}

using Sorted = std::vector<std::pair<std::vector<std::int64_t>, double>>;

Sorted entries_in(const std::vector<Storage>& tiles) {
  Sorted all;
  for (const Storage& tile : tiles) {
    for (const Entry& entry : testing::entries_of(tile)) all.emplace_back(entry.coordinate, entry.value);
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::string describe(const Storage& tensor, const Distribution& distribution, std::uint64_t seed) {
  return fmt::format("seed {}: {} of {} by {} on {}", seed, tensor.format.to_string(),
                     fmt::join(tensor.dimensions, "x"), distribution.to_string(), distribution.machine().to_string());
}

void check_pieces(const Storage& tensor, const Partition& parts) {
  const std::vector<StoredEntry> entries = testing::stored_entries(tensor);
  const std::vector<std::int64_t> colours = testing::colours_by_definition(tensor, entries, parts.distribution());
  std::vector<Sorted> expected(static_cast<std::size_t>(parts.colours()));
  for (std::size_t e = 0; e < entries.size(); ++e)
    expected[static_cast<std::size_t>(colours[e])].emplace_back(entries[e].coordinate, entries[e].value);
  for (std::int64_t c = 0; c < parts.colours(); ++c) {
    Sorted& mine = expected[static_cast<std::size_t>(c)];
    std::sort(mine.begin(), mine.end());
    for (const PieceMemory memory : {PieceMemory::InPlace, PieceMemory::Packed}) {
      const std::vector<Storage> tiles = parts.tiles(c, memory);
      for (const Storage& tile : tiles) {
        ASSERT_NO_THROW(validate(tile, "piece")) << "colour " << c;
        ASSERT_EQ(tile.format, tensor.format);
        ASSERT_EQ(tile.dimensions, tensor.dimensions);
      }
      ASSERT_EQ(entries_in(tiles), mine) << "colour " << c;
    }
    ASSERT_EQ(parts.size_of(c).entries, std::ssize(mine));
  }
}

/// Which colour is where, from what is said of each dimension.
void check_places(const Partition& parts) {
  const Machine& machine = parts.distribution().machine();
  std::vector<std::vector<std::int64_t>> holders(static_cast<std::size_t>(parts.colours()));
  for (std::int64_t p = 0; p < machine.processors(); ++p) {
    const std::vector<std::int64_t> point = machine.point(p);
    ASSERT_EQ(machine.number(point), p);
    std::int64_t colour = 0;
    bool here = true;
    std::size_t next = 0;
    for (int k = 0; k < machine.levels(); ++k) {
      for (int d = 0; d < machine.level(k).dimensions(); ++d) {
        const Share& share =
            parts.distribution().clauses()[static_cast<std::size_t>(k)].shares[static_cast<std::size_t>(d)];
        if (share.kind == DistTarget::Kind::Fixed) here = here && point[next] == share.number;
        if (share.partitions()) colour = colour * machine.level(k).size(d) + point[next];
        ++next;
      }
    }
    ASSERT_EQ(parts.colour_at(p), here ? std::optional(colour) : std::nullopt) << p;
    if (here) holders[static_cast<std::size_t>(colour)].push_back(p);
  }
  for (std::int64_t c = 0; c < parts.colours(); ++c)
    ASSERT_EQ(parts.processors_of(c), holders[static_cast<std::size_t>(c)]) << "colour " << c;
}

class RandomPartitions : public ::testing::TestWithParam<int> {};

TEST_P(RandomPartitions, HoldEachEntryWhereTheDefinitionSays) {
  int checked = 0, refused = 0;
  for (std::uint64_t n = 0; n < 500; ++n) {
    const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * 1000 + n;
    Random random(seed);
    const std::optional<Storage> tensor = draw_tensor(random);
    if (!tensor) continue;
    const Distribution distribution = draw_distribution(random, tensor->format, draw_machine(random));
    SCOPED_TRACE(describe(*tensor, distribution, seed));
    std::optional<Partition> parts;
    try {
      parts = partition(*tensor, distribution);
    } catch (const Error& error) {
      ASSERT_NE(std::string(error.what()).find("singleton level below a dense one"), std::string::npos) << error.what();
      ++refused;
      continue;
    }
    check_pieces(*tensor, *parts);
    check_places(*parts);
    if (HasFatalFailure()) return;
    ++checked;
  }
  EXPECT_GT(checked, 300);
  EXPECT_LT(refused, 30);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPartitions, ::testing::Range(0, 8));

/// All formats that there are, each under every kind of distribution.
TEST(EveryFormat, IsCutByRangesBlocksAndCounts) {
  const std::vector<std::int64_t> sizes = {7, 5, 4};
  for (int order = 1; order <= 3; ++order) {
    const std::vector<std::int64_t> dimensions(sizes.begin(), sizes.begin() + order);
    for (const Format& format : testing::every_format(order)) {
      const Storage tensor = build(testing::random_list(dimensions, 20, 3), format);
      const std::string letters = std::string("xyz").substr(0, static_cast<std::size_t>(order));
      const std::vector<std::string> all = {"~x", "~(" + letters + ")", "x%2", letters.substr(letters.size() - 1)};
      for (const std::string& targets : all) {
        const Machine machine(Grid(3));
        const Distribution distribution = parse_distribution(letters + " -> " + targets, machine).distribution;
        SCOPED_TRACE(describe(tensor, distribution, 0));
        check_pieces(tensor, partition(tensor, distribution));
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace lacuna::random_partition_test
