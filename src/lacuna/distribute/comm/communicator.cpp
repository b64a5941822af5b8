#include "lacuna/distribute/comm/communicator.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

class Alone : public Communicator {
 public:
  explicit Alone(int rank) : rank_(rank) {}
  int rank() const override { return rank_; }
  int ranks() const override { return 1; }
  void send(int to, std::shared_ptr<const Bytes>) override {
    internal_check(false, "a message to rank {} of one process", to);
  }
  Bytes receive(int from) override {
    internal_check(false, "a message from rank {} of one process", from);
    return {};
  }
  void send_in_place(int to, std::span<const std::byte>) override { send(to, nullptr); }
  void receive_in_place(int from, std::span<std::byte>) override { receive(from); }
  void finish_receives() override {}
  void finish_sends() override {}
  void gather_all(std::string_view mine, std::vector<std::string>& all) override { all.assign(1, std::string(mine)); }
  [[noreturn]] void abort(const std::string& message, int exit_code) override {
    std::fputs((message + "\n").c_str(), stderr);
    std::exit(exit_code);
  }

 private:
  int rank_;
};

/// Of communicators that do not make such messages ready.
class SentAnew : public PersistentMessage {
 public:
  explicit SentAnew(std::function<void()> begin) : begin_(std::move(begin)) {}
  void start() override { begin_(); }

 private:
  std::function<void()> begin_;
};

}  // namespace

std::unique_ptr<PersistentMessage> Communicator::persistent_send(int to, std::span<const std::byte> message) {
  return std::make_unique<SentAnew>([this, to, message] { send_in_place(to, message); });
}

std::unique_ptr<PersistentMessage> Communicator::persistent_receive(int from, std::span<std::byte> message) {
  return std::make_unique<SentAnew>([this, from, message] { receive_in_place(from, message); });
}

std::vector<std::string> Communicator::interrupt(std::string_view mine) {
  internal_check(false, "ranks that end where one fails are interrupted: {}", mine);
  return {};
}

std::unique_ptr<Communicator> alone() { return std::make_unique<Alone>(0); }
std::unique_ptr<Communicator> nobody() { return std::make_unique<Alone>(-1); }

int rank_of(std::int64_t processor, const Machine& machine, int ranks) {
  const std::int64_t memory = machine.memory_of(processor), memories = machine.memories();
  // With fewer memories than ranks, the first ranks have one each.
  if (memories <= ranks) return static_cast<int>(memory);
  return static_cast<int>(memory * ranks / memories);
}

std::vector<Bytes> all_to_all(Communicator& ranks, std::vector<Bytes> to_each) {
  const auto message_for = [&](int r) -> Bytes& { return to_each[static_cast<std::size_t>(r)]; };
  for (int r = 0; r < ranks.ranks(); ++r)
    if (r != ranks.rank()) ranks.send(r, std::make_shared<const Bytes>(std::move(message_for(r))));
  std::vector<Bytes> from_each;
  for (int r = 0; r < ranks.ranks(); ++r)
    from_each.push_back(r == ranks.rank() ? std::move(message_for(r)) : ranks.receive(r));
  ranks.finish_sends();
  return from_each;
}

}  // namespace lacuna
