#include "lacuna/tensor/unbacked.h"

#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

/// None where so much is not to be had.
std::shared_ptr<const void> address_space(std::size_t bytes) {
  // Without a reserve, the system does not ask whether there is as much memory.
  void* const memory = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  return {memory, [bytes](const void* p) { ::munmap(const_cast<void*>(p), bytes); }};
}

}  // namespace

Storage unbacked_tensor(Type type, const std::vector<std::int64_t>& dimensions, const LevelMap& map) {
  check_dimensions(dimensions, map.size());
  std::int64_t size = 1;
  for (const std::int64_t n : dimensions) size = multiply_sizes(size, n, "a dense tensor");
  const auto width = static_cast<std::int64_t>(size_of(type));
  std::shared_ptr<const void> memory;
  if (size <= std::numeric_limits<std::int64_t>::max() / width)
    memory = address_space(static_cast<std::size_t>(std::max<std::int64_t>(size, 1) * width));
  if (memory == nullptr)
    throw RuntimeFailure(
        fmt::format("a dense tensor of {} {} elements does not fit the address space", size, type_name(type)));
  return adopt_dense(dimensions, Array::borrow(type, memory.get(), size, memory), map);
}

}  // namespace lacuna
