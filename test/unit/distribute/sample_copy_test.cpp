// Samples of what plans copy: within the room that they ask for, as much as they say, and soon.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "lacuna/distribute/simulate/sample_copy.h"

namespace lacuna {
namespace {

constexpr std::byte untouched{0x5a};

/// Memory for a sample, and some behind it.
class Target {
 public:
  explicit Target(std::size_t room) : room_(room), memory_(room + guard, untouched) {}
  void fill(SampleCopy& sample) { sample.run(memory_.data(), nullptr, nullptr); }
  std::int64_t written() const {
    return std::count_if(memory_.begin(), memory_.end() - guard, [](std::byte b) { return b != untouched; });
  }
  bool is_within() const {
    return std::all_of(memory_.begin() + static_cast<std::ptrdiff_t>(room_), memory_.end(),
                       [](std::byte b) { return b == untouched; });
  }

 private:
  static constexpr std::ptrdiff_t guard = 4096;
  std::size_t room_;
  std::vector<std::byte> memory_;
};

double between(std::mt19937& random, double least, double most) {
  return std::exp(std::uniform_real_distribution<double>(std::log(least), std::log(most))(random));
}

TEST(SampleCopy, CopiesWhatItSaysWhereItMay) {
  std::mt19937 random(1);
  for (int n = 0; n < 100; ++n) {
    Rehearsal::Copied copied;
    copied.at_once = between(random, 1, 1 << 21);
    copied.bytes = 4 * copied.at_once;
    copied.spread_from = n % 3 == 0 ? 1 : between(random, 1, 40);
    copied.spread_to = n % 3 == 1 ? 1 : between(random, 1, 40);
    if (n % 2 == 0) copied.run = between(random, 1, 64);
    else copied.stretch = between(random, 64, 1 << 20);
    const double share = n % 5 == 0 ? between(random, 1e-3, 1) : 1;
    copied.way = Rehearsal::Way::Pack;
    SampleCopy sample(copied, share);
    Target target(sample.room_out());
    target.fill(sample);
    EXPECT_TRUE(target.is_within()) << "sample " << n;
    EXPECT_NEAR(static_cast<double>(target.written()), share * sample.bytes(), 8) << "sample " << n;
  }
}

/// A few elements here and there in much: a sample has a stretch or two of about 64 MB.
TEST(SampleCopy, NeedsNoMoreThanItCopiesOver) {
  for (const double spread : {300.0, 5000.0, 1e6, 1e9}) {
    Rehearsal::Copied copied{1e6, 8192, 0, 1, spread, 1, Rehearsal::Way::Pack};
    for (int side = 0; side < 2; ++side) {
      SampleCopy sample(copied, 1);
      EXPECT_LE(sample.room_out(), std::size_t{200} << 20) << "spread " << spread;
      Target target(sample.room_out());
      target.fill(sample);
      EXPECT_TRUE(target.is_within()) << "spread " << spread;
      std::swap(copied.spread_from, copied.spread_to);
    }
  }
}

/// What has come, or was computed, is read where it may be read, and goes where it may be written: checkers of memory
/// see the rest.
TEST(SampleCopy, ReadsAndWritesWhereItMay) {
  for (const double spread : {1.0, 4.0}) {
    for (const Rehearsal::Way way : {Rehearsal::Way::Unpack, Rehearsal::Way::Result}) {
      const SampleCopy sample({1e6, 8192, spread > 1 ? 0.0 : 8192.0, spread, spread, 1, way}, 1);
      const bool has_come = way == Rehearsal::Way::Unpack;
      EXPECT_EQ(has_come ? sample.room_out() : sample.room_in(), 0U);
      EXPECT_GE(static_cast<double>(sample.room_in() + sample.room_out()), sample.bytes());
      const auto out = std::make_unique<std::byte[]>(sample.room_out()),
                 in = std::make_unique<std::byte[]>(sample.room_in()),
                 here = std::make_unique<std::byte[]>(sample.room_here());
      if (has_come) sample.run(nullptr, in.get(), here.get());
      else sample.run(out.get(), nullptr, here.get());
    }
  }
}

TEST(SampleCopy, WithinARankNeedsNothingOfOthers) {
  const SampleCopy sample({1e6, 8192, 0, 2, 4, 1, Rehearsal::Way::Within}, 1);
  EXPECT_EQ(sample.room_out() + sample.room_in(), 0U);
  const auto here = std::make_unique<std::byte[]>(sample.room_here());
  sample.run(nullptr, nullptr, here.get());
}

TEST(SampleCopy, OfNothingDoesNothing) {
  for (const Rehearsal::Way way :
       {Rehearsal::Way::Pack, Rehearsal::Way::Unpack, Rehearsal::Way::Within, Rehearsal::Way::Result}) {
    const SampleCopy sample({1e6, 8192, 0, 1, 4, 1, way}, 0);
    EXPECT_EQ(sample.room_out() + sample.room_in() + sample.room_here(), 0U);
    sample.run(nullptr, nullptr, nullptr);
  }
}

}  // namespace
}  // namespace lacuna
