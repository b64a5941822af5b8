#include "lacuna/runtime/kept_memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "lacuna/engine/engine.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::kept_memory_test {
namespace {

constexpr std::size_t large = std::size_t{64} << 20;

OwnedMemory block_of(std::size_t bytes) { return OwnedMemory(allocate_unzeroed(bytes)); }

TEST(KeptMemory, HandsALargeBlockOutAgain) {
  KeptMemory kept;
  EXPECT_EQ(kept.take(large), nullptr);
  OwnedMemory block = block_of(large);
  const void* at = block.get();
  kept.give(std::move(block));
  block = kept.take(large);
  EXPECT_EQ(block.get(), at);
  EXPECT_EQ(kept.take(large), nullptr) << "handed out twice";
}

TEST(KeptMemory, KeepsWhatFits) {
  KeptMemory kept;
  OwnedMemory block = block_of(large);
  const void* at = block.get();
  kept.give(std::move(block));
  EXPECT_EQ(kept.take(2 * large), nullptr) << "too small";
  EXPECT_EQ(kept.take(large / 2), nullptr) << "a waste";
  EXPECT_EQ(kept.take(large - large / 16).get(), at);
  kept.give(nullptr);
  kept.give(block_of(100));
  EXPECT_EQ(kept.take(100), nullptr) << "small blocks are malloc's business";
}

TEST(KeptMemory, FreesWhatWasLentAndNotTaken) {
  KeptMemory kept;
  OwnedMemory block = block_of(large);
  const void* at = block.get();
  kept.lend(std::move(block));
  block = kept.take(large);
  EXPECT_EQ(block.get(), at);
  kept.lend(std::move(block));
  kept.free_lent();
  EXPECT_EQ(kept.take(large), nullptr);
}

/// A large sparse sum.
Prepared prepared_sum(Engine& engine) {
  const Storage a = build(generate_banded(300000, 300000, 2, 1), csr_format()),
                b = build(generate_banded(300000, 300000, 1, 2), csr_format());
  Request request{parse_statement("C(i,j) = A(i,j) + B(i,j)"), {{"A", a}, {"B", b}}, csr_format(), {}, {}, {}};
  return engine.prepare(request, {});
}

std::set<const void*> arrays_of(const Storage& csr) {
  return {csr.levels[1].pos.data(), csr.levels[1].crd.data(), csr.values.data()};
}

TEST(KeptMemory, ResultsAreMadeInTheMemoryOfEarlierOnes) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Prepared sum = prepared_sum(engine);
  Storage result = sum.run();
  const std::set<const void*> first = arrays_of(result);
  sum.run_into(result);
  EXPECT_EQ(arrays_of(result), first);
  const Storage held = result;
  sum.run_into(result);
  EXPECT_EQ(arrays_of(held), first) << "somebody holds it";
  for (const void* array : arrays_of(result)) EXPECT_EQ(first.count(array), 0u);
  EXPECT_FALSE(difference(held, result).has_value());
}

}  // namespace
}  // namespace lacuna::kept_memory_test
