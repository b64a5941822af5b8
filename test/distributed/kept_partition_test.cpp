// Results that are asked to lie by what they store, where an operand with the same entries does: nothing moves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/tensor/convert.h"

namespace lacuna::kept_partition_test {
namespace {

struct Kept {
  std::string statement;
  std::map<std::string, RandomOperand> operands;
  std::map<std::string, std::string> placed;
  std::string format;  // of the result
};
void PrintTo(const Kept& kept, std::ostream* out) { *out << kept.statement << " " << kept.placed.at("A"); }

const std::map<std::string, std::int64_t> sizes = {{"i", 13}, {"j", 11}, {"k", 9}, {"l", 3}};

std::vector<Kept> kept_cases() {
  const std::string sampled = "A(i,j) = B(i,j) * C(i,k) * D(k,j)", scaled = "A(i,j) = 2 * B(i,j) / d(i)";
  const std::string vector = "A(i,j) = B(i,j,k) * c(k)", matrix = "A(i,j,l) = B(i,j,k) * C(k,l)";
  const RandomOperand full = {"dense", -1};
  const auto two = [&](const char* format, std::int64_t entries) {
    return std::map<std::string, RandomOperand>{{"B", {format, entries}}, {"C", full}, {"D", full}};
  };
  const std::map<std::string, std::string> by_entries = {{"A", "xy -> ~(xy)"}, {"B", "xy -> ~(xy)"}};
  return {
      {sampled, two("csr", 40), by_entries, "csr"},
      {sampled, two("csc", 40), {{"A", "xy -> ~(yx)"}, {"B", "xy -> ~(yx)"}}, "csc"},
      {sampled, two("dcsr", 40), by_entries, "dcsr"},
      {sampled, two("dcsr", 40), {{"A", "xy -> ~x"}, {"B", "xy -> ~x"}}, "dcsr"},
      {sampled, two("csr", 2), by_entries, "csr"},  // fewer entries than processors
      {scaled, {{"B", {"csr", 40}}, {"d", full}}, by_entries, "csr"},
      {vector, {{"B", {"csf", 60}}, {"c", full}}, {{"A", "xy -> ~(xy)"}, {"B", "xyz -> ~(xy)"}}, "dcsr"},
      {matrix,
       {{"B", {"csf", 60}}, {"C", full}},
       {{"A", "xyz -> ~(xy)"}, {"B", "xyz -> ~(xy)"}},
       "compressed,compressed,dense"},
  };
}

DistributedRequest on_lines(const Kept& kept) {
  return on_machine(random_request(kept.statement, kept.operands, sizes, kept.format), "Grid(4)", kept.placed, "");
}

DistributedTensor run_in_interpreter(const DistributedRequest& request) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  return run_distributed(engine, request, *test_ranks(), options);
}

class KeptPartitions : public testing::TestWithParam<Kept> {};

TEST_P(KeptPartitions, MoveNothingOfTheResult) {
  const DistributedRequest request = on_lines(GetParam());
  DistributedReport whole, parts;
  EXPECT_EQ(run_and_compare(request, &whole), "");
  EXPECT_EQ(run_by_parts_and_compare(request, &parts), "");
  EXPECT_EQ(whole.reductions.messages, 0);
  EXPECT_EQ(parts.reductions.messages, 0);
}

/// It may be placed elsewhere afterwards, and be an operand that lies by what it stores.
TEST_P(KeptPartitions, AreThoseOfTheResult) {
  const DistributedRequest request = by_parts(on_lines(GetParam()));
  const DistributedTensor result = run_in_interpreter(request);
  ASSERT_TRUE(result.distribution());
  EXPECT_EQ(*result.distribution(), request.placed.at("A"));
  const Storage whole = gathered(result, *test_ranks(), Recipients::All);
  const DistributedTensor cut(whole, *result.distribution(), "A", *test_ranks());
  for (const auto& [number, part] : cut.parts()) {
    EXPECT_EQ(result.part(number).storage.stored(), part.storage.stored()) << number;
    EXPECT_FALSE(difference(result.part(number).storage, part.storage, {})) << number;
  }
}

INSTANTIATE_TEST_SUITE_P(OfOperands, KeptPartitions, testing::ValuesIn(kept_cases()));

/// Where an operand leaves entries out, equal counts are others; the result is right and lies by them.
TEST(KeptPartition, IsNotThatOfAnOperandWithOtherEntries) {
  const Kept kept{"A(i,j) = B(i,j) * C(i,j)",
                  {{"B", {"csr", 60}}, {"C", {"csr", 60}}},
                  {{"A", "xy -> ~(xy)"}, {"B", "xy -> ~(xy)"}},
                  "csr"};
  const DistributedRequest request = on_lines(kept);
  EXPECT_EQ(run_and_compare(request), "");
  EXPECT_EQ(run_by_parts_and_compare(request), "");
  const DistributedTensor result = run_in_interpreter(by_parts(request));
  std::int64_t least = result.stored(), most = 0;
  for (const auto& [number, part] : result.parts()) {
    least = std::min(least, part.storage.stored());
    most = std::max(most, part.storage.stored());
  }
  EXPECT_LE(most - least, 1);
}

}  // namespace
}  // namespace lacuna::kept_partition_test
