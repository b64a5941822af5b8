#include "lacuna/compile/plan/loop_passes.h"

#include <iterator>

#include <fmt/format.h>

#include "lacuna/loop/passes.h"

namespace lacuna {
namespace {

/// Of one vector register; 0: there are none.
int vector_bytes(const Target& target) {
  constexpr std::int64_t of_avx512 = std::int64_t{32} * 64, of_avx2 = std::int64_t{16} * 32;
  return target.vector_bytes >= of_avx512 ? 64 : target.vector_bytes >= of_avx2 ? 32 : target.vector_bytes > 0 ? 16 : 0;
}

/// A small grid where the interpreter emulates the device: it runs threads one after the other. Warps of OpenCL, which
/// need not be there, have no operations of their own.
loop::LaunchShape shape_of(const Target& target) {
  loop::LaunchShape shape;
  shape.warps_meet = target.device != DeviceLanguage::OpenCl;
  if (target.backend == Target::Backend::Interpreter) {
    shape.threads = 4;
    shape.warp = 2;
    shape.most_blocks = 2;
    shape.most_bytes = 256;
  }
  return shape;
}

/// The kernels that a pass changes.
enum class For : std::uint8_t { All, Processors, Devices };

struct Pass {
  const char* name;
  For kernels;
  loop::Module (*run)(const loop::Module& module, const Target& target);
};

// THE LIST.
constexpr Pass passes[] = {
    {"simplify", For::All, [](const loop::Module& m, const Target&) { return loop::simplify(m); }},
    {"vectorize_short_loops", For::Processors,
     [](const loop::Module& m, const Target&) { return loop::vectorize_short_loops(m); }},
    {"vectorize_rows", For::Processors,
     [](const loop::Module& m, const Target& t) { return loop::vectorize_rows(m, vector_bytes(t)); }},
    {"stream_stores", For::Processors, [](const loop::Module& m, const Target&) { return loop::stream_stores(m); }},
    {"carry_ends", For::Processors, [](const loop::Module& m, const Target&) { return loop::carry_ends(m); }},
    {"partition", For::Processors, [](const loop::Module& m, const Target&) { return loop::partition(m); }},
    {"outline", For::Processors, [](const loop::Module& m, const Target&) { return loop::outline(m); }},
    {"offload", For::Devices, [](const loop::Module& m, const Target& t) { return loop::offload(m, shape_of(t)); }},
};

bool changes(const Pass& pass, const Target& target) {
  return pass.kernels == For::All || (pass.kernels == For::Devices) == target.device.has_value();
}

}  // namespace

loop::Module run_passes(loop::Module module, const Target& target, std::string* text) {
  const bool checks = target.backend == Target::Backend::Interpreter;
  std::string before = text == nullptr ? "" : loop::to_string(module);
  loop::verify(module);
  for (const Pass& pass : passes) {
    if (!changes(pass, target)) continue;
    module = pass.run(module, target);
    if (checks) loop::verify(module);
    if (text == nullptr) continue;
    std::string after = loop::to_string(module);
    *text += fmt::format("-- {}{}", pass.name, after == before ? ": no change\n" : "\n" + after);
    before = std::move(after);
  }
  if (!checks) loop::verify(module);
  return module;
}

}  // namespace lacuna
