#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// What is used of CUDA's driver and of NVRTC, as their manuals declare it: neither header is needed to build, and the
// same binary runs where neither library is.
namespace lacuna::cuda {

using Handle = void*;  // of a context, stream, module, function, memory pool or program
using Pointer = std::uint64_t;

/// Results of the driver, of which all are integers.
constexpr int success = 0, out_of_memory = 2;

struct Driver {
  int (*cuInit)(unsigned flags) = nullptr;
  int (*cuGetErrorName)(int code, const char** name) = nullptr;
  int (*cuDeviceGetCount)(int* count) = nullptr;
  int (*cuDeviceGet)(int* device, int number) = nullptr;
  int (*cuDeviceGetName)(char* name, int size, int device) = nullptr;
  int (*cuDeviceGetAttribute)(int* value, int attribute, int device) = nullptr;
  int (*cuDevicePrimaryCtxRetain)(Handle* context, int device) = nullptr;
  int (*cuDevicePrimaryCtxRelease)(int device) = nullptr;
  int (*cuCtxPushCurrent)(Handle context) = nullptr;
  int (*cuCtxPopCurrent)(Handle* context) = nullptr;
  int (*cuStreamCreate)(Handle* stream, unsigned flags) = nullptr;
  int (*cuStreamSynchronize)(Handle stream) = nullptr;
  int (*cuStreamDestroy)(Handle stream) = nullptr;
  int (*cuDeviceGetDefaultMemPool)(Handle* pool, int device) = nullptr;
  int (*cuMemPoolGetAttribute)(Handle pool, int attribute, void* value) = nullptr;
  int (*cuMemPoolSetAttribute)(Handle pool, int attribute, void* value) = nullptr;
  int (*cuMemPoolTrimTo)(Handle pool, std::size_t keep) = nullptr;
  int (*cuMemAllocAsync)(Pointer* memory, std::size_t bytes, Handle stream) = nullptr;
  int (*cuMemFreeAsync)(Pointer memory, Handle stream) = nullptr;
  int (*cuMemsetD8Async)(Pointer memory, unsigned char value, std::size_t count, Handle stream) = nullptr;
  int (*cuMemcpyHtoDAsync)(Pointer to, const void* from, std::size_t bytes, Handle stream) = nullptr;
  int (*cuMemcpyDtoHAsync)(void* to, Pointer from, std::size_t bytes, Handle stream) = nullptr;
  int (*cuMemcpyDtoDAsync)(Pointer to, Pointer from, std::size_t bytes, Handle stream) = nullptr;
  int (*cuModuleLoadData)(Handle* module, const void* image) = nullptr;
  int (*cuModuleGetFunction)(Handle* function, Handle module, const char* name) = nullptr;
  int (*cuModuleUnload)(Handle module) = nullptr;
  int (*cuLaunchKernel)(Handle function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,
                        unsigned threads_y, unsigned threads_z, unsigned shared_bytes, Handle stream, void** arguments,
                        void** more) = nullptr;

  std::shared_ptr<void> library;

  /// Throws RuntimeFailure, naming the error, unless the driver did what is said.
  void check(int code, const std::string& what) const;
};

struct Compiler {
  const char* (*nvrtcGetErrorString)(int code) = nullptr;
  int (*nvrtcGetNumSupportedArchs)(int* count) = nullptr;
  int (*nvrtcGetSupportedArchs)(int* architectures) = nullptr;
  int (*nvrtcCreateProgram)(Handle* program, const char* text, const char* name, int headers, const char* const* texts,
                            const char* const* names) = nullptr;
  int (*nvrtcDestroyProgram)(Handle* program) = nullptr;
  int (*nvrtcCompileProgram)(Handle program, int count, const char* const* options) = nullptr;
  int (*nvrtcGetProgramLogSize)(Handle program, std::size_t* size) = nullptr;
  int (*nvrtcGetProgramLog)(Handle program, char* log) = nullptr;
  int (*nvrtcGetPTXSize)(Handle program, std::size_t* size) = nullptr;
  int (*nvrtcGetPTX)(Handle program, char* text) = nullptr;
  int (*nvrtcGetCUBINSize)(Handle program, std::size_t* size) = nullptr;
  int (*nvrtcGetCUBIN)(Handle program, char* code) = nullptr;

  std::shared_ptr<void> library;
};

/// The first of these libraries that there is. Throws RuntimeFailure, saying what to install, where there is none.
Driver open_driver(const std::vector<std::string>& names);
Compiler open_compiler(const std::vector<std::string>& names);

/// Code for devices of a compute capability (90 for 9.0): a cubin, or PTX for the newest one that NVRTC knows where it
/// does not know the device. Throws InternalError, with what NVRTC says, for a text that it refuses.
std::string compiled(const Compiler& compiler, const std::string& text, int capability);
/// PTX for devices of compute capability 8.0 and newer.
std::string ptx_of(const Compiler& compiler, const std::string& text);

}  // namespace lacuna::cuda
