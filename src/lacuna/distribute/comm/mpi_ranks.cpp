#include "lacuna/distribute/comm/mpi_ranks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <thread>
#include <utility>

#include "lacuna/distribute/comm/neighbours.h"
#include "lacuna/distribute/comm/outcome.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/support/check.h"
#include "lacuna/support/environment.h"

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;

/// Messages of the library, and those of which gather_all consists.
constexpr int message_tag = 0, gather_tag = 1;

/// Adds the time in which this exists.
class Waiting {
 public:
  explicit Waiting(std::chrono::duration<double>& all) : all_(all) {}
  ~Waiting() { all_ += Clock::now() - start_; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  std::chrono::duration<double>& all_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

MpiRanks::MpiRanks(MpiComm of, Failures failures, std::string end)
    : end_(std::move(end)), comm_(mpi().duplicate(of)), rank_(mpi().rank(comm_)), ranks_(mpi().ranks(comm_)) {
  for (MpiBegun* begun : {&sends_, &receives_, &gathers_}) *begun = MpiBegun(ranks_);
  in_place_from_ = in_place_tried(*this, read_environment().in_place_from);
  if (failures == Failures::Throw) notices_ = std::make_unique<MpiNotices>(comm_);
}

MpiRanks::~MpiRanks() {
  if (mpi().is_over() != 0) return;
  for (bool all_are_here = false; !all_are_here;) {
    try {
      together(*this, {end_}, [] {});
      all_are_here = true;
    } catch (const std::exception&) {  // they say it
    }
  }
  mpi().free_comm(comm_);
}

void MpiRanks::send(int to, std::shared_ptr<const Bytes> message) {
  send_in_place(to, *message);
  sent_.push_back(std::move(message));
}

void MpiRanks::send_in_place(int to, std::span<const std::byte> message) {
  each_piece(message, [&](std::span<const std::byte> piece) {
    sends_.add(mpi().begin_send(piece.data(), static_cast<int>(piece.size()), to, message_tag, comm_), to);
  });
  sends_.bytes += message.size();
}

void MpiRanks::receive_in_place(int from, std::span<std::byte> message) {
  each_piece(message, [&](std::span<std::byte> piece) {
    receives_.add(mpi().begin_receive(piece.data(), static_cast<int>(piece.size()), from, message_tag, comm_), from);
  });
}

std::unique_ptr<PersistentMessage> MpiRanks::persistent_send(int to, std::span<const std::byte> message) {
  std::vector<MpiRequest> requests;
  each_piece(message, [&](std::span<const std::byte> piece) {
    requests.push_back(mpi().persistent_send(piece.data(), static_cast<int>(piece.size()), to, message_tag, comm_));
  });
  return std::make_unique<MpiMessage>(std::move(requests), to, message.size(), sends_);
}

std::unique_ptr<PersistentMessage> MpiRanks::persistent_receive(int from, std::span<std::byte> message) {
  std::vector<MpiRequest> requests;
  each_piece(message, [&](std::span<std::byte> piece) {
    requests.push_back(
        mpi().persistent_receive(piece.data(), static_cast<int>(piece.size()), from, message_tag, comm_));
  });
  return std::make_unique<MpiMessage>(std::move(requests), from, message.size(), receives_);
}

void MpiRanks::finish_receives() {
  const Waiting waiting(waited_);
  finish(receives_);
}

/// No longer than they may well take, or what came meanwhile did: who does not wait for them computes.
void MpiRanks::progress_sends() {
  constexpr double usual_bandwidth = 2e9;  // bytes per second
  const Seconds usual(static_cast<double>(sends_.bytes) / usual_bandwidth);
  const Clock::time_point start = Clock::now();
  while (!sends_.progress() && Clock::now() - start < std::max(usual, waited_)) {
  }
}

Bytes MpiRanks::receive(int from) {
  const Waiting waiting(waited_);
  return receive_tagged(from, message_tag);
}

/// There is memory for a piece before it is taken: where there is none, it is still to come.
Bytes MpiRanks::receive_tagged(int from, int tag) {
  Bytes all;
  for (bool last = false; !last;) {
    const int bytes = wait_for_message(from, tag).bytes;
    const std::size_t at = all.size();
    all.resize(at + static_cast<std::size_t>(bytes));
    mpi().take(all.data() + at, bytes, from, tag, comm_);
    ++receives_.pieces[static_cast<std::size_t>(from)];
    last = static_cast<std::size_t>(bytes) < most_bytes_of_piece;
  }
  return all;
}

lacuna_mpi_message MpiRanks::wait_for_message(int from, int tag) {
  if (!notices_) return mpi().probe(from, tag, comm_);
  lacuna_mpi_message message{};
  wait_or_throw([&] { return mpi().is_there(from, tag, comm_, &message) != 0; });
  return message;
}

void MpiRanks::finish(MpiBegun& begun) {
  if (notices_) wait_or_throw([&] { return begun.progress(); });
  begun.finish();
}

/// Where a rank fails meanwhile, all throw what it says. Others need the processor, too, where it takes long.
template <typename IsDone>
void MpiRanks::wait_or_throw(const IsDone& is_done) {
  constexpr int busy_looks = 100;
  for (int looks = 0; !is_done(); ++looks) {
    if (notices_->is_one_here()) throw_interruption(interrupt(""));
    if (looks >= busy_looks) std::this_thread::yield();
  }
}

void MpiRanks::finish_sends() {
  finish(sends_);
  sent_.clear();
  waited_ = {};
}

void MpiRanks::gather_all(std::string_view mine, std::vector<std::string>& all) {
  if (notices_) gather_by_messages(mine, all);
  else gather_by_mpi(mine, all);
}

/// What all have room for goes with the sizes; the others tell all of theirs afterwards.
void MpiRanks::gather_by_mpi(std::string_view mine, std::vector<std::string>& all) {
  const auto count = static_cast<std::size_t>(ranks_);
  heads_.resize(count);
  Head head{static_cast<int>(std::min(mine.size(), most_bytes_of_piece)), {}};
  std::copy_n(mine.begin(), std::min(mine.size(), sizeof head.text), head.text);
  mpi().gather_all(&head, sizeof head, heads_.data(), comm_);
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

std::vector<std::string> MpiRanks::gather_texts(std::string_view mine, const std::vector<int>& sizes) const {
  std::vector<int> begins;
  std::size_t all = 0;
  for (const int size : sizes) {
    begins.push_back(static_cast<int>(all));
    all += static_cast<std::size_t>(size);
  }
  internal_check(all <= most_bytes_of_piece, "{} bytes are gathered from all ranks", all);
  std::string text(all, ' ');
  mpi().gather_all_sizes(mine.data(), sizes[static_cast<std::size_t>(rank_)], text.data(), sizes.data(), begins.data(),
                         comm_);
  std::vector<std::string> out;
  for (std::size_t r = 0; r < sizes.size(); ++r)
    out.push_back(text.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(sizes[r])));
  return out;
}

/// A collective call of MPI's could not be left. Each rank has the texts of `known` ranks, itself and those before it,
/// and gets as many more of a rank before those: twice as many in each round.
void MpiRanks::gather_by_messages(std::string_view mine, std::vector<std::string>& all) {
  all.assign(static_cast<std::size_t>(ranks_), {});
  const auto text_of = [&](int before, int k) -> std::string& {
    return all[static_cast<std::size_t>((before - k + 2 * ranks_) % ranks_)];
  };
  text_of(rank_, 0) = mine;
  for (int known = 1; known < ranks_; known *= 2) {
    const int more = std::min(known, ranks_ - known);
    Bytes& message = gathered_.emplace_back();
    const auto append = [&](const void* data, std::size_t bytes) {
      message.insert(message.end(), static_cast<const std::byte*>(data), static_cast<const std::byte*>(data) + bytes);
    };
    for (int k = 0; k < more; ++k) {
      const std::string& text = text_of(rank_, k);
      const std::size_t size = text.size();
      append(&size, sizeof size);
      append(text.data(), size);
    }
    const int to = (rank_ + known) % ranks_, from = (rank_ - known + ranks_) % ranks_;
    each_piece(std::span<const std::byte>(message), [&](std::span<const std::byte> piece) {
      gathers_.add(mpi().begin_send(piece.data(), static_cast<int>(piece.size()), to, gather_tag, comm_), to);
    });
    const Bytes other = receive_tagged(from, gather_tag);
    std::size_t at = 0;
    for (int k = 0; k < more; ++k) {
      std::size_t size = 0;
      std::memcpy(&size, other.data() + at, sizeof size);
      at += sizeof size;
      std::string& text = text_of(from, k);
      text.resize(size);
      if (size > 0) std::memcpy(text.data(), other.data() + at, size);
      at += size;
    }
  }
  finish(gathers_);
  gathered_.clear();
}

void MpiRanks::abort(const std::string& message, int exit_code) {
  std::fflush(stdout);
  std::fputs((message + "\n").c_str(), stderr);
  std::fflush(stderr);
  mpi().abort(comm_, exit_code);
  std::abort();
}

std::vector<std::string> MpiRanks::interrupt(std::string_view mine) {
  internal_check(notices_ != nullptr, "ranks that end where one fails are interrupted");
  try {
    std::vector<std::string> said = notices_->agree(mine);
    take_what_is_left();
    return said;
  } catch (const std::bad_alloc&) {  // others wait, and cannot be told
    abort("lacuna: error: out of memory where ranks agree on a failure", 1);
    throw;  // for compilers that do not know that of virtual functions
  }
}

/// As many messages as others sent, so that none is taken for a later one: those that nobody waits for any more are
/// thrown away. Those of others leave meanwhile.
void MpiRanks::take_what_is_left() {
  receives_.call_off();
  std::vector<std::int64_t> sent = sends_.pieces;
  for (std::size_t r = 0; r < sent.size(); ++r) sent[r] += gathers_.pieces[r];
  const std::vector<std::int64_t> to_me = notices_->exchange(sent);
  Bytes message;
  for (int from = 0; from < ranks_; ++from) {
    std::int64_t& taken = receives_.pieces[static_cast<std::size_t>(from)];
    for (; taken < to_me[static_cast<std::size_t>(from)]; ++taken) {
      const lacuna_mpi_message next = mpi().probe(from, LACUNA_MPI_ANY, comm_);
      message.resize(static_cast<std::size_t>(next.bytes));
      mpi().take(message.data(), next.bytes, from, next.tag, comm_);
    }
  }
  for (MpiBegun* begun : {&sends_, &gathers_}) begun->finish();
  sent_.clear();
  gathered_.clear();
  waited_ = {};
}

}  // namespace lacuna
