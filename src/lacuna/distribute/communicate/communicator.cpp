#include "lacuna/distribute/communicate/communicator.h"

#include <cstdio>
#include <cstdlib>

#include "lacuna/support/error.h"

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
  std::vector<std::string> gather_all(const std::string& mine) override { return {mine}; }
  [[noreturn]] void abort(const std::string& message, int exit_code) override {
    std::fputs((message + "\n").c_str(), stderr);
    std::exit(exit_code);
  }

 private:
  int rank_;
};

}  // namespace

std::unique_ptr<Communicator> alone() { return std::make_unique<Alone>(0); }
std::unique_ptr<Communicator> nobody() { return std::make_unique<Alone>(-1); }

int rank_of(std::int64_t processor, std::int64_t processors, int ranks) {
  // With fewer processors than ranks, the first ranks have one each.
  if (processors <= ranks) return static_cast<int>(processor);
  return static_cast<int>(processor * ranks / processors);
}

}  // namespace lacuna
