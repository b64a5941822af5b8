#pragma once

#include <memory>
#include <string>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

namespace lacuna {

/// The functions of OpenCL that are used, of its loader, which is opened at run time: the same binary runs where there
/// is none.
struct OpenClFunctions {
  decltype(&::clGetPlatformIDs) clGetPlatformIDs = nullptr;
  decltype(&::clGetDeviceIDs) clGetDeviceIDs = nullptr;
  decltype(&::clGetDeviceInfo) clGetDeviceInfo = nullptr;
  decltype(&::clCreateContext) clCreateContext = nullptr;
  decltype(&::clReleaseContext) clReleaseContext = nullptr;
  decltype(&::clCreateCommandQueue) clCreateCommandQueue = nullptr;
  decltype(&::clReleaseCommandQueue) clReleaseCommandQueue = nullptr;
  decltype(&::clCreateBuffer) clCreateBuffer = nullptr;
  decltype(&::clReleaseMemObject) clReleaseMemObject = nullptr;
  decltype(&::clEnqueueWriteBuffer) clEnqueueWriteBuffer = nullptr;
  decltype(&::clEnqueueReadBuffer) clEnqueueReadBuffer = nullptr;
  decltype(&::clEnqueueCopyBuffer) clEnqueueCopyBuffer = nullptr;
  decltype(&::clEnqueueFillBuffer) clEnqueueFillBuffer = nullptr;
  decltype(&::clCreateProgramWithSource) clCreateProgramWithSource = nullptr;
  decltype(&::clBuildProgram) clBuildProgram = nullptr;
  decltype(&::clGetProgramBuildInfo) clGetProgramBuildInfo = nullptr;
  decltype(&::clReleaseProgram) clReleaseProgram = nullptr;
  decltype(&::clCreateKernel) clCreateKernel = nullptr;
  decltype(&::clReleaseKernel) clReleaseKernel = nullptr;
  decltype(&::clSetKernelArg) clSetKernelArg = nullptr;
  decltype(&::clEnqueueNDRangeKernel) clEnqueueNDRangeKernel = nullptr;
  decltype(&::clFinish) clFinish = nullptr;

  std::shared_ptr<void> library;
};

/// Throws RuntimeFailure where there is no loader.
OpenClFunctions open_opencl_loader();

/// The name of an error code: "CL_OUT_OF_RESOURCES (-5)".
std::string opencl_error(cl_int code);

}  // namespace lacuna
