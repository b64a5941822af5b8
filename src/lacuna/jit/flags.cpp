#include "lacuna/jit/jit.h"

namespace lacuna {

std::vector<std::string> default_c_flags() {
  return {
    "-std=gnu11", "-O3", "-march=native",
#if defined(__x86_64__)
        // Wider vectors gain nothing where memory is the limit, and cost a sixth of the time to compile.
        "-mprefer-vector-width=256",
#endif
        "-fPIC", "-shared", "-pipe", "-fopenmp-simd",
        // Integers wrap; a product and a sum are rounded each, as the reference evaluator does; NaN, infinity and
        // signed zero are kept, but neither errno nor floating-point traps are.
        "-fwrapv", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math",
        // A function of the host program with a kernel's name must not take its place.
        "-fno-semantic-interposition", "-Wl,-Bsymbolic",
  };
}

JitOptions jit_options(const Environment& environment) {
  JitOptions options;
  options.compiler = environment.c_compiler;
  options.flags = default_c_flags();
  if (environment.disk_cache) options.cache_folder = environment.cache_dir.string();
  if (environment.keep_c) options.keep_folder = environment.keep_c->string();
  return options;
}

}  // namespace lacuna
