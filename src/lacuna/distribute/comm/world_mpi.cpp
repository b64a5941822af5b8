#include "lacuna/distribute/comm/world.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

// The C interface alone: that of C++ would have to be linked, too.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "lacuna/distribute/comm/deadline.h"
#include "lacuna/distribute/comm/launched.h"
#include "lacuna/distribute/comm/local_ranks.h"
#include "lacuna/distribute/comm/neighbours.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/support/environment.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Adds the time in which this exists.
class Waiting {
 public:
  explicit Waiting(Seconds& all) : all_(all) {}
  ~Waiting() { all_ += Clock::now() - start_; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  Seconds& all_;
  Clock::time_point start_ = Clock::now();
};

/// MPI counts in int: messages go in pieces of this size, and end with one that is smaller.
constexpr std::size_t most_bytes = std::size_t{1} << 30;

template <typename Byte, typename F>
void each_piece(std::span<Byte> message, const F& f) {
  for (bool last = false; !last;) {
    const std::size_t bytes = std::min(message.size(), most_bytes);
    last = bytes < most_bytes;
    f(message.first(bytes));
    message = message.subspan(bytes);
  }
}

bool is_begun() {
  int flag = 0;
  MPI_Initialized(&flag);
  return flag != 0;
}
bool is_over() {
  int flag = 0;
  MPI_Finalized(&flag);
  return flag != 0;
}

/// What was begun, and is not finished.
struct Begun {
  std::vector<MPI_Request> requests = {};
  std::size_t bytes = 0;

  /// Waits for all.
  void finish() {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
    bytes = 0;
  }
  /// Lets them move; whether all are done.
  bool progress() {
    int done = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
  }
};

/// Persistent requests, of all pieces of a message. Those that are started are noted in `begun`.
class MpiMessage : public PersistentMessage {
 public:
  MpiMessage(std::vector<MPI_Request> requests, std::size_t bytes, Begun& begun)
      : requests_(std::move(requests)), bytes_(bytes), begun_(begun) {}
  ~MpiMessage() override {
    if (is_over()) return;
    for (MPI_Request& each : requests_) MPI_Request_free(&each);
  }
  void start() override {
    for (MPI_Request& each : requests_) {  // MPI_Startall may begin with any of them
      MPI_Start(&each);
      begun_.requests.push_back(each);
    }
    begun_.bytes += bytes_;
  }

 private:
  std::vector<MPI_Request> requests_;
  std::size_t bytes_;
  Begun& begun_;
};

class Mpi : public Communicator {
 public:
  Mpi() {
    if (is_over()) user_error("the program ended MPI (MPI_Finalize) and asks for its ranks; make world() before");
    begins_ = !is_begun();
    if (begins_) {
      give_way_where_processors_are_shared();
      begin();
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    // A rank that is short of memory may leave it half done.
    const Deadline deadline(longest_start(), "lacuna: error: not all ranks begin: one may be short of memory", 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    in_place_from_ = in_place_tried(*this, read_environment().in_place_from);
  }
  /// Others may be elsewhere, as where an exception ends this program alone: then they are told, and do not wait; they
  /// come here, too, in the end.
  ~Mpi() override {
    if (is_over()) return;
    for (bool all_are_here = false; !all_are_here;) {
      try {
        together(*this, {"the end of the program"}, [] {});
        all_are_here = true;
      } catch (const std::exception&) {  // they say it
      }
    }
    MPI_Comm_free(&comm_);
    if (begins_) MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }

  void send(int to, std::shared_ptr<const Bytes> message) override {
    send_in_place(to, *message);
    sent_.push_back(std::move(message));
  }

  void send_in_place(int to, std::span<const std::byte> message) override {
    each_piece(message, [&](std::span<const std::byte> piece) {
      MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, 0, comm_, &sends_.requests.emplace_back());
    });
    sends_.bytes += message.size();
  }

  void receive_in_place(int from, std::span<std::byte> message) override {
    each_piece(message, [&](std::span<std::byte> piece) {
      MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, from, 0, comm_,
                &receives_.requests.emplace_back());
    });
  }

  std::unique_ptr<PersistentMessage> persistent_send(int to, std::span<const std::byte> message) override {
    std::vector<MPI_Request> requests;
    each_piece(message, [&](std::span<const std::byte> piece) {
      MPI_Send_init(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, 0, comm_, &requests.emplace_back());
    });
    return std::make_unique<MpiMessage>(std::move(requests), message.size(), sends_);
  }

  std::unique_ptr<PersistentMessage> persistent_receive(int from, std::span<std::byte> message) override {
    std::vector<MPI_Request> requests;
    each_piece(message, [&](std::span<std::byte> piece) {
      MPI_Recv_init(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, from, 0, comm_, &requests.emplace_back());
    });
    return std::make_unique<MpiMessage>(std::move(requests), message.size(), receives_);
  }

  void finish_receives() override {
    const Waiting waiting(waited_);
    receives_.finish();
  }

  /// No longer than they may well take, or what came meanwhile did: who does not wait for them computes.
  void progress_sends() override {
    constexpr double usual_bandwidth = 2e9;  // bytes per second
    const Seconds usual(static_cast<double>(sends_.bytes) / usual_bandwidth);
    const Clock::time_point start = Clock::now();
    while (!sends_.progress() && Clock::now() - start < std::max(usual, waited_)) {
    }
  }

  Bytes receive(int from) override {
    const Waiting waiting(waited_);
    Bytes all;
    for (bool last = false; !last;) {
      MPI_Message message{};
      MPI_Status status{};
      MPI_Mprobe(from, 0, comm_, &message, &status);
      int bytes = 0;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      const std::size_t at = all.size();
      all.resize(at + static_cast<std::size_t>(bytes));
      MPI_Mrecv(all.data() + at, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
      last = static_cast<std::size_t>(bytes) < most_bytes;
    }
    return all;
  }

  void finish_sends() override {
    sends_.finish();
    sent_.clear();
    waited_ = {};
  }

  /// What all have room for goes with the sizes; the others tell all of theirs afterwards.
  void gather_all(std::string_view mine, std::vector<std::string>& all) override {
    const auto count = static_cast<std::size_t>(ranks_);
    heads_.resize(count);
    Head head{static_cast<int>(std::min(mine.size(), most_bytes)), {}};
    std::copy_n(mine.begin(), std::min(mine.size(), sizeof head.text), head.text);
    MPI_Allgather(&head, sizeof head, MPI_BYTE, heads_.data(), sizeof head, MPI_BYTE, comm_);
    const auto is_short = [](const Head& h) { return static_cast<std::size_t>(h.size) <= sizeof h.text; };
    if (!std::all_of(heads_.begin(), heads_.end(), is_short)) {
      std::vector<int> sizes;
      for (const Head& each : heads_) sizes.push_back(each.size);
      all = gather_texts(mine, sizes);
      return;
    }
    all.resize(count);
    for (std::size_t r = 0; r < count; ++r) all[r].assign(heads_[r].text, static_cast<std::size_t>(heads_[r].size));
  }

  std::optional<std::int64_t> in_place_from(int other) const override {
    return in_place_from_[static_cast<std::size_t>(other)];
  }

  [[noreturn]] void abort(const std::string& message, int exit_code) override {
    std::fflush(stdout);
    std::fputs((message + "\n").c_str(), stderr);
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::abort();
  }

 private:
  std::vector<std::string> gather_texts(std::string_view mine, const std::vector<int>& sizes) const {
    std::vector<int> begins;
    std::size_t all = 0;
    for (const int size : sizes) {
      begins.push_back(static_cast<int>(all));
      all += static_cast<std::size_t>(size);
    }
    internal_check(all <= most_bytes, "{} bytes are gathered from all ranks", all);
    std::string text(all, ' ');
    MPI_Allgatherv(mine.data(), sizes[static_cast<std::size_t>(rank_)], MPI_CHAR, text.data(), sizes.data(),
                   begins.data(), MPI_CHAR, comm_);
    std::vector<std::string> out;
    for (std::size_t r = 0; r < sizes.size(); ++r)
      out.push_back(text.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(sizes[r])));
    return out;
  }

  /// Waits until all ranks begin, also those that come late, but not for one that ended before: mpirun takes an exit
  /// code of 0 for a good end, and does not tell the others.
  static void begin() {
    // Others look later: by then, the first one has ended them.
    const auto between_looks = std::chrono::seconds(2) + std::chrono::seconds(2) * std::min(launched_rank(), 5);
    const Deadline deadline(between_looks,
                            "lacuna: error: a rank ended before it began MPI (world()), for which the others wait; all "
                            "ranks have to run the same program",
                            1, [] { return local_ranks().is_to_report_an_end(); });
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  }

  /// The first rank says it, if it can: it ends the others.
  std::chrono::milliseconds longest_start() const {
    return std::chrono::seconds(10) + std::chrono::milliseconds(20) * ranks_ +
           std::chrono::milliseconds(500) * std::min(rank_, 10);
  }

  /// Open MPI waits without giving its processor up, which takes ten times as long where others wait for that
  /// processor.
  static void give_way_where_processors_are_shared() {
    if (ranks_per_processor() > 1) setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  }

  /// The beginning of a text.
  struct Head {
    int size;
    char text[508];
  };

  bool begins_ = true;  // MPI, and so ends it: the program did not
  int rank_ = 0, ranks_ = 1;
  std::vector<Head> heads_;                                 // by rank, as the last ones were
  std::vector<std::optional<std::int64_t>> in_place_from_;  // by rank
  MPI_Comm comm_ = MPI_COMM_NULL;
  Begun sends_, receives_;
  std::vector<std::shared_ptr<const Bytes>> sent_;  // until they have left
  Seconds waited_{};                                // for what came since the last sends were finished
};

}  // namespace

std::unique_ptr<Communicator> world() {
  if (!is_launched_by_mpi() && !is_begun()) return alone();
  return std::make_unique<Mpi>();
}

}  // namespace lacuna
