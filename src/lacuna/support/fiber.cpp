#include "lacuna/support/fiber.h"

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

// Clang says of what it builds for in another way than GCC.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LACUNA_FIBER_ASAN
#elif __has_feature(thread_sanitizer)
#define LACUNA_FIBER_TSAN
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define LACUNA_FIBER_ASAN
#elif defined(__SANITIZE_THREAD__)
#define LACUNA_FIBER_TSAN
#endif
#if defined(LACUNA_FIBER_ASAN)
#include <sanitizer/common_interface_defs.h>
#elif defined(LACUNA_FIBER_TSAN)
#include <sanitizer/tsan_interface.h>
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
#if defined(LACUNA_FIBER_ASAN)
  const void* stack_of_caller = nullptr;
  std::size_t bytes_of_caller = 0;
#elif defined(LACUNA_FIBER_TSAN)
  void* known_as = __tsan_create_fiber(0);
  void* caller_known_as = nullptr;

  ~State() { __tsan_destroy_fiber(known_as); }
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

  // Sanitizers are told which stack is in use.
  void leave([[maybe_unused]] void** kept) const {
#if defined(LACUNA_FIBER_ASAN)
    __sanitizer_start_switch_fiber(kept, stack_of_caller, bytes_of_caller);
#elif defined(LACUNA_FIBER_TSAN)
    __tsan_switch_to_fiber(caller_known_as, 0);
#endif
  }
  void has_arrived([[maybe_unused]] void* kept) {
#if defined(LACUNA_FIBER_ASAN)
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
#if defined(LACUNA_FIBER_ASAN)
  void* kept = nullptr;
  __sanitizer_start_switch_fiber(&kept, self.stack.get(), stack_bytes);
#elif defined(LACUNA_FIBER_TSAN)
  self.caller_known_as = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(self.known_as, 0);
#endif
  swapcontext(&self.caller, &self.own);
#if defined(LACUNA_FIBER_ASAN)
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
