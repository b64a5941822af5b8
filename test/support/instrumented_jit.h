#pragma once

#include "lacuna/jit/jit.h"

namespace lacuna {

/// How tests compile kernels that threads run at once: with the sanitizer that the test itself is compiled with, so
/// that it sees what kernels do to the memory that they share. Nothing is kept on disk.
inline JitOptions instrumented_jit() {
  JitOptions options{"cc", default_c_flags(), "", ""};
#if defined(__SANITIZE_THREAD__)
  options.flags.emplace_back("-fsanitize=thread");
#elif defined(__SANITIZE_ADDRESS__)
  options.flags.emplace_back("-fsanitize=address,undefined");
  options.flags.emplace_back("-fno-sanitize-recover=all");
#endif
  return options;
}

}  // namespace lacuna
