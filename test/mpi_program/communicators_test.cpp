// Communicators that a program makes: all of its ranks, some of them, several at once.

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"
#include "lacuna/api/mpi.h"
#include "mpi_program/rows_of_rank.h"
#include "support/message_of.h"

namespace lacuna::communicators_test {
namespace {

using testing::HasSubstr;

/// A part of MPI_COMM_WORLD.
class Split {
 public:
  explicit Split(int color, int key = 0) { MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm_); }
  ~Split() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  Split(const Split&) = delete;
  Split& operator=(const Split&) = delete;
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// y(i) = A(i,j) * x(j) with x(j) = j, for RowsOfRank.
double product(std::int64_t i, std::int64_t n, double scale) {
  const auto row = static_cast<double>(i);
  return scale * (row + 1) * row + (i + 1 < n ? row + 1 : 0);
}

void expect_products(Communicator& ranks, std::int64_t n, double scale, int runs) {
  const RowsOfRank mine(n, scale, ranks);
  const Tensor<double> A = mine.matrix(ranks);
  Tensor<double> x("x", {n}, mine.blocked(ranks)), y("y", {n}, mine.blocked(ranks));
  for (std::int64_t i = mine.begin; i < mine.end; ++i) x.insert({i}, static_cast<double>(i));
  x.contribute(ranks);
  const IndexVar i("i"), j("j");
  for (int run = 0; run < runs; ++run) {
    y(i) = A(i, j) * x(j);
    y.evaluate({.ranks = &ranks});
  }
  for (std::int64_t row = 0; row < n; ++row) EXPECT_EQ(y.at({row}), product(row, n, scale)) << row;
}

TEST(MpiCommunicators, HalvesComputeDifferentThingsAtOnce) {
  const int color = world_rank() % 2;
  const Split half(color);
  const std::unique_ptr<Communicator> ranks = world(half.get());
  // Not as often, either: nothing of one half meets the other.
  expect_products(*ranks, 40 + 31 * color, 2 + color, 3 + 4 * color);
}

TEST(MpiCommunicators, RanksAreNumberedAsInTheCommunicator) {
  const Split turned(0, -world_rank());
  const std::unique_ptr<Communicator> ranks = world(turned.get());
  EXPECT_EQ(ranks->rank(), ranks->ranks() - 1 - world_rank());
  expect_products(*ranks, 50, 3, 2);
}

TEST(MpiCommunicators, OneProcessIsACommunicator) {
  const std::unique_ptr<Communicator> alone = world(MPI_COMM_SELF);
  EXPECT_EQ(alone->ranks(), 1);
  expect_products(*alone, 10, world_rank() + 1, 2);
}

/// A tensor of some ranks and one of all, in turn, and messages of the program beside them.
TEST(MpiCommunicators, SeveralAreUsedInTurn) {
  const Split half(world_rank() % 2);
  const std::unique_ptr<Communicator> all = world(MPI_COMM_WORLD), some = world(half.get()),
                                      others = world(MPI_COMM_WORLD);
  const int right = (all->rank() + 1) % all->ranks(), mine = 100 + all->rank();
  int left = 0;
  MPI_Request request{};
  MPI_Irecv(&left, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  for (int turn = 0; turn < 2; ++turn)
    for (Communicator* ranks : {all.get(), some.get(), others.get()}) expect_products(*ranks, 30 + turn, 2, 2);
  MPI_Send(&mine, 1, MPI_INT, right, 5, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(left, 100 + (all->rank() + all->ranks() - 1) % all->ranks());
}

/// What is in parts on some ranks is not taken for what others hold.
TEST(MpiCommunicators, TensorsBelongToTheirRanks) {
  const std::unique_ptr<Communicator> first = world(MPI_COMM_WORLD), second = world(MPI_COMM_WORLD);
  const RowsOfRank mine(20, 2, *first);
  const Tensor<double> A = mine.matrix(*first);
  EXPECT_EQ(A.parts(*first).size(), 1);
  EXPECT_THAT(message_of([&] { A.parts(*second); }), HasSubstr("A does not lie in parts on these ranks"));
}

/// What the program makes of errors of its own is not what Lacuna makes of them, and stays as it is.
TEST(MpiCommunicators, TheCommunicatorOfTheProgramStaysAsItIs) {
  const Split all(0);
  MPI_Comm_set_errhandler(all.get(), MPI_ERRORS_RETURN);
  {
    const std::unique_ptr<Communicator> ranks = world(all.get());
    expect_products(*ranks, 25, 2, 1);
  }
  MPI_Errhandler handler{};
  MPI_Comm_get_errhandler(all.get(), &handler);
  EXPECT_EQ(handler, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&handler);
  int sum = 0;
  const int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all.get());
  int ranks = 0;
  MPI_Comm_size(all.get(), &ranks);
  EXPECT_EQ(sum, ranks);
}

TEST(MpiCommunicators, ThatCannotBeUsedAreRefused) {
  const Split none(MPI_UNDEFINED);
  EXPECT_THAT(message_of([&] { world(none.get()); }),
              HasSubstr("world(MPI_COMM_NULL): this process has no rank there"));
  const Split half(world_rank() == 0 ? 0 : 1);
  MPI_Comm joined = MPI_COMM_NULL;
  MPI_Intercomm_create(half.get(), 0, MPI_COMM_WORLD, world_rank() == 0 ? 1 : 0, 7, &joined);
  EXPECT_THAT(message_of([&] { world(joined); }), HasSubstr("MPI_Intercomm_merge"));
  MPI_Comm_free(&joined);
}

/// MPI_Init promises one thread; the main one.
TEST(MpiCommunicators, AreMadeByTheThreadThatMpiAllows) {
  std::string message;
  std::thread([&] { message = message_of([] { world(MPI_COMM_WORLD); }); }).join();
  EXPECT_THAT(message, HasSubstr("the program began MPI for calls from its main thread alone"));
}

}  // namespace
}  // namespace lacuna::communicators_test
