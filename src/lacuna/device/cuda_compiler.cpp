#include <algorithm>

#include <fmt/format.h>

#include "lacuna/device/cuda_functions.h"
#include "lacuna/support/error.h"

namespace lacuna::cuda {
namespace {

/// A program of NVRTC.
class Program {
 public:
  Program(const Compiler& nvrtc, const std::string& text) : nvrtc_(nvrtc) {
    check(nvrtc.nvrtcCreateProgram(&program_, text.c_str(), "kernels.cu", 0, nullptr, nullptr));
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { nvrtc_.nvrtcDestroyProgram(&program_); }

  /// Whether NVRTC accepts it.
  bool compile(const std::vector<std::string>& options) {
    std::vector<const char*> given;
    for (const std::string& each : options) given.push_back(each.c_str());
    return nvrtc_.nvrtcCompileProgram(program_, static_cast<int>(given.size()), given.data()) == success;
  }
  std::string log() const { return bytes(nvrtc_.nvrtcGetProgramLogSize, nvrtc_.nvrtcGetProgramLog); }
  std::string cubin() const { return bytes(nvrtc_.nvrtcGetCUBINSize, nvrtc_.nvrtcGetCUBIN); }
  std::string ptx() const { return bytes(nvrtc_.nvrtcGetPTXSize, nvrtc_.nvrtcGetPTX); }

 private:
  void check(int code) const {
    if (code != success)
      throw RuntimeFailure(fmt::format("NVRTC cannot compile: {}", nvrtc_.nvrtcGetErrorString(code)));
  }
  template <typename Size, typename Get>
  std::string bytes(Size size_of, Get get) const {
    std::size_t size = 0;
    check(size_of(program_, &size));
    std::string all(size, '\0');
    check(get(program_, all.data()));
    return all;
  }

  const Compiler& nvrtc_;
  Handle program_ = nullptr;
};

/// The newest architecture that NVRTC knows up to one.
int newest_known(const Compiler& nvrtc, int capability) {
  int count = 0;
  if (nvrtc.nvrtcGetNumSupportedArchs(&count) != success || count <= 0) return capability;
  std::vector<int> known(static_cast<std::size_t>(count));
  if (nvrtc.nvrtcGetSupportedArchs(known.data()) != success) return capability;
  std::erase_if(known, [&](int each) { return each > capability; });
  if (known.empty())
    throw RuntimeFailure(
        fmt::format("this NVRTC compiles for no device of compute capability {}.{}: install the one of "
                    "an earlier CUDA",
                    capability / 10, capability % 10));
  return *std::max_element(known.begin(), known.end());
}

/// For an architecture, as "sm_90" or "compute_80".
void compile(Program& program, const std::string& architecture, const std::string& text) {
  // Without contraction, results are those of processors.
  if (!program.compile({"--gpu-architecture=" + architecture, "--std=c++17", "--fmad=false",
                        "--device-as-default-execution-space", "--disable-warnings"}))
    throw InternalError(fmt::format("internal error: NVRTC refuses a program: {}\n{}", program.log(), text));
}

}  // namespace

std::string compiled(const Compiler& compiler, const std::string& text, int capability) {
  const int known = newest_known(compiler, capability);
  const bool exact = known == capability;
  Program program(compiler, text);
  compile(program, fmt::format("{}_{}", exact ? "sm" : "compute", known), text);
  return exact ? program.cubin() : program.ptx();
}

std::string ptx_of(const Compiler& compiler, const std::string& text) {
  Program program(compiler, text);
  compile(program, fmt::format("compute_{}", newest_known(compiler, 80)), text);
  return program.ptx();
}

}  // namespace lacuna::cuda
