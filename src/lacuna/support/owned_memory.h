#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "lacuna/support/shared_memory.h"

namespace lacuna {

/// Memory that give_back and resized take; null where there is none. Large arrays ask for huge pages: faulting in small
/// ones costs as much as a pass over the data, and more at every random access. They begin at different places of
/// these: processors take a load for one of what is being stored where both have the same place in a megabyte, and the
/// entries of an operand and of a result would wait for each other at every step.
void* allocate_unzeroed(std::size_t bytes);

/// The same of zeros. What is very large may be touched in few places, which do not pay for huge pages.
void* allocate_zeroed(std::size_t bytes);

/// The same that other processes of this computer may read, as far behind the beginning of a page as `at`; large
/// arrays, of a huge one. Null, too, where the system shares no memory.
void* allocate_shared(std::size_t bytes, std::size_t at = 0);
/// Where others find memory of these functions; none of what they may not read.
std::optional<SharedPlace> shared_place(const void* memory);

/// More or less of it, with its contents, which others may read no longer; null where there is none, and the memory
/// stays. Of null, other memory.
void* resized(void* memory, std::size_t bytes);

/// Memory of the functions above, or null.
void give_back(void* memory);

/// How many bytes there are, at least as many as were asked for; 0 of null.
std::size_t usable_bytes(void* memory);

struct GiveBack {
  void operator()(void* memory) const { give_back(memory); }
};

/// Memory of the functions above, or none.
using OwnedMemory = std::unique_ptr<void, GiveBack>;

}  // namespace lacuna
