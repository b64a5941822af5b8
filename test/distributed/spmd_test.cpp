// Tensors that ranks make together: contributed entries, parts that are there already, files.

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "distributed/shared_file.h"
#include "lacuna/api/lacuna.h"
#include "lacuna/distribute/tensors/contribute.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "support/message_of.h"

namespace lacuna::spmd_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr std::int64_t n = 13, m = 9;

class Spmd : public testing::Test {
 protected:
  int rank() const { return test_ranks()->rank(); }
  int ranks() const { return test_ranks()->ranks(); }
  EvaluateOptions on_ranks() const { return {.ranks = test_ranks()}; }
  PlacedFormat placed(const Format& format, const std::string& where, const std::string& machine = "Grid(3)") const {
    return {format, parse_distribution(where, parse_machine(machine)).distribution};
  }
  static double value(std::int64_t i, std::int64_t j) { return static_cast<double>(i * m + j % 5 + 1); }
  static bool is_stored(std::int64_t i, std::int64_t j) { return (i * 7 + j * 3) % 4 == 0; }

  /// B as one process has it.
  static Tensor<double> whole(const Format& format) {
    Tensor<double> B("B", {n, m}, format);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < m; ++j)
        if (is_stored(i, j)) B.insert({i, j}, value(i, j));
    return B;
  }
  /// Each rank inserts some entries, without a thought of where they belong.
  void insert_mine(Tensor<double>& B, double scale = 1) const {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < m; ++j)
        if (is_stored(i, j) && (i + j) % ranks() == rank()) B.insert({i, j}, scale * value(i, j));
  }

  IndexVar i_{"i"}, j_{"j"};
};

TEST_F(Spmd, RanksContributeEntries) {
  for (const Format& format :
       {csr_format(), csc_format(), coo_format(2), dense_format(2), parse_format("bst,ctree", 2)})
    for (const char* where : {"xy -> x", "xy -> y%2", "xy -> x[2,5]", "xy -> *", "xy -> 1", "xy -> ~(xy)"}) {
      if (std::string(where).find('~') != std::string::npos && !(format == csr_format())) continue;
      SCOPED_TRACE(format.to_string() + " " + where);
      Tensor<double> B("B", {n, m}, placed(format, where));
      insert_mine(B);
      B.contribute(*test_ranks());
      EXPECT_TRUE(B.equals(whole(format)));
    }
}

/// What lies in parts stays there, and further contributions are added to it.
TEST_F(Spmd, ContributionsAddUp) {
  for (const char* where : {"xy -> x", "xy -> ~(xy)"}) {
    Tensor<double> B("B", {n, m}, placed(csr_format(), where));
    insert_mine(B);
    B.contribute(*test_ranks());
    insert_mine(B, 2);
    B.insert({0, 1}, 1);  // by every rank
    B.contribute(*test_ranks());
    Tensor<double> expected("E", {n, m}, csr_format());
    const Tensor<double> once = whole(csr_format());
    expected(i_, j_) = once(i_, j_) * 3.0;
    expected.insert({0, 1}, ranks());
    EXPECT_TRUE(B.equals(expected));
  }
}

TEST_F(Spmd, ContributionsAreUsedWhereTheyLie) {
  Tensor<double> B("B", {n, m}, placed(csr_format(), "xy -> x"));
  insert_mine(B);
  B.contribute(*test_ranks());
  Tensor<double> c("c", {m}, placed(dense_format(1), "x -> *"));
  if (rank() == 0)
    for (std::int64_t j = 0; j < m; ++j) c.insert({j}, static_cast<double>(j + 1));
  c.contribute(*test_ranks());
  Tensor<double> a("a", {n}, placed(dense_format(1), "x -> x"));
  a(i_) = B(i_, j_) * c(j_);
  const Report report = a.evaluate(on_ranks());
  EXPECT_THAT(report.notes, Contains("operands: nothing moved"));
  Tensor<double> expected, ones({m});
  for (std::int64_t j = 0; j < m; ++j) ones.insert({j}, static_cast<double>(j + 1));
  expected(i_) = whole(csr_format())(i_, j_) * ones(j_);
  EXPECT_TRUE(a.equals(expected, 1e-12));
}

TEST_F(Spmd, MatricesOfEachRankAreContributed) {
  const std::vector<std::int64_t> pos = {0, 1, 2}, crd = {1, 0};
  const std::vector<double> values = {1, 2};
  Tensor<double> B = Tensor<double>::from_csr(2, 2, pos, crd, values);
  B.place(parse_distribution("xy -> x", parse_machine("Grid(2)")).distribution);
  B.contribute(*test_ranks());
  EXPECT_EQ(B.at({0, 1}), ranks());
  EXPECT_EQ(B.at({1, 0}), 2.0 * ranks());
}

TEST_F(Spmd, RefusesContributionsToNowhere) {
  Tensor<double> B("B", {n, m}, csr_format());
  EXPECT_THAT(message_of([&] { B.contribute(*test_ranks()); }), HasSubstr("B has no distribution"));
  const Tensor<double> E = whole(csr_format());
  B(i_, j_) = E(i_, j_) * 2.0;
  B.place(parse_distribution("xy -> x", parse_machine("Grid(2)")).distribution);
  EXPECT_THAT(message_of([&] { B.contribute(*test_ranks()); }), HasSubstr("B was computed on every rank"));
}

/// Arrays of a rank's own rows, cut as that program likes.
class Rows {
 public:
  Rows(std::int64_t begin, std::int64_t end, bool (*stored)(std::int64_t, std::int64_t),
       double (*value)(std::int64_t, std::int64_t))
      : rows_(end - begin) {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t j = 0; j < m; ++j) {
        if (!stored(i, j)) continue;
        crd_.push_back(static_cast<std::int32_t>(j));
        values.push_back(value(i, j));
      }
      pos_.push_back(std::ssize(crd_));
    }
  }
  Tensor<double> tensor() const { return Tensor<double>::from_csr(rows_, m, pos_, crd_, values); }
  std::vector<double> values;

 private:
  std::int64_t rows_;
  std::vector<std::int64_t> pos_ = {0};
  std::vector<std::int32_t> crd_;
};

TEST_F(Spmd, PartsAreUsedWhereTheyAre) {
  const PlacedFormat rows = placed(csr_format(), "xy -> x[2,7]");
  std::vector<Rows> mine;
  for (const std::vector<IndexSet>& part : local_parts({n, m}, rows, *test_ranks())) {
    const Interval of = part[0].empty() ? Interval{0, 0} : part[0].bounds();
    EXPECT_EQ(part[1], IndexSet::range(0, m));
    mine.emplace_back(of.begin, of.end, is_stored, value);
  }
  std::vector<Tensor<double>> parts;
  for (const Rows& each : mine) parts.push_back(each.tensor());
  const Tensor<double> B = Tensor<double>::from_parts({n, m}, rows, *test_ranks(), parts, "B");
  for (int step = 1; step < 4; ++step) {
    Tensor<double> c("c", {m}, placed(dense_format(1), "x -> x"));
    if (rank() == 0)
      for (std::int64_t j = 0; j < m; ++j) c.insert({j}, step);
    c.contribute(*test_ranks());
    Tensor<double> a("a", {n}, placed(dense_format(1), "x -> x[2,7]"));
    a(i_) = B(i_, j_) * c(j_);
    a.evaluate(on_ranks());
    Tensor<double> expected, ones({m});
    for (std::int64_t j = 0; j < m; ++j) ones.insert({j}, step * step);
    expected(i_) = whole(csr_format())(i_, j_) * ones(j_);
    EXPECT_TRUE(a.equals(expected, 1e-12)) << step;
    // The program's own arrays change: no copy of them was kept.
    for (Rows& each : mine)
      for (double& v : each.values) v = v / step * (step + 1);
  }
}

/// Where the same statement is run again, what others fetched of parts that changed in place is fetched again.
TEST_F(Spmd, PartsThatChangeInPlaceAreSentAgain) {
  const PlacedFormat blocks = placed(dense_format(1), "x -> x[4,5]");
  std::vector<std::vector<double>> mine;
  for (const std::vector<IndexSet>& part : local_parts({m}, blocks, *test_ranks()))
    mine.emplace_back(static_cast<std::size_t>(part[0].size()), 1.0);
  std::vector<Tensor<double>> parts;
  for (const std::vector<double>& each : mine) parts.push_back(Tensor<double>::from_dense({std::ssize(each)}, each));
  const Tensor<double> c = Tensor<double>::from_parts({m}, blocks, *test_ranks(), parts, "c");
  Tensor<double> B("B", {n, m}, placed(csr_format(), "xy -> x"));
  insert_mine(B);
  B.contribute(*test_ranks());
  Tensor<double> a("a", {n}, placed(dense_format(1), "x -> x"));
  for (int step = 1; step < 5; ++step) {
    a(i_) = B(i_, j_) * c(j_);
    a.evaluate(on_ranks());
    const Tensor<double> got = a;
    Tensor<double> expected, constant({m});
    for (std::int64_t j = 0; j < m; ++j) constant.insert({j}, step);
    expected(i_) = whole(csr_format())(i_, j_) * constant(j_);
    EXPECT_TRUE(got.equals(expected, 1e-12)) << step;
    for (std::vector<double>& each : mine)
      for (double& v : each) v += 1;
  }
}

TEST_F(Spmd, RefusesPartsThatDoNotFit) {
  const auto adopt = [&](const std::string& where, const Tensor<double>& part, std::size_t count) {
    return message_of([&] {
      Tensor<double>::from_parts({n, m}, placed(csr_format(), where, "Grid(1)"), *test_ranks(),
                                 std::vector<Tensor<double>>(rank() == 0 ? count : 0, part), "B");
    });
  };
  const Tensor<double> B = whole(csr_format());
  EXPECT_EQ(adopt("xy -> x", B, 1), "no error");
  EXPECT_THAT(adopt("xy -> x", B, 2), HasSubstr("B: this rank holds 1 part, but 2 are given"));
  EXPECT_THAT(adopt("xy -> x", B.transpose(), 1), HasSubstr("B: part 0 is 13 x 9, but 9 x 13 is given"));
  EXPECT_THAT(adopt("xy -> x", whole(coo_format(2)), 1), HasSubstr("convert it first, with to()"));
  EXPECT_THAT(adopt("xy -> ~(xy)", B, 1), HasSubstr("counts what is stored"));
}

TEST_F(Spmd, ReadsFilesByParts) {
  const SharedFile file("B.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 4\n1 1 1\n2 4 2\n3 1 3\n3 3 4\n");
  const Tensor<float> B = Tensor<float>::read(file.path(), placed(csr_format(), "xy -> x"), *test_ranks());
  EXPECT_EQ(B.dimensions(), (std::vector<std::int64_t>{3, 4}));
  Tensor<float> c("c", {4}, placed(dense_format(1), "x -> *"));
  for (std::int64_t j = 0; j < 4; ++j) c.insert({j}, static_cast<float>(j + 1));
  Tensor<float> a("a", {3}, placed(dense_format(1), "x -> x"));
  a(i_) = B(i_, j_) * c(j_);
  EXPECT_THAT(a.evaluate(on_ranks()).notes, Contains("operands: nothing moved"));
  const Tensor<float> all = a;
  EXPECT_EQ(all.at({0}), 1);
  EXPECT_EQ(all.at({1}), 8);
  EXPECT_EQ(all.at({2}), 15);
  EXPECT_THAT(message_of([&] { Tensor<double>::read("nowhere.mtx", placed(csr_format(), "xy -> x"), *test_ranks()); }),
              HasSubstr("nowhere.mtx"));
}

/// What ranks make one by one has to be the same; up to rounding.
TEST_F(Spmd, TensorsOfAllRanksAreCompared) {
  const auto run = [&](double difference, const Format& format) {
    return message_of([&] {
      Tensor<double> c("c", {m}, format);
      for (std::int64_t j = 0; j < m; ++j) c.insert({j}, static_cast<double>(j + 1) + (j == 3 ? difference : 0));
      Tensor<double> a("a", {m}, placed(dense_format(1), "x -> x"));
      a(i_) = c(i_) * 2.0;
      a.evaluate(on_ranks());
      const std::vector<double> first(1, a.at({3}));
    });
  };
  EXPECT_EQ(run(0, dense_format(1)), "no error");
  EXPECT_EQ(run(1e-9 * rank(), dense_format(1)), "no error");
  EXPECT_EQ(run(std::numeric_limits<double>::max(), dense_format(1)), "no error");
  if (ranks() == 1) return;
  EXPECT_THAT(run(rank(), dense_format(1)), HasSubstr("c has other entries on rank 1 than on rank 0"));
  Tensor<double> b("b", {m}, parse_format("compressed", 1));
  b.insert({rank() % m}, 1);
  Tensor<double> a("a", {m}, placed(dense_format(1), "x -> x"));
  a(i_) = b(i_) * 2.0;
  EXPECT_THAT(message_of([&] { a.evaluate(on_ranks()); }), HasSubstr("let them contribute these (contribute)"));
}

/// Numbers in a statement, too, also where a plan is kept that was made for others.
TEST_F(Spmd, NumbersOfAllRanksAreCompared) {
  Tensor<double> c("c", {m}, placed(dense_format(1), "x -> x")), a("a", {m}, placed(dense_format(1), "x -> x"));
  if (rank() == 0) c.insert({1}, 3.0);
  c.contribute(*test_ranks());
  const auto run = [&](double number) {
    return message_of([&] {
      a(i_) = number * c(i_);
      const Report report = a.evaluate(on_ranks());
      EXPECT_EQ(a.at({1}), 3 * number);
    });
  };
  EXPECT_EQ(run(0.5), "no error");
  EXPECT_EQ(run(0.25), "no error");
  if (ranks() == 1) return;
  EXPECT_THAT(run(0.25 + rank()), HasSubstr("rank 0 is at 'a(i) = 0.25 * c(i)', and rank 1 at 'a(i) = 1.25 * c(i)'"));
  EXPECT_EQ(run(0.75), "no error");
}

/// Also where that is said by the places of tensors only.
TEST_F(Spmd, MachinesOfAllRanksAreCompared) {
  const auto run = [&](const std::string& machine) {
    const PlacedFormat where = placed(dense_format(1), "x -> x", machine);
    Tensor<double> c("c", {m}, where), a("a", {m}, where);
    for (std::int64_t j = 0; j < m; ++j) c.insert({j}, 1);
    a(i_) = c(i_) * 2.0;
    return message_of([&] { a.evaluate(on_ranks()); });
  };
  EXPECT_EQ(run("Grid(3)"), "no error");
  if (ranks() == 1) return;
  EXPECT_THAT(run(rank() == ranks() - 1 ? "Grid(4)" : "Grid(3)"), HasSubstr("do not run the same program"));
}

/// Where MPI was begun before, it goes on when these ranks end.
TEST_F(Spmd, RanksOfAProgramThatBeganMpi) {
  for (int k = 0; k < 2; ++k) {
    const std::unique_ptr<Communicator> again = world();
    EXPECT_EQ(again->rank(), rank());
    ASSERT_EQ(again->ranks(), ranks());
    Tensor<double> B("B", {n, m}, placed(csr_format(), "xy -> x"));
    insert_mine(B);
    B.contribute(*again);
    EXPECT_TRUE(B.equals(whole(csr_format())));
  }
}

/// What lies in parts, and what each rank has.
TEST_F(Spmd, RanksWriteAFileTogether) {
  const SharedFile in_parts("parts.mtx", ""), in_whole("whole.mtx", "");
  const Tensor<double> B = whole(csr_format());
  Tensor<double> C("C", {n, m}, placed(csr_format(), "xy -> y"));
  C(i_, j_) = 2 * B(i_, j_);
  C.evaluate(on_ranks());
  C.write(in_parts.path(), *test_ranks());
  B.write(in_whole.path(), *test_ranks());
  test_ranks()->gather_all("written");
  EXPECT_EQ(difference(Tensor<double>::read(in_whole.path(), csr_format()).storage(), B.storage()), std::nullopt);
  EXPECT_EQ(difference(Tensor<double>::read(in_parts.path(), csr_format()).storage(), C.storage()), std::nullopt);
  EXPECT_THAT(message_of([&] { C.write("C.xyz", *test_ranks()); }), HasSubstr("the ending '.xyz' is unknown"));
  // What waits to be put in is put in on all ranks.
  C.insert({0, 0}, 7.5);
  C.write(in_whole.path(), *test_ranks());
  test_ranks()->gather_all("written");
  EXPECT_EQ(difference(Tensor<double>::read(in_whole.path(), csr_format()).storage(), C.storage()), std::nullopt);
}

/// Each rank makes its parts, and nobody all of it.
TEST_F(Spmd, RanksMakeTheirParts) {
  const Tensor<double> B = whole(dense_format(2));
  for (const Format& format :
       {dense_format(2), parse_format("dense:1,0", 2), csr_format(), parse_format("bst,ctree", 2)})
    for (const char* where : {"xy -> x", "xy -> y%2", "xy -> *", "xy -> ~x"}) {
      if (std::string(where) == "xy -> ~x" && !format.map().is_identity()) continue;  // which counts rows
      SCOPED_TRACE(format.to_string() + " " + where);
      const Distribution distribution = parse_distribution(where, parse_machine("Grid(3)")).distribution;
      const auto make = [&](const std::vector<IndexSet>& sets) {
        return convert(cut(whole_part(B.storage()), sets).storage, array_format_of(format));
      };
      const DistributedTensor made =
          made_by_parts({n, m}, format, Type::Float64, distribution, "B", *test_ranks(), make);
      EXPECT_EQ(made.format(), format);
      const Storage all = gathered(made, *test_ranks(), Recipients::All);
      EXPECT_EQ(difference(all, B.storage()), std::nullopt);
    }
}

/// What one rank fails to make is said by all.
TEST_F(Spmd, ARankThatMakesAWrongPartIsRefusedByAll) {
  const auto make = [&](const std::vector<IndexSet>& sets) {
    return empty_tensor(Type::Float64, {sets[0].size() + (rank() == 0 ? 1 : 0), sets[1].size()}, dense_format(2));
  };
  const Distribution rows = parse_distribution("xy -> x", parse_machine("Grid(3)")).distribution;
  EXPECT_THAT(message_of([&] {
                made_by_parts({n, m}, dense_format(2), Type::Float64, rows, "B", *test_ranks(), make);
              }),
              HasSubstr("B: part 0 is 5 x 9, but 6 x 9 is given"));
}

}  // namespace
}  // namespace lacuna::spmd_test
