#include "lacuna/device/cuda_functions.h"

#include <dlfcn.h>

#include <fmt/format.h>

#include "lacuna/support/error.h"

namespace lacuna::cuda {
namespace {

/// A library while its functions are looked up.
class Library {
 public:
  Library(const std::vector<std::string>& names, const std::string& install) {
    for (const std::string& each : names) {
      handle_ = ::dlopen(each.c_str(), RTLD_NOW | RTLD_LOCAL);
      name_ = each;
      if (handle_ != nullptr) return;
    }
    throw RuntimeFailure(install);
  }
  template <typename Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(::dlsym(handle_, name));
    if (function == nullptr)
      throw RuntimeFailure(fmt::format("{} has no {}: it is too old; install CUDA 11.2 or later", name_, name));
  }
  std::shared_ptr<void> kept() const {
    return {handle_, [](void* handle) { ::dlclose(handle); }};
  }

 private:
  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace

void Driver::check(int code, const std::string& what) const {
  if (code == success) return;
  const char* name = nullptr;
  if (cuGetErrorName(code, &name) != success || name == nullptr) name = "an error";
  throw RuntimeFailure(fmt::format("CUDA cannot {}: {} ({})", what, name, code));
}

Driver open_driver(const std::vector<std::string>& names) {
  const Library library(names, "there is no CUDA here: it needs a device of NVIDIA and its driver");
  Driver f;
  f.library = library.kept();
  library.find("cuInit", f.cuInit);
  library.find("cuGetErrorName", f.cuGetErrorName);
  library.find("cuDeviceGetCount", f.cuDeviceGetCount);
  library.find("cuDeviceGet", f.cuDeviceGet);
  library.find("cuDeviceGetName", f.cuDeviceGetName);
  library.find("cuDeviceGetAttribute", f.cuDeviceGetAttribute);
  library.find("cuDevicePrimaryCtxRetain", f.cuDevicePrimaryCtxRetain);
  library.find("cuDevicePrimaryCtxRelease_v2", f.cuDevicePrimaryCtxRelease);
  library.find("cuCtxPushCurrent_v2", f.cuCtxPushCurrent);
  library.find("cuCtxPopCurrent_v2", f.cuCtxPopCurrent);
  library.find("cuStreamCreate", f.cuStreamCreate);
  library.find("cuStreamSynchronize", f.cuStreamSynchronize);
  library.find("cuStreamDestroy_v2", f.cuStreamDestroy);
  library.find("cuDeviceGetDefaultMemPool", f.cuDeviceGetDefaultMemPool);
  library.find("cuMemPoolGetAttribute", f.cuMemPoolGetAttribute);
  library.find("cuMemPoolSetAttribute", f.cuMemPoolSetAttribute);
  library.find("cuMemPoolTrimTo", f.cuMemPoolTrimTo);
  library.find("cuMemAllocAsync", f.cuMemAllocAsync);
  library.find("cuMemFreeAsync", f.cuMemFreeAsync);
  library.find("cuMemsetD8Async", f.cuMemsetD8Async);
  library.find("cuMemcpyHtoDAsync_v2", f.cuMemcpyHtoDAsync);
  library.find("cuMemcpyDtoHAsync_v2", f.cuMemcpyDtoHAsync);
  library.find("cuMemcpyDtoDAsync_v2", f.cuMemcpyDtoDAsync);
  library.find("cuModuleLoadData", f.cuModuleLoadData);
  library.find("cuModuleGetFunction", f.cuModuleGetFunction);
  library.find("cuModuleUnload", f.cuModuleUnload);
  library.find("cuLaunchKernel", f.cuLaunchKernel);
  return f;
}

Compiler open_compiler(const std::vector<std::string>& names) {
  const Library library(names,
                        "there is no NVRTC here, which compiles for CUDA: install it (libnvrtc of the CUDA toolkit, or "
                        "pip install nvidia-cuda-nvrtc-cu12, and put its folder into LD_LIBRARY_PATH)");
  Compiler f;
  f.library = library.kept();
  library.find("nvrtcGetErrorString", f.nvrtcGetErrorString);
  library.find("nvrtcGetNumSupportedArchs", f.nvrtcGetNumSupportedArchs);
  library.find("nvrtcGetSupportedArchs", f.nvrtcGetSupportedArchs);
  library.find("nvrtcCreateProgram", f.nvrtcCreateProgram);
  library.find("nvrtcDestroyProgram", f.nvrtcDestroyProgram);
  library.find("nvrtcCompileProgram", f.nvrtcCompileProgram);
  library.find("nvrtcGetProgramLogSize", f.nvrtcGetProgramLogSize);
  library.find("nvrtcGetProgramLog", f.nvrtcGetProgramLog);
  library.find("nvrtcGetPTXSize", f.nvrtcGetPTXSize);
  library.find("nvrtcGetPTX", f.nvrtcGetPTX);
  library.find("nvrtcGetCUBINSize", f.nvrtcGetCUBINSize);
  library.find("nvrtcGetCUBIN", f.nvrtcGetCUBIN);
  return f;
}

}  // namespace lacuna::cuda
