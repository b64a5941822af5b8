#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "lacuna/device/device.h"
#include "lacuna/device/opencl_functions.h"
#include "lacuna/support/error.h"

// One context, with one queue that keeps the order. Handles are cl_mem.
namespace lacuna {
namespace {

void check(cl_int code, const std::string& what) {
  if (code != CL_SUCCESS) throw RuntimeFailure(fmt::format("OpenCL cannot {}: {}", what, opencl_error(code)));
}

bool is_short_of_memory(cl_int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY ||
         code == CL_INVALID_BUFFER_SIZE;
}

class OpenClProgram : public DeviceProgram {
 public:
  OpenClProgram(const OpenClFunctions& cl, cl_program program) : cl_(cl), program_(program) {}
  ~OpenClProgram() override {
    for (const auto& [name, kernel] : kernels_) cl_.clReleaseKernel(kernel);
    cl_.clReleaseProgram(program_);
  }
  cl_kernel kernel(const std::string& name) {
    const auto known = kernels_.find(name);
    if (known != kernels_.end()) return known->second;
    cl_int code = CL_SUCCESS;
    const cl_kernel made = cl_.clCreateKernel(program_, name.c_str(), &code);
    check(code, "find " + name);
    return kernels_.emplace(name, made).first->second;
  }

 private:
  OpenClFunctions cl_;  // with the library, which outlives the device
  cl_program program_;
  std::map<std::string, cl_kernel> kernels_;
};

class OpenCl : public Device {
 public:
  OpenCl(OpenClFunctions cl, cl_device_id device) : cl_(std::move(cl)), device_(device) {
    cl_int code = CL_SUCCESS;
    context_ = cl_.clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
    check(code, "use " + name());
    queue_ = cl_.clCreateCommandQueue(context_, device_, 0, &code);
    if (code != CL_SUCCESS) cl_.clReleaseContext(context_);
    check(code, "make a queue of " + name());
  }
  ~OpenCl() override {
    cl_.clFinish(queue_);
    cl_.clReleaseCommandQueue(queue_);
    cl_.clReleaseContext(context_);
  }

  DeviceLanguage language() const override { return DeviceLanguage::OpenCl; }
  std::string name() const override { return name_of(cl_, device_); }
  static std::string name_of(const OpenClFunctions& cl, cl_device_id device) {
    char text[256] = "";
    cl.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text - 1, text, nullptr);
    return text;
  }

  std::shared_ptr<DeviceProgram> build(const std::string& text) override {
    const char* source = text.c_str();
    const std::size_t size = text.size();
    cl_int code = CL_SUCCESS;
    const cl_program made = cl_.clCreateProgramWithSource(context_, 1, &source, &size, &code);
    check(code, "read a program");
    auto program = std::make_shared<OpenClProgram>(cl_, made);
    code = cl_.clBuildProgram(made, 1, &device_, "-cl-std=CL1.2 -w", nullptr, nullptr);
    if (code != CL_SUCCESS)
      throw InternalError(fmt::format("internal error: OpenCL refuses a program: {}\n{}", log_of(made), text));
    return program;
  }

  void* allocate(std::int64_t bytes, bool zeroed) override {
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
    cl_int code = CL_SUCCESS;
    const cl_mem memory = cl_.clCreateBuffer(context_, CL_MEM_READ_WRITE, size, nullptr, &code);
    if (is_short_of_memory(code)) return nullptr;
    check(code, fmt::format("allocate {} bytes", bytes));
    if (zeroed) {
      const cl_uchar zero = 0;
      code = cl_.clEnqueueFillBuffer(queue_, memory, &zero, 1, 0, size, 0, nullptr, nullptr);
      if (code != CL_SUCCESS) cl_.clReleaseMemObject(memory);
      if (is_short_of_memory(code)) return nullptr;
      check(code, "fill memory");
    }
    return memory;
  }
  void release(void* memory) override { cl_.clReleaseMemObject(as_memory(memory)); }
  void write(void* memory, const void* from, std::int64_t bytes) override {
    if (bytes == 0) return;
    const auto size = static_cast<std::size_t>(bytes);
    check(cl_.clEnqueueWriteBuffer(queue_, as_memory(memory), CL_TRUE, 0, size, from, 0, nullptr, nullptr),
          fmt::format("copy {} bytes to the device", bytes));
  }
  void read(const void* memory, std::int64_t offset, void* to, std::int64_t bytes) override {
    if (bytes == 0) return;
    check(cl_.clEnqueueReadBuffer(queue_, as_memory(memory), CL_TRUE, static_cast<std::size_t>(offset),
                                  static_cast<std::size_t>(bytes), to, 0, nullptr, nullptr),
          fmt::format("copy {} bytes from the device", bytes));
  }
  void copy(const void* from, void* to, std::int64_t bytes) override {
    if (bytes == 0) return;
    check(cl_.clEnqueueCopyBuffer(queue_, as_memory(from), as_memory(to), 0, 0, static_cast<std::size_t>(bytes), 0,
                                  nullptr, nullptr),
          fmt::format("copy {} bytes on the device", bytes));
  }

  void wait() override { check(cl_.clFinish(queue_), "finish its programs"); }

  void launch(DeviceProgram& program, const std::string& function, std::int64_t blocks, std::int64_t threads,
              std::span<const DeviceArgument> arguments) override {
    const cl_kernel kernel = static_cast<OpenClProgram&>(program).kernel(function);
    for (std::size_t k = 0; k < arguments.size(); ++k) set(kernel, static_cast<cl_uint>(k), arguments[k]);
    const auto local = static_cast<std::size_t>(threads), all = static_cast<std::size_t>(blocks) * local;
    check(cl_.clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &all, &local, 0, nullptr, nullptr),
          fmt::format("run {} on {} blocks of {} threads", function, blocks, threads));
  }

 private:
  static cl_mem as_memory(const void* memory) { return static_cast<cl_mem>(const_cast<void*>(memory)); }

  void set(cl_kernel kernel, cl_uint number, const DeviceArgument& argument) {
    const auto give = [&](std::size_t size, const void* value) {
      check(cl_.clSetKernelArg(kernel, number, size, value), fmt::format("take argument {}", number));
    };
    if (argument.is_memory) {
      const cl_mem memory = as_memory(argument.memory);
      return give(sizeof(void*), memory == nullptr ? nullptr : &memory);
    }
    visit_type(argument.scalar.type(), [&](auto zero) {
      const auto value = argument.scalar.as<decltype(zero)>();
      give(sizeof value, &value);
    });
  }

  std::string log_of(cl_program program) const {
    std::size_t size = 0;
    cl_.clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, ' ');
    cl_.clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    return log.substr(0, log.find('\0'));
  }

  OpenClFunctions cl_;
  cl_device_id device_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

std::vector<cl_device_id> devices_of(const OpenClFunctions& cl) {
  cl_uint count = 0;
  if (cl.clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<cl_platform_id> platforms(count);
  check(cl.clGetPlatformIDs(count, platforms.data(), nullptr), "list its drivers");
  std::vector<cl_device_id> all;
  for (const cl_platform_id each : platforms) {
    cl_uint found = 0;
    if (cl.clGetDeviceIDs(each, CL_DEVICE_TYPE_ALL, 0, nullptr, &found) != CL_SUCCESS || found == 0) continue;
    std::vector<cl_device_id> devices(found);
    check(cl.clGetDeviceIDs(each, CL_DEVICE_TYPE_ALL, found, devices.data(), nullptr), "list its devices");
    all.insert(all.end(), devices.begin(), devices.end());
  }
  return all;
}

std::vector<cl_device_id> some_devices_of(const OpenClFunctions& cl) {
  std::vector<cl_device_id> all = devices_of(cl);
  if (all.empty())
    throw RuntimeFailure(
        "OpenCL has no device here: install a driver for it (on Debian, pocl-opencl-icd makes the processors one)");
  return all;
}

}  // namespace

int count_opencl() { return static_cast<int>(devices_of(open_opencl_loader()).size()); }

std::unique_ptr<Device> open_opencl(int number) {
  OpenClFunctions cl = open_opencl_loader();
  const std::vector<cl_device_id> all = some_devices_of(cl);
  if (number < 0 || number >= static_cast<int>(all.size()))
    throw RuntimeFailure(fmt::format("OpenCL has no device {} here: there are {}", number, all.size()));
  return std::make_unique<OpenCl>(std::move(cl), all[static_cast<std::size_t>(number)]);
}

std::unique_ptr<Device> open_opencl(const std::string& wanted) {
  OpenClFunctions cl = open_opencl_loader();
  const std::vector<cl_device_id> all = some_devices_of(cl);
  std::string names;
  for (const cl_device_id each : all) {
    const std::string name = OpenCl::name_of(cl, each);
    if (name.find(wanted) != std::string::npos) return std::make_unique<OpenCl>(std::move(cl), each);
    names += (names.empty() ? "" : ", ") + name;
  }
  throw RuntimeFailure(fmt::format("OpenCL has no device '{}' here; there is {}", wanted, names));
}

}  // namespace lacuna
