// Operands that ranks hold by parts: results and messages are those of operands that every rank has in whole.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/on_machine.h"
#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/sort.h"

namespace lacuna::held_operands_test {
namespace {

std::tuple<std::int64_t, std::int64_t, std::int64_t> numbers(const Traffic& t) {
  return {t.messages, t.bytes, t.farthest};
}

const std::map<std::string, std::int64_t> extents = {{"i", 13}, {"j", 11}, {"k", 9}};

const char* const unordered = "compressed(unordered,nonunique),singleton(unordered)";

/// Entries that are stored in any order, the last first.
Storage backwards(Storage matrix) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(matrix.values.size()));
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint32_t>(order.size() - 1 - k);
  const Array last_first = Array::of<std::uint32_t>(order);
  for (LevelStorage& level : matrix.levels) level.crd = gather(level.crd, last_first, 1);
  matrix.values = gather(matrix.values, last_first, 1);
  return matrix;
}

Request spmv(const std::string& format) {
  Request request = random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 40}}, {"c", {"dense", -1}}}, extents);
  Storage& B = request.operands.at("B");
  B = convert(B, parse_format(format, 2));
  if (format == unordered) B = backwards(B);
  return request;
}

Request mttkrp(const std::string& format) {
  Request request = random_request("A(i,l) = B(i,j,k) * C(j,l) * D(k,l)",
                                   {{"B", {"csf", 60}}, {"C", {"dense", -1}}, {"D", {"dense", -1}}},
                                   {{"i", 8}, {"j", 7}, {"k", 6}, {"l", 3}});
  Storage& B = request.operands.at("B");
  B = convert(B, parse_format(format, 3));
  return request;
}

const char* const nonzeros = "fuse(i,j,f), pos(f,fp,B(i,j)), divide(fp,fpo,fpi,M.x), distribute(fpo)";
const char* const tubes = "reorder(i,j,k,l), fuse(i,j,f), pos(f,fp,B(i,j,k)), divide(fp,fpo,fpi,M.x), distribute(fpo)";

/// Both ways: what moves is the same.
void expect_alike(const DistributedRequest& request) {
  DistributedReport whole, parts;
  EXPECT_EQ(run_and_compare(request, &whole), "");
  EXPECT_EQ(run_by_parts_and_compare(request, &parts), "");
  EXPECT_EQ(numbers(whole.fetches), numbers(parts.fetches));
  EXPECT_EQ(numbers(whole.reductions), numbers(parts.reductions));
}

TEST(HeldOperands, PositionsAreDealtOutOfParts) {
  for (const char* format : {"csr", "dcsr", "coo", "bitmap", "hashed", "dense,hashed", "compressed,dense", "dense"})
    for (const char* placed : {"xy -> x", "xy -> y", "xy -> x%2", "xy -> *", "xy -> 1"}) {
      SCOPED_TRACE(fmt::format("{} {}", format, placed));
      expect_alike(on_machine(spmv(format), "Grid(3)", {{"a", "x -> x"}, {"B", placed}, {"c", "x -> x"}}, nonzeros));
    }
}

/// Tubes are in parts that are cut by k several times; they count once.
TEST(HeldOperands, WhatPartsShareIsCountedOnce) {
  for (const char* format : {"csf", "dense,compressed,compressed", "compressed,dense,compressed", "coo"})
    for (const char* placed : {"xyz -> z", "xyz -> x", "xyz -> y", "xyz -> z%2"}) {
      SCOPED_TRACE(fmt::format("{} {}", format, placed));
      expect_alike(on_machine(mttkrp(format), "Grid(4)", {{"B", placed}}, tubes));
    }
}

/// Without a schedule, stretches of equal counts are computed where they are: found in parts as in the whole.
TEST(HeldOperands, ArePlacedByCounts) {
  for (const char* format : {"csr", "dcsr", "coo", "hashed", "dense,hashed", unordered})
    for (const char* placed : {"xy -> ~x", "xy -> ~(xy)"}) {
      SCOPED_TRACE(fmt::format("{} {}", format, placed));
      expect_alike(on_machine(spmv(format), "Grid(4)", {{"a", "x -> x"}, {"B", placed}, {"c", "x -> x"}}, ""));
      expect_alike(on_machine(spmv(format), "Grid(4)", {{"B", placed}}, nonzeros));
      expect_alike(on_machine(spmv(format), "Grid(4)", {{"B", placed}}, "distribute({i},{io},{ii},M)"));
    }
  for (const char* placed : {"xyz -> ~x", "xyz -> ~(xy)", "xyz -> ~(xyz)"})
    expect_alike(on_machine(mttkrp("csf"), "Grid(3)", {{"B", placed}}, ""));
  expect_alike(on_machine(spmv("csr"), "Grid(2),Grid(2)", {{"B", "xy -> x; zw -> ~(zw)"}}, ""));
  expect_alike(on_machine(spmv("dcsr"), "Grid(2,2)", {{"B", "xy -> ~x y"}}, ""));
}

/// The same parts, with the same entries, as cutting the whole gives.
TEST(HeldOperands, EqualCountsAreEqual) {
  for (const char* format : {"csr", "dcsr", "coo", "hashed", unordered, "compressed,dense"})
    for (const char* text : {"xy -> ~x", "xy -> ~(xy)"}) {
      const Storage B = convert(spmv("csr").operands.at("B"), parse_format(format, 2));
      const Distribution distribution = parse_distribution(text, parse_machine("Grid(4)")).distribution;
      const DistributedTensor whole(B, distribution, "B", *test_ranks());
      const DistributedTensorPtr held = by_parts(B, distribution, "B");
      for (const auto& [number, part] : whole.parts()) {
        EXPECT_EQ(held->part(number).sets, part.sets) << format << text;
        EXPECT_FALSE(difference(held->part(number).storage, part.storage, {})) << format << text;
      }
    }
}

/// What is added to may be held by parts, also elsewhere than it is wanted.
TEST(HeldOperands, SumsAreAddedToParts) {
  for (const char* format : {"dense", "csr", "dcsr", "coo"})
    for (const char* placed : {"xy -> x", "xy -> y", "xy -> ~x", "xy -> ~(xy)"}) {
      SCOPED_TRACE(fmt::format("{} {}", format, placed));
      Request request = random_request("A(i,j) += B(i,k) * C(k,j)",
                                       {{"A", {"csr", 30}}, {"B", {"csr", 30}}, {"C", {"csr", 30}}}, extents, format);
      Storage& A = request.operands.at("A");
      A = convert(A, parse_format(format, 2));
      expect_alike(on_machine(request, "Grid(3)", {{"A", placed}, {"B", "xy -> x"}}, "distribute({i},{io},{ii},M)"));
    }
}

/// A result that is asked to lie by what it stores, which is known when it is there.
TEST(HeldOperands, ResultsArePlacedByCounts) {
  for (const char* format : {"csr", "dcsr", "coo"})
    for (const char* placed : {"xy -> ~x", "xy -> ~(xy)"}) {
      SCOPED_TRACE(fmt::format("{} {}", format, placed));
      const Request request =
          random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"csr", 30}}, {"C", {"csr", 30}}}, extents, format);
      EXPECT_EQ(run_and_compare(
                    on_machine(request, "Grid(4)", {{"A", placed}, {"B", "xy -> x"}}, "distribute({i},{io},{ii},M)")),
                "");
    }
}

TEST(HeldOperands, MistakesAreNamed) {
  DistributedRequest request = by_parts(on_machine(spmv("csr"), "Grid(3)", {{"B", "xy -> x"}}, ""));
  const auto refusal = [&] {
    try {
      plan_distributed(request, *test_ranks());
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal(), "accepted");
  request.placed.clear();
  request.machine = Machine{Grid(2)};
  EXPECT_THAT(refusal(), testing::HasSubstr("B is placed on the machine Grid(3), but the statement runs on Grid(2)"));
  request.machine.reset();
  request.placed.emplace("B", parse_distribution("xy -> y", parse_machine("Grid(3)")).distribution);
  EXPECT_THAT(refusal(), testing::HasSubstr("B is to be placed as xy -> y, but has another distribution"));
}

}  // namespace
}  // namespace lacuna::held_operands_test
