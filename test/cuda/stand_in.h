#pragma once

#include <cstdint>

// What tests say to a stand-in for CUDA's libraries (stand_in.cpp), which is opened as these are.
extern "C" {

/// The function of this name fails with `code` from its call number `call` on, counted from now; 0: it works.
void cuda_stand_in_fails(const char* function, int code, int call);
/// So many bytes can be allocated.
void cuda_stand_in_has_room(std::int64_t bytes);
/// So many allocations, modules, streams and uses of the context are left.
std::int64_t cuda_stand_in_holds();
/// The compute capability of the device: 90 is 9.0.
void cuda_stand_in_is(int capability);
/// There are so many devices, all of them alike.
void cuda_stand_in_has_devices(int count);
}
