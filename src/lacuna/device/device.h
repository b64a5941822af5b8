#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lacuna/support/device_language.h"
#include "lacuna/support/scalar.h"

namespace lacuna {

class DeviceCopy;

/// Functions that a device can run.
class DeviceProgram {
 public:
  virtual ~DeviceProgram() = default;
  DeviceProgram() = default;
  DeviceProgram(const DeviceProgram&) = delete;
  DeviceProgram& operator=(const DeviceProgram&) = delete;
};

/// What a function of a device is given: memory of the device, or a scalar.
struct DeviceArgument {
  bool is_memory = false;
  void* memory = nullptr;
  Scalar scalar = {};
};

/// A device with memory of its own. What it is asked to do, it does in order, so that a read sees what was done before.
/// All functions throw RuntimeFailure, with what the device says, where it cannot. One thread at a time may call them.
class Device {
 public:
  virtual ~Device() = default;
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual std::string name() const = 0;
  /// Another one for each device that was opened.
  std::int64_t number() const { return number_; }
  virtual DeviceLanguage language() const = 0;
  /// Compiles a text in the device's language.
  virtual std::shared_ptr<DeviceProgram> build(const std::string& text) = 0;

  /// So many bytes, zero if asked for; null where there are not so many. `bytes` may be 0.
  virtual void* allocate(std::int64_t bytes, bool zeroed) = 0;
  /// Any thread may call this, also while another one uses the device.
  virtual void release(void* memory) = 0;
  virtual void write(void* memory, const void* from, std::int64_t bytes) = 0;
  virtual void read(const void* memory, std::int64_t offset, void* to, std::int64_t bytes) = 0;
  virtual void copy(const void* from, void* to, std::int64_t bytes) = 0;

  /// Begins to run a function of a program, on blocks of so many threads.
  virtual void launch(DeviceProgram& program, const std::string& function, std::int64_t blocks, std::int64_t threads,
                      std::span<const DeviceArgument> arguments) = 0;
  /// Until all that was asked of it is done.
  virtual void wait() = 0;

  /// Notes a copy that drop_idle_copies() may drop.
  void note_copy(std::weak_ptr<DeviceCopy> copy);
  /// Takes back the memory of copies that only their tensors hold. Whether there were any.
  bool drop_idle_copies();

 private:
  static std::int64_t next_number();

  std::int64_t number_ = next_number();
  std::vector<std::weak_ptr<DeviceCopy>> copies_;
};

/// The first device that OpenCL has, or the one whose name has `wanted` in it. Throws RuntimeFailure, saying what to
/// install, where there is none.
std::unique_ptr<Device> open_opencl(const std::string& wanted = "");

/// As many devices as OpenCL has here, one of them by its number.
int count_opencl();
std::unique_ptr<Device> open_opencl(int number);

/// Where the libraries of CUDA are: names for the loader, of which the first that is found is taken.
struct CudaLibraries {
  std::vector<std::string> driver = {"libcuda.so.1"};
  std::vector<std::string> compiler = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
};

/// A device of CUDA, by its number, with programs compiled by NVRTC. It works in the device's primary context, as other
/// libraries do. Throws RuntimeFailure, saying what to install, where there is none.
std::unique_ptr<Device> open_cuda(int number = 0, const CudaLibraries& libraries = {});
/// How many there are.
int count_cuda(const CudaLibraries& libraries = {});

/// What the processors of some memories of a machine run on: those of memory m on the device whose number is m modulo
/// how many there are. By number, null for those that none of them needs; no memories: all devices. Throws
/// RuntimeFailure where there is no device.
std::vector<std::shared_ptr<Device>> open_devices(DeviceLanguage language, const std::vector<std::int64_t>& memories,
                                                  const CudaLibraries& libraries = {});

}  // namespace lacuna
