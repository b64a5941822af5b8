#include "cuda/stand_in.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lacuna/support/fiber.h"

// Stands in for CUDA's driver and for NVRTC where there is no device: its functions have the names and results of
// theirs. Memory is that of the process. A program is compiled by the C++ compiler, with a header that says what CUDA
// has and C++ has not. The threads of a launch run one after the other or, where they wait for each other, as fibers.
namespace {

constexpr int success = 0, invalid_value = 1, out_of_memory = 2, no_device = 100, not_found = 500;
constexpr int compilation_failed = 6;  // of NVRTC

struct Failure {
  int code = 0, calls_before = 0;
};
std::map<std::string, Failure> failures;
std::map<void*, std::size_t> memory;
std::int64_t room = INT64_MAX, others = 0;
int capability = 90, device_count = 1;

int fails(const char* function) {
  const auto found = failures.find(function);
  if (found == failures.end() || found->second.code == 0) return success;
  return found->second.calls_before-- > 0 ? success : found->second.code;
}

/// What CUDA C++ has beside C++.
constexpr const char* header = R"(
#include <cmath>
#include <cstring>
using namespace std;
struct lacuna_place { unsigned x; };
extern "C" {
lacuna_place blockIdx, threadIdx;
void (*lacuna_pause)(bool of_block);
unsigned lacuna_lanes[1024];
}
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))
inline void __syncthreads() { lacuna_pause(true); }
inline void __syncwarp() { lacuna_pause(false); }
inline unsigned __shfl_xor_sync(unsigned, unsigned value, int bits) {
  lacuna_lanes[threadIdx.x] = value;
  lacuna_pause(false);
  const unsigned got = lacuna_lanes[threadIdx.x ^ (unsigned)bits];
  lacuna_pause(false);
  return got;
}
#define __global__
#define __launch_bounds__(threads)
template <typename T> T atomicAdd(T *place, T value) { T old = *place; *place += value; return old; }
template <typename T> T atomicOr(T *place, T value) { T old = *place; *place |= value; return old; }
template <typename T> T atomicCAS(T *place, T old, T now) { T was = *place; if (was == old) *place = now; return was; }
template <typename To, typename From> To lacuna_bits_of(From x) { To to; memcpy(&to, &x, sizeof to); return to; }
#define __int_as_float(x) lacuna_bits_of<float>((int)(x))
#define __uint_as_float(x) lacuna_bits_of<float>((unsigned)(x))
#define __float_as_uint(x) lacuna_bits_of<unsigned>((float)(x))
#define __longlong_as_double(x) lacuna_bits_of<double>((long long)(x))
#define __double_as_longlong(x) lacuna_bits_of<long long>((double)(x))
#define int8_t device_int8
#define int16_t device_int16
#define int32_t device_int32
#define int64_t device_int64
#define uint8_t device_uint8
#define uint16_t device_uint16
#define uint32_t device_uint32
#define uint64_t device_uint64
)";

struct Program {
  std::string text, log, library;
};

/// For each kernel, a function that takes its arguments from an array of pointers to them.
std::string callers(const std::string& text) {
  std::string all;
  const std::string begin = "\nLACUNA_KERNEL(";
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const std::size_t name = text.find("void ", at) + 5, open = text.find('(', name), close = text.find(") {", open);
    const std::string function = text.substr(name, open - name);
    std::string arguments, rest = text.substr(open + 1, close - open - 1) + ",";
    int count = 0;
    for (std::size_t comma = rest.find(','); comma != std::string::npos; comma = rest.find(',')) {
      std::string parameter = rest.substr(0, comma);
      rest.erase(0, comma + 1);
      const std::size_t last = parameter.find_last_of(" *");
      if (last == std::string::npos) continue;
      const std::string type = parameter.substr(0, last + 1);
      arguments += (count > 0 ? ", *(" : "*(") + type + "*)arguments[" + std::to_string(count) + "]";
      ++count;
    }
    all += "extern \"C\" void " + function + "_caller(void **arguments) { " + function + "(" + arguments + "); }\n";
  }
  return all;
}

/// The threads of a block that wait for each other: all of a warp, or of the block, pause as often.
class WaitingBlock {
 public:
  WaitingBlock(unsigned threads, unsigned* number, const std::function<void()>& kernel) : number_(number) {
    for (unsigned t = 0; t < threads; ++t) fibers_.emplace_back(kernel);
    waits_.resize(threads);
  }

  void run() {
    running = this;
    for (bool is_any_left = true; is_any_left;) {
      is_any_left = false;
      bool is_any_resumed = false;
      for (unsigned t = 0; t < fibers_.size(); ++t) {
        if (fibers_[t].is_done()) continue;
        is_any_left = true;
        if (waits_[t]) continue;
        is_any_resumed = true;
        *number_ = t;
        fibers_[t].resume();
      }
      if (!is_any_resumed) waits_.assign(waits_.size(), false);
    }
    running = nullptr;
  }

  static void pause(bool of_block) {
    running->waits_[*running->number_] = of_block;
    lacuna::Fiber::pause();
  }

 private:
  static WaitingBlock* running;

  unsigned* number_;
  std::vector<lacuna::Fiber> fibers_;
  std::vector<bool> waits_;  // for all of the block
};
WaitingBlock* WaitingBlock::running = nullptr;

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string folder() {
  const char* given = std::getenv("TMPDIR");
  return given != nullptr ? given : "/tmp";
}

}  // namespace

extern "C" {

void cuda_stand_in_fails(const char* function, int code, int call) { failures[function] = {code, call}; }
void cuda_stand_in_has_room(std::int64_t bytes) { room = bytes; }
std::int64_t cuda_stand_in_holds() { return static_cast<std::int64_t>(memory.size()) + others; }
void cuda_stand_in_is(int now) { capability = now; }
void cuda_stand_in_has_devices(int count) { device_count = count; }

int cuInit(unsigned) { return fails("cuInit"); }
int cuGetErrorName(int code, const char** name) {
  switch (code) {
    case invalid_value: *name = "CUDA_ERROR_INVALID_VALUE"; return success;
    case out_of_memory: *name = "CUDA_ERROR_OUT_OF_MEMORY"; return success;
    case no_device: *name = "CUDA_ERROR_NO_DEVICE"; return success;
    case not_found: *name = "CUDA_ERROR_NOT_FOUND"; return success;
    case 700: *name = "CUDA_ERROR_ILLEGAL_ADDRESS"; return success;
    default: return invalid_value;
  }
}
int cuDeviceGetCount(int* count) {
  *count = device_count;
  return fails("cuDeviceGetCount");
}
int cuDeviceGet(int* device, int number) {
  *device = number;
  return fails("cuDeviceGet");
}
int cuDeviceGetName(char* name, int size, int) {
  std::strncpy(name, "a stand-in for CUDA", static_cast<std::size_t>(size));
  return success;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : 1;
  return fails("cuDeviceGetAttribute");
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  if (const int code = fails("cuDevicePrimaryCtxRetain")) return code;
  *context = &failures;
  ++others;
  return success;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --others;
  return success;
}
int cuCtxPushCurrent_v2(void*) { return fails("cuCtxPushCurrent"); }
int cuCtxPopCurrent_v2(void**) { return success; }
int cuStreamCreate(void** stream, unsigned) {
  if (const int code = fails("cuStreamCreate")) return code;
  *stream = &room;
  ++others;
  return success;
}
int cuStreamSynchronize(void*) { return fails("cuStreamSynchronize"); }
int cuStreamDestroy_v2(void*) {
  --others;
  return success;
}
int cuDeviceGetDefaultMemPool(void** pool, int) {
  *pool = &memory;
  return fails("cuDeviceGetDefaultMemPool");
}
int cuMemPoolGetAttribute(void*, int, void* value) {
  *static_cast<std::uint64_t*>(value) = 0;
  return success;
}
int cuMemPoolSetAttribute(void*, int, void*) { return success; }
int cuMemPoolTrimTo(void*, std::size_t) { return success; }
int cuMemAllocAsync(std::uint64_t* pointer, std::size_t bytes, void*) {
  if (const int code = fails("cuMemAllocAsync")) return code;
  if (static_cast<std::int64_t>(bytes) > room) return out_of_memory;
  void* got = std::malloc(bytes);
  if (got == nullptr) return out_of_memory;
  room -= static_cast<std::int64_t>(bytes);
  memory[got] = bytes;
  *pointer = reinterpret_cast<std::uint64_t>(got);
  return success;
}
int cuMemFreeAsync(std::uint64_t pointer, void*) {
  const auto found = memory.find(reinterpret_cast<void*>(pointer));
  if (found == memory.end()) return invalid_value;
  room += static_cast<std::int64_t>(found->second);
  std::free(found->first);
  memory.erase(found);
  return success;
}
int cuMemsetD8Async(std::uint64_t pointer, unsigned char value, std::size_t count, void*) {
  if (const int code = fails("cuMemsetD8Async")) return code;
  std::memset(reinterpret_cast<void*>(pointer), value, count);
  return success;
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void*) {
  if (const int code = fails("cuMemcpyHtoDAsync")) return code;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return success;
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void*) {
  if (const int code = fails("cuMemcpyDtoHAsync")) return code;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return success;
}
int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void*) {
  if (const int code = fails("cuMemcpyDtoDAsync")) return code;
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return success;
}
int cuModuleLoadData(void** module, const void* image) {
  if (const int code = fails("cuModuleLoadData")) return code;
  const std::string path(static_cast<const char*>(image));
  *module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ::unlink(path.c_str());
  if (*module == nullptr) return invalid_value;
  ++others;
  return success;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  if (const int code = fails("cuModuleGetFunction")) return code;
  if (::dlsym(module, (std::string(name) + "_caller").c_str()) == nullptr) return not_found;
  *function = new std::pair<void*, std::string>(module, name);
  return success;
}
int cuModuleUnload(void* module) {
  ::dlclose(module);
  --others;
  return success;
}
int cuLaunchKernel(void* function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned,
                   void*, void** arguments, void**) {
  if (const int code = fails("cuLaunchKernel")) return code;
  const auto& [module, name] = *static_cast<std::pair<void*, std::string>*>(function);
  const auto caller = reinterpret_cast<void (*)(void**)>(::dlsym(module, (name + "_caller").c_str()));
  auto* const block = static_cast<unsigned*>(::dlsym(module, "blockIdx"));
  auto* const thread = static_cast<unsigned*>(::dlsym(module, "threadIdx"));
  if (blocks == 0 || threads == 0) return invalid_value;
  const bool waits = ::dlsym(module, "lacuna_waits") != nullptr;
  if (waits) *static_cast<void (**)(bool)>(::dlsym(module, "lacuna_pause")) = WaitingBlock::pause;
  for (*block = 0; *block < blocks; ++*block) {
    if (waits) WaitingBlock(threads, thread, [&] { caller(arguments); }).run();
    else
      for (*thread = 0; *thread < threads; ++*thread) caller(arguments);
  }
  return success;
}

const char* nvrtcGetErrorString(int code) {
  return code == compilation_failed ? "NVRTC_ERROR_COMPILATION" : "an error";
}
int nvrtcGetNumSupportedArchs(int* count) {
  *count = 2;
  return fails("nvrtcGetNumSupportedArchs");
}
int nvrtcGetSupportedArchs(int* all) {
  all[0] = 80;
  all[1] = 90;
  return success;
}
int nvrtcCreateProgram(void** program, const char* text, const char*, int, const char* const*, const char* const*) {
  if (const int code = fails("nvrtcCreateProgram")) return code;
  *program = new Program{text, "", ""};
  return success;
}
int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  return success;
}
int nvrtcCompileProgram(void* handle, int, const char* const*) {
  if (const int code = fails("nvrtcCompileProgram")) return code;
  Program& program = *static_cast<Program*>(handle);
  std::string path = folder() + "/lacuna-cuda-XXXXXX";
  const int made = ::mkstemp(path.data());
  if (made < 0) return compilation_failed;
  ::close(made);
  const std::string source = path + ".cpp", log = path + ".log";
  const bool waits = program.text.find("= lacuna_exchange_") != std::string::npos ||
                     program.text.find("  LACUNA_BARRIER(") != std::string::npos;
  std::ofstream(source) << header << program.text << callers(program.text)
                        << (waits ? "extern \"C\" int lacuna_waits; int lacuna_waits = 1;\n" : "");
  const std::string compile =
      "c++ -std=c++17 -O1 -ffp-contract=off -w -shared -fPIC -o '" + path + "' '" + source + "' 2> '" + log + "'";
  const bool works = std::system(compile.c_str()) == 0;
  program.log = read(log);
  program.library = path;
  for (const std::string& each : {source, log}) ::unlink(each.c_str());
  if (!works) ::unlink(path.c_str());
  return works ? success : compilation_failed;
}
int nvrtcGetProgramLogSize(void* program, std::size_t* size) {
  *size = static_cast<Program*>(program)->log.size() + 1;
  return success;
}
int nvrtcGetProgramLog(void* program, char* log) {
  std::strcpy(log, static_cast<Program*>(program)->log.c_str());
  return success;
}
int nvrtcGetCUBINSize(void* program, std::size_t* size) {
  *size = static_cast<Program*>(program)->library.size() + 1;
  return success;
}
int nvrtcGetCUBIN(void* program, char* code) {
  std::strcpy(code, static_cast<Program*>(program)->library.c_str());
  return success;
}
int nvrtcGetPTXSize(void* program, std::size_t* size) { return nvrtcGetCUBINSize(program, size); }
int nvrtcGetPTX(void* program, char* text) { return nvrtcGetCUBIN(program, text); }
}
