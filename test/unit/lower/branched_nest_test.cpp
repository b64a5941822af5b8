// SparseLNR's Figure 2d: SDDMM and SpMM share their outer loops, each with an inner loop of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"
#include "unit/lower/hand_program.h"

namespace lacuna::branched_nest_test {
namespace {

using concrete::Assembly;

constexpr std::int64_t I = 20, J = 25, K = 6, L = 9, stored = 60;

Operands operands(const std::string& format_of_B, const std::string& format_of_E) {
  return {{"B", build(generate_uniform({I, J}, stored, 1), parse_format(format_of_B, 2))},
          {"C", generate_dense({I, K}, 2)},
          {"D", generate_dense({J, K}, 3)},
          {"E", build(generate_uniform({J, L}, format_of_E == "dense" ? J * L : J * L / 2, 4),
                      parse_format(format_of_E, 2))}};
}

HandProgram hand(const Operands& operands, const std::string& format) {
  HandProgram program("A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)", operands, format,
                      format == "dense" ? Assembly::Random : Assembly::Append);
  program.scalar("t");
  return program;
}

concrete::Stmt sampled_product(const HandProgram& p) {
  return p.forall("k", p.assign("t += B(i,j) * C(i,k) * D(j,k)"));
}

concrete::Program fused(const HandProgram& p) {
  const auto consumer = p.forall("l", p.assign("A(i,l) += t * E(j,l)"));
  return p.with(p.forall("i", p.forall("j", concrete::where(consumer, sampled_product(p)))));
}

TEST(BranchedNest, BothInnerLoopsRunOnceAnEntryOfTheSharedLoops) {
  const Operands data = operands("csr", "dense");
  const HandProgram p = hand(data, "dense");
  const HandRun ran = run(p, fused(p), data);
  EXPECT_EQ(wrong(p, data, ran.result), "");
  EXPECT_EQ(ran.counters.trips.at("i"), I);
  EXPECT_EQ(ran.counters.trips.at("pB2"), stored);
  EXPECT_EQ(ran.counters.trips.at("k"), stored * K);
  EXPECT_EQ(ran.counters.trips.at("l"), stored * L);
  // Two products and a sum for each k, a product and a sum for each l: K + L instead of K * L.
  EXPECT_EQ(ran.counters.operations, stored * (3 * K + 2 * L));
}

TEST(BranchedNest, OneNestDoesTheProductOfBothLoops) {
  const Operands data = operands("csr", "dense");
  const HandProgram p = hand(data, "dense");
  const auto all = p.assign("A(i,l) += B(i,j) * C(i,k) * D(j,k) * E(j,l)");
  const HandRun ran = run(p, p.with(p.forall("i", p.forall("j", p.forall("k", p.forall("l", all))))), data);
  EXPECT_EQ(wrong(p, data, ran.result), "");
  EXPECT_EQ(ran.counters.trips.at("l"), stored * K * L);
  EXPECT_GT(ran.counters.operations, stored * (3 * K + 2 * L) * 3);
}

TEST(BranchedNest, WorksOverEveryStorageOfWhatTheLoopsShareAndConsume) {
  for (const char* B : {"csr", "dcsr", "coo", "bitmap", "dense", "hashed"}) {
    for (const char* E : {"dense", "csr", "dcsr", "bitmap", "hashed"}) {
      const Operands data = operands(B, E);
      const HandProgram p = hand(data, "dense");
      EXPECT_EQ(wrong(p, data, run(p, fused(p), data).result), "") << B << " " << E;
    }
  }
}

TEST(BranchedNest, ASparseResultIsGatheredInAWorkspaceFedByTheProducer) {
  const Operands data = operands("csr", "csr");
  HandProgram p = hand(data, "csr");
  p.workspace("w", "l");
  const auto feed = concrete::where(p.forall("l", p.assign("w(l) += t * E(j,l)")), sampled_product(p));
  const auto row = concrete::where(p.forall("l", p.assign("A(i,l) = w(l)")), p.forall("j", feed));
  const HandRun ran = run(p, p.with(p.forall("i", row)), data);
  EXPECT_EQ(wrong(p, data, ran.result), "");
  EXPECT_EQ(ran.counters.trips.at("k"), stored * K);
}

}  // namespace
}  // namespace lacuna::branched_nest_test
