#include "lacuna/support/fiber.h"

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace lacuna {
namespace {

constexpr std::size_t stack_bytes = 120 * 1024;  // less than what malloc asks the system for each time

}  // namespace

struct Fiber::State {
  std::function<void()> function;
  std::unique_ptr<std::byte[]> stack{};
  ucontext_t own{}, caller{};
  State* resumed_by = nullptr;  // the fiber that runs meanwhile, if it is one
  std::exception_ptr failure{};
  bool is_done = false;
#if defined(__SANITIZE_ADDRESS__)
  const void* stack_of_caller = nullptr;
  std::size_t bytes_of_caller = 0;
#endif

  static thread_local State* running;

  static void run(unsigned high, unsigned low) {
    State& self = *reinterpret_cast<State*>((static_cast<std::uintptr_t>(high) << 32U) | low);
    self.has_arrived(nullptr);
    try {
      self.function();
    } catch (...) {
      self.failure = std::current_exception();
    }
    self.is_done = true;
    self.leave(nullptr);
    setcontext(&self.caller);
  }

  // AddressSanitizer is told which stack is in use.
  void leave([[maybe_unused]] void** kept) const {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(kept, stack_of_caller, bytes_of_caller);
#endif
  }
  void has_arrived([[maybe_unused]] void* kept) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(kept, &stack_of_caller, &bytes_of_caller);
#endif
  }
};

thread_local Fiber::State* Fiber::State::running = nullptr;

Fiber::Fiber(std::function<void()> function) : state_(std::make_unique<State>()) {
  state_->function = std::move(function);
}
Fiber::~Fiber() = default;
Fiber::Fiber(Fiber&&) noexcept = default;
Fiber& Fiber::operator=(Fiber&&) noexcept = default;

bool Fiber::is_done() const { return state_->is_done; }

void Fiber::resume() {
  State& self = *state_;
  if (self.stack == nullptr) {
    self.stack.reset(new std::byte[stack_bytes]);  // not initialized
    getcontext(&self.own);
    self.own.uc_stack.ss_sp = self.stack.get();
    self.own.uc_stack.ss_size = stack_bytes;
    self.own.uc_link = nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(&self);
    makecontext(&self.own, reinterpret_cast<void (*)()>(&State::run), 2, static_cast<unsigned>(address >> 32U),
                static_cast<unsigned>(address));
  }
  self.resumed_by = std::exchange(State::running, &self);
#if defined(__SANITIZE_ADDRESS__)
  void* kept = nullptr;
  __sanitizer_start_switch_fiber(&kept, self.stack.get(), stack_bytes);
#endif
  swapcontext(&self.caller, &self.own);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(kept, nullptr, nullptr);
#endif
  State::running = self.resumed_by;
  if (self.failure) std::rethrow_exception(std::exchange(self.failure, nullptr));
}

void Fiber::pause() {
  State& self = *State::running;
  void* kept = nullptr;
  self.leave(&kept);
  swapcontext(&self.own, &self.caller);
  self.has_arrived(kept);
}

}  // namespace lacuna
