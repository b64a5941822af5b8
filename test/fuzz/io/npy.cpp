#include <cstddef>
#include <cstdint>

#include "fuzz/io/laws.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lacuna::check_reading(lacuna::FileFormat::Npy, {reinterpret_cast<const char*>(data), size});
  return 0;
}
