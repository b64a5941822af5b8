#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/distribute/mpi/library.h"

namespace lacuna {

/// MPI counts in int: messages go in pieces of this size, and end with one that is smaller.
constexpr std::size_t most_bytes_of_piece = std::size_t{1} << 30;

template <typename Byte, typename F>
void each_piece(std::span<Byte> message, const F& f) {
  for (bool last = false; !last;) {
    const std::size_t bytes = std::min(message.size(), most_bytes_of_piece);
    last = bytes < most_bytes_of_piece;
    f(message.first(bytes));
    message = message.subspan(bytes);
  }
}

/// Messages that were begun, in one direction, and are not finished.
struct MpiBegun {
  explicit MpiBegun(int ranks) : pieces(static_cast<std::size_t>(ranks)) {}

  std::vector<MpiRequest> requests = {};
  std::vector<int> others = {};      // by request: the other rank
  std::size_t bytes = 0;             // of what is sent
  std::vector<std::int64_t> pieces;  // by rank: how many there were ever

  void add(MpiRequest request, int other) {
    requests.push_back(request);
    others.push_back(other);
    ++pieces[static_cast<std::size_t>(other)];
  }
  /// Waits for all.
  void finish() {
    mpi().wait_all(requests.data(), static_cast<int>(requests.size()));
    forget();
  }
  /// Lets them move; whether all are done.
  bool progress() { return mpi().test_all(requests.data(), static_cast<int>(requests.size())) != 0; }
  /// Of what is received: calls those off that nothing came for yet.
  void call_off();
  void forget() {
    requests.clear();
    others.clear();
    bytes = 0;
  }
};

/// Persistent requests, of all pieces of a message. Those that are started are noted in `begun`.
class MpiMessage : public PersistentMessage {
 public:
  MpiMessage(std::vector<MpiRequest> requests, int other, std::size_t bytes, MpiBegun& begun)
      : requests_(std::move(requests)), other_(other), bytes_(bytes), begun_(begun) {}
  ~MpiMessage() override;
  void start() override;

 private:
  std::vector<MpiRequest> requests_;
  int other_;
  std::size_t bytes_;
  MpiBegun& begun_;
};

}  // namespace lacuna
