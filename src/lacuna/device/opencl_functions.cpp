#include "lacuna/device/opencl_functions.h"

#include <dlfcn.h>

#include <fmt/format.h>

#include "lacuna/support/error.h"

namespace lacuna {
namespace {

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) throw RuntimeFailure(fmt::format("the OpenCL loader has no {}", name));
}

}  // namespace

OpenClFunctions open_opencl_loader() {
  void* library = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw RuntimeFailure(
        "there is no OpenCL here: install its loader and a driver for the device (on Debian: apt install "
        "ocl-icd-libopencl1, and pocl-opencl-icd to run on processors)");
  OpenClFunctions f;
  f.library = std::shared_ptr<void>(library, [](void* handle) { ::dlclose(handle); });
  find(library, "clGetPlatformIDs", f.clGetPlatformIDs);
  find(library, "clGetDeviceIDs", f.clGetDeviceIDs);
  find(library, "clGetDeviceInfo", f.clGetDeviceInfo);
  find(library, "clCreateContext", f.clCreateContext);
  find(library, "clReleaseContext", f.clReleaseContext);
  find(library, "clCreateCommandQueue", f.clCreateCommandQueue);
  find(library, "clReleaseCommandQueue", f.clReleaseCommandQueue);
  find(library, "clCreateBuffer", f.clCreateBuffer);
  find(library, "clReleaseMemObject", f.clReleaseMemObject);
  find(library, "clEnqueueWriteBuffer", f.clEnqueueWriteBuffer);
  find(library, "clEnqueueReadBuffer", f.clEnqueueReadBuffer);
  find(library, "clEnqueueCopyBuffer", f.clEnqueueCopyBuffer);
  find(library, "clEnqueueFillBuffer", f.clEnqueueFillBuffer);
  find(library, "clCreateProgramWithSource", f.clCreateProgramWithSource);
  find(library, "clBuildProgram", f.clBuildProgram);
  find(library, "clGetProgramBuildInfo", f.clGetProgramBuildInfo);
  find(library, "clReleaseProgram", f.clReleaseProgram);
  find(library, "clCreateKernel", f.clCreateKernel);
  find(library, "clReleaseKernel", f.clReleaseKernel);
  find(library, "clSetKernelArg", f.clSetKernelArg);
  find(library, "clEnqueueNDRangeKernel", f.clEnqueueNDRangeKernel);
  find(library, "clFinish", f.clFinish);
  return f;
}

std::string opencl_error(cl_int code) {
  const char* name = "an error";
  switch (code) {
    case CL_DEVICE_NOT_FOUND: name = "CL_DEVICE_NOT_FOUND"; break;
    case CL_DEVICE_NOT_AVAILABLE: name = "CL_DEVICE_NOT_AVAILABLE"; break;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: name = "CL_MEM_OBJECT_ALLOCATION_FAILURE"; break;
    case CL_OUT_OF_RESOURCES: name = "CL_OUT_OF_RESOURCES"; break;
    case CL_OUT_OF_HOST_MEMORY: name = "CL_OUT_OF_HOST_MEMORY"; break;
    case CL_BUILD_PROGRAM_FAILURE: name = "CL_BUILD_PROGRAM_FAILURE"; break;
    case CL_INVALID_VALUE: name = "CL_INVALID_VALUE"; break;
    case CL_INVALID_BUFFER_SIZE: name = "CL_INVALID_BUFFER_SIZE"; break;
    case CL_INVALID_KERNEL_ARGS: name = "CL_INVALID_KERNEL_ARGS"; break;
    case CL_INVALID_WORK_GROUP_SIZE: name = "CL_INVALID_WORK_GROUP_SIZE"; break;
    default: break;
  }
  return fmt::format("{} ({})", name, code);
}

}  // namespace lacuna
