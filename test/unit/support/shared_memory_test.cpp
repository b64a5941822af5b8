#include "lacuna/support/shared_memory.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "lacuna/support/owned_memory.h"

namespace lacuna::shared_memory_test {
namespace {

/// Memory that others may read, full of numbers that count up from `first`.
struct Numbers {
  Numbers(std::size_t count, std::size_t at, int first)
      : bytes(count * sizeof(int)), memory(allocate_shared(bytes, at)) {
    std::iota(begin(), begin() + count, first);
  }
  int* begin() const { return static_cast<int*>(memory.get()); }
  SharedPlace place() const { return shared_place(memory.get()).value(); }

  std::size_t bytes;
  OwnedMemory memory;
};

constexpr std::size_t large = std::size_t{6} << 20;

TEST(SharedMemory, IsMemoryLikeAnyOther) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{5000}, large}) {
    for (const std::size_t at : {std::size_t{0}, std::size_t{8}, std::size_t{4096 + 72}, large}) {
      OwnedMemory memory(allocate_shared(bytes, at));
      ASSERT_NE(memory, nullptr);
      EXPECT_GE(usable_bytes(memory.get()), bytes);
      EXPECT_EQ(shared_place(memory.get())->begin % page_bytes(), at % page_bytes());
      std::memset(memory.get(), 7, bytes);
      memory.reset(resized(memory.release(), 2 * bytes + 5000));
      EXPECT_FALSE(shared_place(memory.get()).has_value());
      const auto* kept = static_cast<const std::uint8_t*>(memory.get());
      EXPECT_TRUE(std::all_of(kept, kept + bytes, [](std::uint8_t b) { return b == 7; }));
    }
  }
  EXPECT_FALSE(shared_place(nullptr).has_value());
  EXPECT_FALSE(shared_place(OwnedMemory(allocate_unzeroed(large)).get()).has_value());
}

/// Parts that begin and end within pages, some of them with two others, look like one stretch.
TEST(SharedMemory, IsSeenAsOneStretch) {
  for (const std::vector<std::size_t>& counts : std::vector<std::vector<std::size_t>>{
           {1}, {3000, 1, 2, 5000}, {1024, 1024}, {700, 2'000'000, 1'500'001, 13}, {0, 5, 0}}) {
    std::vector<Numbers> parts;
    std::vector<OpenedPlace> opened;
    std::vector<SharedWindow::Piece> pieces;
    constexpr std::size_t before = 2500;  // that nobody has
    std::size_t count = before;
    for (const std::size_t each : counts) {
      const Numbers& part = parts.emplace_back(each, count * sizeof(int), static_cast<int>(count));
      opened.push_back(OpenedPlace::of(part.place()).value());
      count += each;
    }
    count = before;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      pieces.push_back({&opened[p], count * sizeof(int), parts[p].bytes});
      count += counts[p];
    }
    std::optional<SharedWindow> window = SharedWindow::of(count * sizeof(int), pieces);
    ASSERT_TRUE(window.has_value());
    const auto* all = reinterpret_cast<const int*>(window->data());
    for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(all[k], k < before ? 0 : static_cast<int>(k));
    for (const Numbers& part : parts)
      std::for_each(part.begin(), part.begin() + part.bytes / sizeof(int), [](int& n) { n = -n; });
    window->refresh();
    for (std::size_t k = before; k < count; ++k) ASSERT_EQ(all[k], -static_cast<int>(k));
  }
}

TEST(SharedMemory, IsRefusedWhereItDoesNotFit) {
  const Numbers numbers(1000, 8, 0);
  const OpenedPlace opened = OpenedPlace::of(numbers.place()).value();
  EXPECT_TRUE(SharedWindow::of(8 + 4000, {{&opened, 8, 4000}}).has_value());
  EXPECT_FALSE(SharedWindow::of(8 + 4000, {{&opened, 4, 4000}}).has_value());   // elsewhere in its page
  EXPECT_FALSE(SharedWindow::of(4000, {{&opened, 8, 4000}}).has_value());       // behind the window
  EXPECT_FALSE(SharedWindow::of(100'000, {{&opened, 8, 50'000}}).has_value());  // more than there is
}

TEST(SharedMemory, StaysForWhoHasItOpen) {
  SharedPlace place;
  std::optional<OpenedPlace> opened;
  {
    const Numbers numbers(1000, 0, 5);
    place = numbers.place();
    opened = OpenedPlace::of(place);
    ASSERT_TRUE(opened.has_value());
  }
  EXPECT_FALSE(OpenedPlace::of(place).has_value());
  const std::optional<SharedWindow> window = SharedWindow::of(4000, {{&*opened, 0, 4000}});
  ASSERT_TRUE(window.has_value());
  EXPECT_EQ(reinterpret_cast<const int*>(window->data())[999], 1004);
  SharedPlace other = Numbers(10, 0, 0).place();
  other.identity += 1;
  EXPECT_FALSE(OpenedPlace::of(other).has_value());
}

TEST(SharedMemory, IsReadByOtherProcesses) {
  const Numbers numbers(300'000, 24, 1);
  const SharedPlace place = numbers.place();
  const pid_t child = fork();
  if (child == 0) {
    const std::optional<OpenedPlace> opened = OpenedPlace::of(place);
    if (!opened) _exit(1);
    const std::optional<SharedWindow> window = SharedWindow::of(24 + numbers.bytes, {{&*opened, 24, numbers.bytes}});
    _exit(window && std::memcmp(window->data() + 24, numbers.begin(), numbers.bytes) == 0 ? 0 : 2);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

/// What could do without leaves files to what could not.
TEST(SharedMemory, IsScarceWhereFewFilesAreLeft) {
  const OwnedMemory memory(allocate_shared(1));
  const SharedPlace place = *shared_place(memory.get());
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 2 * (static_cast<rlim_t>(place.file) + 1);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  EXPECT_FALSE(are_files_scarce(place));
  few.rlim_cur = 2 * static_cast<rlim_t>(place.file);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  EXPECT_TRUE(are_files_scarce(place));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace lacuna::shared_memory_test
