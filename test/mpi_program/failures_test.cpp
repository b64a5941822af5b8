// What fails on one rank is thrown on all (Failures::Throw), and they go on.

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/api/lacuna.h"
#include "lacuna/api/mpi.h"
#include "lacuna/engine/engine.h"
#include "mpi_program/rows_of_rank.h"
#include "support/failing_ranks.h"

namespace lacuna::failures_test {
namespace {

using testing::HasSubstr;

class MpiFailures : public testing::Test {
 protected:
  static constexpr std::int64_t n = 40;

  int rank() const { return ranks_->rank(); }
  int last() const { return ranks_->ranks() - 1; }
  EvaluateOptions on_ranks() { return {.ranks = &failing_}; }

  /// The kind and the message of what an action throws, or nothing; which has to be the same on all ranks.
  template <typename Action>
  std::string thrown(const Action& action) const {
    std::string said;
    try {
      action();
    } catch (const Error& error) {
      said = std::string("Error: ") + error.what();
    } catch (const RuntimeFailure& failure) {
      said = std::string("RuntimeFailure: ") + failure.what();
    } catch (const std::exception& other) {
      said = std::string("bug: ") + other.what();
    }
    std::array<char, 200> text{}, first{};
    said.copy(text.data(), text.size() - 1);
    first = text;
    MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    EXPECT_STREQ(text.data(), first.data());
    return said;
  }

  Tensor<double> ones() {
    Tensor<double> x("x", {n}, mine_.blocked(failing_));
    for (std::int64_t i = mine_.begin; i < mine_.end; ++i) x.insert({i}, 1);
    x.contribute(failing_);
    return x;
  }
  /// Of a result of A times ones.
  void expect_row_sums(const Tensor<double>& y, double scale = 1) const {
    std::int64_t row = mine_.begin;
    for (const double v : y.values()) {
      EXPECT_EQ(v, scale * (2 * static_cast<double>(row + 1) + (row + 1 < n ? 1 : 0))) << row;
      ++row;
    }
    EXPECT_EQ(row, mine_.end);
  }
  /// What the ranks do is as if nothing had been.
  void expect_all_works() {
    const Tensor<double> A = mine_.matrix(failing_), x = ones();
    Tensor<double> y("y", {n}, mine_.blocked(failing_));
    y(i_) = A(i_, j_) * x(j_);
    y.evaluate(on_ranks());
    expect_row_sums(y);
    EXPECT_EQ(y.at({0}), 3);
  }
  /// A path that all have.
  std::string shared_path(const std::string& name) const {
    std::array<char, 200> folder{};
    if (rank() == 0) {
      const std::string pattern = (std::filesystem::temp_directory_path() / "lacuna-XXXXXX").string();
      pattern.copy(folder.data(), folder.size() - 1);
      if (mkdtemp(folder.data()) == nullptr) ADD_FAILURE() << "no folder";
    }
    MPI_Bcast(folder.data(), static_cast<int>(folder.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    return std::string(folder.data()) + "/" + name;
  }
  void remove(const std::string& path) const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) std::filesystem::remove_all(std::filesystem::path(path).parent_path());
  }

  std::unique_ptr<Communicator> ranks_ = world(MPI_COMM_WORLD, Failures::Throw);
  FailingRanks failing_{*ranks_};
  RowsOfRank mine_{n, 2, *ranks_};
  IndexVar i_{"i"}, j_{"j"};
};

TEST_F(MpiFailures, AreNoneWhereAllGoesWell) { expect_all_works(); }

TEST_F(MpiFailures, OfAKernelThatOneCannotCompile) {
  const Tensor<double> A = mine_.matrix(failing_), x = ones();
  Tensor<double> y("y", {n}, mine_.blocked(failing_));
  y(i_) = A(i_, j_) * x(j_) * 3.0;
  Engine without_compiler(JitOptions{"/nowhere/cc", default_c_flags(), "", ""});
  EvaluateOptions options = on_ranks();
  if (rank() == last()) options.engine = &without_compiler;
  EXPECT_THAT(thrown([&] { y.evaluate(options); }),
              HasSubstr(fmt::format("RuntimeFailure: on rank {} of {}: there is no C compiler '/nowhere/cc'", last(),
                                    last() + 1)));
  y.evaluate(on_ranks());  // what was assigned is still to be computed
  expect_row_sums(y, 3);
}

/// Each message that a rank sends or gets for it, in turn: of the plan, of runs of it, and of what is gathered.
TEST_F(MpiFailures, OfEachMessageOfAPlan) {
  const Tensor<double> A = mine_.matrix(failing_), x = ones();
  for (int who = 0; who <= last(); ++who)
    for (const bool sends : {true, false}) {
      int failures = 0;
      for (bool failed = true; failed; ++failures) {
        Tensor<double> y("y", {n}, mine_.blocked(failing_));
        if (rank() == who) sends ? failing_.fail_at_send(failures) : failing_.fail_at_receive(failures);
        const std::string said = thrown([&] {
          for (int run = 0; run < 4; ++run) {
            y(i_) = A(i_, j_) * x(j_);
            y.evaluate(on_ranks());
          }
          EXPECT_EQ(y.at({n - 1}), 2 * n);
        });
        failing_.recover();
        failed = !said.empty();
        const std::string expected =
            fmt::format("RuntimeFailure: on rank {} of {}: the network is down", who, last() + 1);
        EXPECT_EQ(said, failed ? expected : "");
        expect_all_works();
      }
      EXPECT_GT(failures, 1) << who;
    }
}

/// Messages that are on their way when it fails, and too large to be there already.
TEST_F(MpiFailures, WhileLargeMessagesAreOnTheirWay) {
  const std::int64_t many = 300'000, p = ranks_->ranks();
  const DistVar x, y;
  const Machine machine{Grid(p)};
  Tensor<double> B("B", {p, many}, {dense_format(2), Distribution({x, y}, machine, {x})});
  Tensor<double> c("c", {many}, {dense_format(1), Distribution({x}, machine, {x})});
  for (std::int64_t k = 0; k < many; ++k)
    if (k * p / many == rank()) c.insert({k}, 1);
  B.insert({rank(), rank()}, 5);
  B.contribute(failing_);
  c.contribute(failing_);
  for (int who = 0; who < p; ++who)
    for (int after = 0; after < 2; ++after) {
      Tensor<double> a("a", {p}, {dense_format(1), Distribution({x}, machine, {x})});
      a(i_) = B(i_, j_) * c(j_);
      if (rank() == who) failing_.fail_at_send(after);
      thrown([&] { a.evaluate(on_ranks()); });
      failing_.recover();
      expect_all_works();
      Tensor<double> again("again", {p}, {dense_format(1), Distribution({x}, machine, {x})});
      again(i_) = B(i_, j_) * c(j_);
      again.evaluate(on_ranks());
      EXPECT_EQ(again.values()[0], 5);
    }
}

TEST_F(MpiFailures, OfAContribution) {
  for (int who = 0; who <= last(); ++who) {
    int failures = 0;
    for (bool failed = true; failed; ++failures) {
      Tensor<double> x("x", {n}, mine_.blocked(failing_));
      for (std::int64_t i = 0; i < n; ++i) x.insert({i}, 1);
      if (rank() == who) failing_.fail_at_send(failures);
      failed = !thrown([&] { x.contribute(failing_); }).empty();
      failing_.recover();
      if (failed) x.contribute(failing_);  // what it was given is there still, and once
      for (const double v : x.values()) EXPECT_EQ(v, last() + 1);
    }
    EXPECT_GT(failures, 1) << who;
  }
}

TEST_F(MpiFailures, OfAFileThatIsWrong) {
  const std::string path = shared_path("wrong.mtx");
  const auto write = [&](const char* last_line) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) {
      std::ofstream file(path);
      file << "%%MatrixMarket matrix coordinate real general\n40 40 40\n";
      for (int i = 1; i < 40; ++i) file << i << " 2 1.5\n";
      file << last_line << "\n";
    }
    MPI_Barrier(MPI_COMM_WORLD);
  };
  const auto read = [&](const std::string& name) {
    return Tensor<double>::read(name, mine_.rows(failing_), failing_, "A");
  };
  write("40 41 1");
  EXPECT_THAT(thrown([&] { read(path); }), HasSubstr("the column is 41, outside 1…40"));
  write("40 4 1");
  EXPECT_THAT(thrown([&] { read(rank() == last() ? path + ".gone" : path); }),
              HasSubstr(fmt::format("Error: on rank {} of {}: cannot read {}.gone", last(), last() + 1, path)));
  int failures = 0;
  for (bool failed = true; failed; ++failures) {
    if (rank() == 0) failing_.fail_at_send(failures);
    failed = !thrown([&] { read(path); }).empty();
    failing_.recover();
  }
  EXPECT_GT(failures, 1);
  EXPECT_EQ(read(path).at({39, 3}), 1);
  remove(path);
}

TEST_F(MpiFailures, OfAFileThatIsWritten) {
  const Tensor<double> A = mine_.matrix(failing_);
  const std::string path = shared_path("A.mtx");
  EXPECT_THAT(thrown([&] { A.write(path + "/A.mtx", failing_); }), HasSubstr("A.mtx"));
  for (const bool sends : {true, false}) {
    int failures = 0;
    for (bool failed = true; failed; ++failures) {
      if (rank() == (sends ? last() : 0)) sends ? failing_.fail_at_send(failures) : failing_.fail_at_receive(failures);
      failed = !thrown([&] { A.write(path, failing_); }).empty();
      failing_.recover();
    }
    EXPECT_GT(failures, 1);
  }
  EXPECT_TRUE(Tensor<double>::read(path).equals(A));
  remove(path);
}

TEST_F(MpiFailures, OfRanksThatDoNotDoTheSame) {
  const Tensor<double> A = mine_.matrix(failing_);
  Tensor<double> x = ones(), y("y", {n}, mine_.blocked(failing_));
  if (rank() == 0) y(i_) = A(i_, j_) * x(j_);
  else y(i_) = A(j_, i_) * x(j_);
  EXPECT_THAT(thrown([&] { y.evaluate(on_ranks()); }), HasSubstr("the ranks do not run the same program"));
  expect_all_works();
}

/// Some have a plan that they could run again, and one has none: all plan anew.
TEST_F(MpiFailures, AreNoneWhereOneHasToPlanAnew) {
  const Tensor<double> A = mine_.matrix(failing_), x = ones();
  const auto empty = [&] { return Tensor<double>("y", {n}, mine_.blocked(failing_)); };
  Tensor<double> y = empty();
  for (int run = 0; run < 4; ++run) {
    if (run == 3 && rank() == 0) y = empty();
    y(i_) = A(i_, j_) * x(j_);
    y.evaluate(on_ranks());
    expect_row_sums(y);
  }
}

/// The others are told, and it waits for them to end, too.
TEST_F(MpiFailures, OfOneThatIsTakenOutByAnExceptionOfTheProgram) {
  for (const Failures failures : {Failures::Abort, Failures::Throw}) {
    std::unique_ptr<Communicator> ranks = world(MPI_COMM_WORLD, failures);
    Tensor<double> x("x", {n}, mine_.blocked(*ranks));
    x.insert({1}, 1);
    if (rank() == 0) {
      ranks.reset();
      continue;
    }
    try {
      x.contribute(*ranks);
      ADD_FAILURE() << "nothing is thrown";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("rank 0 is at 'the end of the ranks'"));
    }
  }
  expect_all_works();
}

/// One half fails, and the other one does not know.
TEST_F(MpiFailures, OfSomeRanksAreTheirs) {
  const int color = rank() % 2;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, 0, &half);
  {
    const std::unique_ptr<Communicator> some = world(half, Failures::Throw);
    FailingRanks failing(*some);
    const RowsOfRank rows(n, 2, failing);
    const Tensor<double> A = rows.matrix(failing);
    Tensor<double> x("x", {n}, rows.blocked(failing));
    x.insert({n - 1}, 1);
    if (color == 0 && some->rank() == 0) failing.fail_at_send(0);
    bool failed = false;
    try {
      x.contribute(failing);
    } catch (const RuntimeFailure& failure) {
      failed = true;
      EXPECT_STREQ(failure.what(), fmt::format("on rank 0 of {}: the network is down", some->ranks()).c_str());
    }
    EXPECT_EQ(failed, color == 0 && some->ranks() > 1);
    failing.recover();
    if (failed) x.contribute(failing);
    EXPECT_EQ(x.at({n - 1}), some->ranks());
  }
  MPI_Comm_free(&half);
  expect_all_works();
}

}  // namespace
}  // namespace lacuna::failures_test
