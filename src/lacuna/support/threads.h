#pragma once

#include <cstdint>
#include <functional>

namespace lacuna {

/// How many processors this process may use; at least 1.
int usable_processors();

/// Calls f(n) for every n in [0, count), each once, in ascending order on each thread, on up to `count` threads, of
/// which the caller is one: it calls f(0). They are the threads on which kernels run, too. `f` must not throw. Inside
/// of another call, the caller's thread does everything. In a
/// process that was forked, a thread may take the caller's place.
void on_threads(int count, const std::function<void(int)>& f);

}  // namespace lacuna
