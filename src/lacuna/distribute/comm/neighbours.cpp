#include "lacuna/distribute/comm/neighbours.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "lacuna/support/owned_memory.h"

namespace lacuna {
namespace {

/// What a rank shows the others for a trial.
struct Shown {
  std::array<char, 64> computer{};
  SharedPlace place;
  std::uint64_t content = 0;  // of the memory there
};

template <typename T>
std::vector<T> told_by_all(Communicator& ranks, const T& mine) {
  std::string text(sizeof mine, ' ');
  std::memcpy(text.data(), &mine, sizeof mine);
  std::vector<T> all;
  for (const std::string& each : ranks.gather_all(text)) std::memcpy(&all.emplace_back(), each.data(), sizeof(T));
  return all;
}

/// A rank has some files open of each part that it reads.
void allow_open_files() {
  constexpr rlim_t wanted = 65536;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

bool can_read(const Shown& other) {
  const std::size_t bytes = sizeof other.content, at = other.place.begin % page_bytes();
  const std::optional<OpenedPlace> file = OpenedPlace::of(other.place);
  if (!file) return false;
  const std::optional<SharedWindow> window = SharedWindow::of(at + bytes, {{&*file, at, bytes}});
  return window && std::memcmp(window->data() + at, &other.content, bytes) == 0;
}

}  // namespace

std::vector<std::optional<std::int64_t>> in_place_tried(Communicator& ranks, std::optional<std::int64_t> from) {
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  Shown mine;
  gethostname(mine.computer.data(), mine.computer.size() - 1);
  std::random_device random;
  mine.content = (std::uint64_t{random()} << 32) | random();
  const OwnedMemory memory(allocate_shared(sizeof mine.content));
  if (memory != nullptr) {
    std::memcpy(memory.get(), &mine.content, sizeof mine.content);
    mine.place = *shared_place(memory.get());
  }
  const std::vector<Shown> shown = told_by_all(ranks, mine);
  allow_open_files();
  std::int64_t mine_from = from.value_or(never);
  for (const Shown& other : shown)
    if (other.computer == mine.computer && mine_from != never && !can_read(other)) mine_from = never;
  // Also waits until all have looked.
  const std::vector<std::int64_t> all_from = told_by_all(ranks, mine_from);
  std::int64_t here_from = 0;
  for (std::size_t r = 0; r < shown.size(); ++r)
    if (shown[r].computer == mine.computer) here_from = std::max(here_from, all_from[r]);
  std::vector<std::optional<std::int64_t>> out(shown.size());
  for (std::size_t r = 0; r < shown.size(); ++r)
    if (shown[r].computer == mine.computer && here_from != never) out[r] = here_from;
  return out;
}

}  // namespace lacuna
