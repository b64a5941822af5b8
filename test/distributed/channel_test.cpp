// Messages that repeat.

#include <array>
#include <span>

#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/comm/channel.h"

namespace lacuna::channel_test {
namespace {

/// Each rank sends a number to the next one, and gets one from the rank before.
class Ring {
 public:
  /// What this rank got, sent from one place of several and received in another.
  std::int64_t pass(std::int64_t value, std::size_t from_place, std::size_t to_place) {
    Communicator& ranks = *test_ranks();
    const int next = (ranks.rank() + 1) % ranks.ranks(), before = (ranks.rank() + ranks.ranks() - 1) % ranks.ranks();
    out_[from_place] = value + ranks.rank();
    in_[to_place] = -1;
    in_channel_.receive(ranks, before, std::as_writable_bytes(std::span(&in_[to_place], 1)));
    out_channel_.send(ranks, next, std::as_bytes(std::span(&out_[from_place], 1)));
    ranks.finish_receives();
    ranks.finish_sends();
    return in_[to_place] - before;
  }

 private:
  std::array<std::int64_t, 2> out_{}, in_{};
  Channel out_channel_, in_channel_;
};

TEST(Channels, BringWhatLiesThereEachTime) {
  if (test_ranks()->ranks() == 1) GTEST_SKIP() << "messages need several ranks: run it by mpirun";
  Ring ring;
  std::int64_t value = 0;
  const auto passes = [&](std::size_t from, std::size_t to) {
    value += 100;
    EXPECT_EQ(ring.pass(value, from, to), value) << "from " << from << " to " << to;
  };
  for (int k = 0; k < 4; ++k) passes(0, 0);
  // Where one side stays, and the other takes turns.
  for (std::size_t k = 0; k < 6; ++k) passes(k % 2, 0);
  for (std::size_t k = 0; k < 6; ++k) passes(1, k / 2 % 2);
}

/// Several go between two ranks at once.
TEST(Channels, KeepTheirOrderBesideOtherMessages) {
  Communicator& ranks = *test_ranks();
  if (ranks.ranks() == 1) GTEST_SKIP() << "messages need several ranks: run it by mpirun";
  const int next = (ranks.rank() + 1) % ranks.ranks(), before = (ranks.rank() + ranks.ranks() - 1) % ranks.ranks();
  std::array<std::int64_t, 3> out{}, in{};
  std::array<Channel, 3> outgoing, incoming;
  for (std::int64_t round = 0; round < 4; ++round) {
    for (std::size_t k = 0; k < 3; ++k) {
      out[k] = 10 * round + static_cast<std::int64_t>(k);
      const auto there = std::as_writable_bytes(std::span(&in[k], 1));
      // The second one is not repeated.
      if (k == 1) ranks.receive_in_place(before, there);
      else incoming[k].receive(ranks, before, there);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const auto here = std::as_bytes(std::span(&out[k], 1));
      if (k == 1) ranks.send_in_place(next, here);
      else outgoing[k].send(ranks, next, here);
    }
    ranks.finish_receives();
    ranks.finish_sends();
    EXPECT_EQ(in, out) << round;
  }
}

}  // namespace
}  // namespace lacuna::channel_test
